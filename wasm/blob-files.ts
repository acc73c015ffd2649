import type { HostFiles } from './core.js';
import { sentence } from './messages.js';

/** Workers have it; TypeScript's library for pages does not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** Files of a page, read in a worker where they are. */
export class BlobFiles implements HostFiles {
  readonly #names: string[];
  readonly #blobs: Blob[];
  readonly #reader = new FileReaderSync();
  readonly #bin = new MessageChannel();

  /** `files` by their paths relative to the model's folder. */
  constructor(files: readonly (readonly [path: string, blob: Blob])[]) {
    this.#names = files.map(([path]) => path);
    this.#blobs = files.map(([, blob]) => blob);
    this.#bin.port1.close();
  }

  /** Files that were chosen one by one have lost their folders, so a name is enough where it is the only one. */
  open(name: string): number {
    const exact = this.#names.indexOf(name);
    if (exact >= 0) return exact;
    const same = this.#names.flatMap((other, handle) => (baseName(other) === baseName(name) ? [handle] : []));
    return same.length === 1 ? same[0]! : -1;
  }

  /** The part of a file; no byte of it is read. */
  slice(name: string, offset: number, size: number): Blob {
    return this.#blobs[this.open(name)]!.slice(offset, offset + size);
  }

  size(handle: number): number {
    return this.#blobs[handle]!.size;
  }

  read(handle: number, offset: number, out: Uint8Array): string | undefined {
    try {
      const bytes = this.#reader.readAsArrayBuffer(this.#blobs[handle]!.slice(offset, offset + out.length));
      out.set(new Uint8Array(bytes));
      // Memory of a transferred buffer is free at once; left to the garbage collector it piles up to gigabytes.
      this.#bin.port2.postMessage(0, [bytes]);
      return undefined;
    } catch (error) {
      return sentence(error);
    }
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
