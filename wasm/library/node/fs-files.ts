import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';

import type { HostFiles } from '../shared/core.js';
import { sentence } from '../shared/messages.js';

/** The files of a model in Node. */
export interface NodeFiles extends HostFiles {
  /** Whether `path` is one of the files read so far, under whatever name. */
  holds(path: string): boolean;
  close(): void;
}

/** The files of a folder, read where they are. */
export class FsFiles implements NodeFiles {
  readonly #folder: string;
  readonly #handles = new Map<string, number>();
  readonly #files: { descriptor: number; size: number }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  open(name: string): number | string {
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    try {
      const path = join(this.#folder, name);
      return statSync(path).isFile() ? this.adopt(name, openSync(path, 'r')) : 'not a regular file';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? -1 : reason(error);
    }
  }

  /** Lets a file that is open already count as the one of that name. */
  adopt(name: string, descriptor: number): number {
    const { size } = fstatSync(descriptor);
    const handle = this.#files.push({ descriptor, size }) - 1;
    this.#handles.set(name, handle);
    return handle;
  }

  size(handle: number): number {
    return this.#files[handle]!.size;
  }

  read(handle: number, offset: number, out: Uint8Array): string | undefined {
    const { descriptor } = this.#files[handle]!;
    try {
      for (let done = 0; done < out.length; ) {
        const count = readSync(descriptor, out, done, out.length - done, offset + done);
        if (count === 0) return 'the file has become shorter';
        done += count;
      }
      return undefined;
    } catch (error) {
      return reason(error);
    }
  }

  holds(path: string): boolean {
    const there = statSync(path, { throwIfNoEntry: false });
    return this.#files.some(({ descriptor }) => {
      const { dev, ino } = fstatSync(descriptor);
      return dev === there?.dev && ino === there.ino;
    });
  }

  close(): void {
    for (const { descriptor } of this.#files.splice(0)) closeSync(descriptor);
    this.#handles.clear();
  }
}

/** One file that is in memory. */
export function memoryFiles(name: string, bytes: Uint8Array): NodeFiles {
  return {
    open: (wanted) => (wanted === name ? 0 : -1),
    size: () => bytes.length,
    read: (_handle, offset, out) => {
      out.set(bytes.subarray(offset, offset + out.length));
      return undefined;
    },
    holds: () => false,
    close: () => {},
  };
}

/** Why the system refused, in the words that it has for it. */
export function reason(error: unknown): string {
  const known = getSystemErrorMap().get((error as NodeJS.ErrnoException).errno ?? 0)?.[1];
  return known ? known[0]!.toUpperCase() + known.slice(1) : sentence(error);
}
