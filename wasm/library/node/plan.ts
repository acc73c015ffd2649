import { READ_FAILED } from '../shared/codes.js';
import { recipeBytes, type Converted, type Core, type HostFiles, type Segment } from '../shared/core.js';
import { MoError } from '../shared/messages.js';

/** Buffers that fit a processor's cache are copied five times as fast. */
const BUFFER = 256 << 10;

/** The `.bin` of a conversion, readable at any offset, without being in memory. */
export class Plan {
  readonly size: number;
  readonly #starts: number[] = [];

  /** `segments`: those of another file than the `.bin`. */
  constructor(
    private readonly core: Core,
    private readonly files: HostFiles,
    private readonly conversion: Converted,
    private readonly segments: readonly Segment[] = conversion.segments,
  ) {
    let end = 0;
    for (const segment of segments) {
      this.#starts.push(end);
      end += segment.size;
    }
    this.size = end;
  }

  /** Fills `out` with the bytes from `offset` on. */
  read(offset: number, out: Uint8Array): void {
    let index = this.#find(offset);
    for (let done = 0; done < out.length; index++) {
      const segment = this.segments[index]!;
      const skip = offset + done - this.#starts[index]!;
      const size = Math.min(segment.size - skip, out.length - done);
      this.#copy(segment, skip, out.subarray(done, done + size));
      done += size;
    }
  }

  /** All bytes in order. A piece is valid until the next one is requested. */
  *pieces(): Generator<Uint8Array> {
    const buffer = new Uint8Array(Math.min(BUFFER, this.size));
    let filled = 0;
    for (const segment of this.segments) {
      for (let done = 0; done < segment.size; ) {
        const rest = segment.size - done;
        const direct = segment.kind === 'recipe' && rest >= BUFFER;
        if (filled === buffer.length || (direct && filled > 0)) {
          yield part(buffer, 0, filled);
          filled = 0;
        }
        const size = Math.min(rest, direct ? segment.piece : buffer.length - filled);
        if (direct) {
          yield this.#recipe(segment.recipe, done, size);
        } else {
          this.#copy(segment, done, part(buffer, filled, filled + size));
          filled += size;
        }
        done += size;
      }
    }
    if (filled > 0) yield buffer.subarray(0, filled);
  }

  #find(offset: number): number {
    let low = 0;
    for (let high = this.#starts.length; low + 1 < high; ) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  #copy(segment: Segment, skip: number, out: Uint8Array): void {
    switch (segment.kind) {
      case 'bytes':
        return out.set(segment.bytes.subarray(skip, skip + out.length));
      case 'recipe':
        return out.set(this.#recipe(segment.recipe, skip, out.length));
      case 'file':
        return this.#copyFile(this.conversion.files[segment.file]!, segment.offset + skip, out);
    }
  }

  #recipe(recipe: number, offset: number, size: number): Uint8Array {
    return recipeBytes(this.core, this.conversion.id, recipe, offset, size);
  }

  #copyFile(name: string, offset: number, out: Uint8Array): void {
    const handle = this.files.open(name);
    const wrong = typeof handle === 'string' ? handle : this.files.read(handle, offset, out);
    if (wrong !== undefined) throw new MoError([this.core.hostMessage(READ_FAILED, wrong, name)]);
  }
}

/** Creating a view costs more than copying a piece, so the whole buffer is returned as it is. */
function part(buffer: Uint8Array, begin: number, end: number): Uint8Array {
  return begin === 0 && end === buffer.length ? buffer : buffer.subarray(begin, end);
}
