import type { HostFailure, HostFiles } from '../shared/core.js';
import type { Template } from '../shared/msg.js';

/** The largest small read, and the largest gap between two in a row. */
const SMALL = 4096;
/** Bytes that are read at once. */
const STRETCH = 64 << 10;

/**
 * Serves small reads that follow one another from stretches that are read at once: a read takes microseconds, and a model with many
 * small weights needs hundreds of thousands.
 */
export class ReadAhead {
  #name: string | undefined;
  /** Where the last small read ended. */
  #end = 0;
  /** What has been read: `#size` bytes from `#begin` on. */
  #begin = 0;
  #size = 0;
  readonly #stretch = new Uint8Array(STRETCH);

  constructor(private readonly files: HostFiles) {}

  /** Fills `out` with the bytes from `offset` on. Returns what went wrong, or undefined. */
  read(name: string, offset: number, out: Uint8Array): Template | HostFailure | undefined {
    const handle = this.files.open(name);
    if (typeof handle !== 'number') return handle;
    if (out.length > SMALL) return this.files.read(handle, offset, out);
    if (name !== this.#name) this.#size = 0;
    const follows = name === this.#name && offset >= this.#end && offset - this.#end <= SMALL;
    this.#name = name;
    this.#end = offset + out.length;
    if (offset < this.#begin || this.#end > this.#begin + this.#size) {
      const size = Math.min(STRETCH, this.files.size(handle) - offset);
      if (!follows || size < out.length) return this.files.read(handle, offset, out);
      this.#size = 0;
      const wrong = this.files.read(handle, offset, this.#stretch.subarray(0, size));
      if (wrong !== undefined) return wrong;
      this.#begin = offset;
      this.#size = size;
    }
    out.set(this.#stretch.subarray(offset - this.#begin, this.#end - this.#begin));
    return undefined;
  }
}
