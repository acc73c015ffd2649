import { closeSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

import { draftPath, writeAll } from './draft.js';
import { makeFolder, removeEmpty } from './folders.js';

/** The `.xml` under a temporary name, while the core writes it: a large one is never in memory. */
export class XmlDraft {
  readonly path: string;
  readonly #made: string[] = [];
  #descriptor: number | undefined;
  #isThere = false;
  #failure: unknown;

  /** `folder` is created when there is something to write. */
  constructor(
    readonly folder: string,
    name: string,
  ) {
    this.path = resolve(folder, `${name}.xml`);
  }

  /** Takes a piece. Nothing may be thrown through the core: finish() says what failed. */
  readonly add = (piece: Uint8Array): void => {
    if (this.#failure !== undefined) return;
    try {
      this.#descriptor ??= this.#open();
      writeAll(this.#descriptor, piece);
    } catch (error) {
      this.#failure = error;
    }
  };

  /** Closes the complete draft. Throws the error of add(), if there was one. */
  readonly finish = (): void => {
    this.#close();
    if (this.#failure !== undefined) throw this.#failure;
  };

  /** Removes the draft if it did not get its name, and then the folders that were created for it. */
  discard(): void {
    this.#close();
    if (this.#isThere) rmSync(draftPath(this.path), { force: true });
    removeEmpty(this.#made.reverse());
  }

  #open(): number {
    makeFolder(resolve(this.folder), this.#made);
    const descriptor = openSync(draftPath(this.path), 'w');
    this.#isThere = true;
    return descriptor;
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
