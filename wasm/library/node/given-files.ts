import type { HostFailure } from '../shared/core.js';
import type { HostReader } from '../shared/model.js';
import type { Template } from '../shared/msg.js';
import { Names } from '../shared/names.js';
import { FsFiles } from './fs-files.js';

/** The files of a model that were given one by one, instead of the folder that has them. */
export class GivenFiles extends FsFiles {
  readonly #names: Names;

  constructor(files: readonly (readonly [name: string, content: number | Uint8Array | HostReader])[]) {
    super();
    this.#names = new Names(files.map(([name]) => name));
    for (const [name, content] of files) this.give(name, content);
  }

  /** The handle of a given file is its index in the list. */
  override open(name: string): number | Template | HostFailure {
    const place = this.#names.find(name);
    return place >= 0 ? place : super.open(name);
  }

  override list(folder: string): string[] {
    return this.#names.list(folder);
  }
}
