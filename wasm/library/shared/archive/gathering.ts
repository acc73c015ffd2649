/** Which files an archive has, whatever its entries say: the same rules as core/cli/archive/gathering.h. */
import { msg } from '../msg.js';
import { MOST_FILES, TOO_MANY } from './bounds.js';
import { insidePath, isLitter, linkedPath } from './paths.js';
import { Reason } from '../reason.js';
import type { FileRow, LeftOutRow, Row } from './row.js';

/** As many links as systems follow. */
const MOST_LINKS = 40;
const NOWHERE = msg`it is a link to nothing in the archive`;
const OUTSIDE = msg`its path leads out of the archive`;

/** Of entries with the same path the last one counts, whether it can be read or not. */
export class Gathering {
  readonly #entries = new Map<string, FileRow | LeftOutRow>();
  readonly #links = new Map<string, string | undefined>();
  readonly #outside: LeftOutRow[] = [];
  #count = 0;

  /** How many files have been found. */
  get count(): number {
    return this.#count;
  }

  /** Throws when there are too many. Returns whether it was a file. */
  add(row: Row): boolean {
    if (isLitter(row.path)) return false;
    if (++this.#count > MOST_FILES) throw new Reason(TOO_MANY);
    const path = insidePath(row.path);
    if (path === undefined) {
      this.#outside.push({ path: row.path, reason: OUTSIDE });
      return true;
    }
    this.#links.delete(path);
    if ('target' in row) {
      this.#links.set(path, row.isSymbolic ? linkedPath(path, row.target) : insidePath(row.target));
      this.#entries.set(path, { path, reason: NOWHERE });
    } else this.#entries.set(path, path === row.path ? row : { ...row, path });
    return true;
  }

  /** The files that can be read, and the others with the reason; links count as their targets. */
  finish(): { files: FileRow[]; leftOut: LeftOutRow[] } {
    for (const path of this.#links.keys()) {
      const target = this.#targetOf(path);
      if (target) this.#entries.set(path, { ...target, path });
    }
    const [files, leftOut]: [FileRow[], LeftOutRow[]] = [[], [...this.#outside]];
    for (const row of this.#entries.values()) {
      if ('reason' in row) leftOut.push(row);
      else files.push(row);
    }
    return { files, leftOut };
  }

  #targetOf(path: string): FileRow | LeftOutRow | undefined {
    let target = this.#links.get(path);
    for (let count = 0; count < MOST_LINKS && target !== undefined; count++) {
      if (!this.#links.has(target)) return this.#entries.get(target);
      target = this.#links.get(target);
    }
    return undefined;
  }
}
