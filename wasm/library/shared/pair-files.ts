import type { HostFailure, HostFiles } from './core.js';
import type { Template } from './msg.js';

/** The files of two models as those of one: their names begin with `a/` and `b/`. */
export class PairFiles implements HostFiles {
  readonly #sides: readonly [HostFiles, HostFiles];
  /** The side of each handle, and its own handle there. */
  readonly #handles: [side: HostFiles, handle: number][] = [];
  readonly #known = new Map<string, number>();

  constructor(a: HostFiles, b: HostFiles) {
    this.#sides = [a, b];
  }

  open(name: string): number | Template | HostFailure {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const side = this.#side(name);
    const opened = side.open(name.slice(2));
    if (typeof opened !== 'number' || opened < 0) return opened;
    const handle = this.#handles.push([side, opened]) - 1;
    this.#known.set(name, handle);
    return handle;
  }

  list(folder: string): string[] | Template | HostFailure {
    return this.#side(folder).list(folder.slice(2));
  }

  size(handle: number): number {
    const [side, own] = this.#handles[handle]!;
    return side.size(own);
  }

  read(handle: number, offset: number, out: Uint8Array): Template | HostFailure | undefined {
    const [side, own] = this.#handles[handle]!;
    return side.read(own, offset, out);
  }

  #side(name: string): HostFiles {
    return this.#sides[name.startsWith('b/') ? 1 : 0];
  }
}
