import type { FileWithPath } from '@mo/wasm';

import { insidePath, isLitter } from './paths.js';

/** What is in an archive: files that can be read, and others with the reason why not. */
export interface Contents {
  files: FileWithPath[];
  leftOut: { path: string; reason: string }[];
}

/** No model has more files. */
const MOST_FILES = 100_000;

/** Gathers the files of an archive. Of those with the same path the last one counts. */
export class Gathering {
  readonly #files = new Map<string, Blob>();
  readonly #leftOut: Contents['leftOut'] = [];
  #count = 0;

  /** `folder` is put before all paths. */
  constructor(private readonly folder: string) {}

  /** `content` may instead be the reason why the file cannot be read. */
  async add(path: string, content: () => Blob | string | Promise<Blob | string>): Promise<void> {
    if (isLitter(path)) return;
    if (++this.#count > MOST_FILES) throw new Error('it has more than 100,000 files');
    const inside = insidePath(path);
    const found = inside === undefined ? 'its path leads out of the archive' : await content();
    if (typeof found === 'string') this.#leftOut.push({ path, reason: found });
    else this.#files.set(`${this.folder}/${inside}`, found);
  }

  contents(): Contents {
    return { files: Array.from(this.#files, ([path, file]) => ({ path, file })), leftOut: this.#leftOut };
  }
}
