import { resolve } from 'node:path';

import { Draft, writeAll } from './draft.js';
import { makeFolder, removeEmpty } from './folders.js';

/** The `.xml` under a temporary name, while the core writes it: a large one is never in memory. */
export class XmlDraft {
  readonly path: string;
  readonly #made: string[] = [];
  #draft: Draft | undefined;
  #failure: unknown;

  /** `folder` is created when there is something to write. */
  constructor(
    readonly folder: string,
    name: string,
    private readonly fsync: boolean,
  ) {
    this.path = resolve(folder, `${name}.xml`);
  }

  /** Takes a piece. Nothing may be thrown through the core: finish() says what failed. */
  readonly add = (piece: Uint8Array): void => {
    if (this.#failure !== undefined) return;
    try {
      this.#draft ??= this.#open();
      writeAll(this.#draft.descriptor, piece);
    } catch (error) {
      this.#failure = error;
    }
  };

  /** Ends the complete draft. Throws the error of add(), if there was one. */
  readonly finish = (): Draft => {
    if (this.#failure !== undefined) throw this.#failure;
    this.#draft!.finish();
    return this.#draft!;
  };

  /** Removes the draft if it did not get its name, and then the folders that were created for it. */
  discard(): void {
    this.#draft?.discard();
    removeEmpty(this.#made.reverse());
  }

  #open(): Draft {
    makeFolder(resolve(this.folder), this.#made, this.fsync);
    return new Draft(this.path, this.fsync);
  }
}
