import { READ_FAILED } from '../shared/codes.js';
import { recipeBytes, segmentsOf, type Converted, type Core, type Segment } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import type { FsFiles } from './fs-files.js';
import { ReadAhead } from './read-ahead.js';

/** Bytes that are read ahead while the piece before is written. */
const PIECE = 1 << 20;
/** Smaller reads take less time than waiting for them in another thread. */
const LARGE = 64 << 10;

/** A piece of the `.bin`: of one recipe, or from `offset` of the file on. */
type Piece = { size: number } & ({ recipe: number; begin: number } | { offset: number });

/** The `.bin` of a conversion, readable at any offset, without being in memory. */
export class Plan {
  readonly size: number;
  private readonly segments: readonly Segment[];
  readonly #starts: number[] = [];
  readonly #ahead: ReadAhead;

  /** `table`: the segments of another file than the `.bin`. */
  constructor(
    private readonly core: Core,
    private readonly files: FsFiles,
    private readonly conversion: Converted,
    table = conversion.segments,
  ) {
    this.segments = segmentsOf(table);
    this.#ahead = new ReadAhead(files);
    let end = 0;
    for (const segment of this.segments) {
      this.#starts.push(end);
      end += segment.size;
    }
    this.size = end;
  }

  /** Fills `out` with the bytes from `offset` on. */
  read(offset: number, out: Uint8Array): void {
    this.#fill(offset, out, (segment, skip, part) => this.#copy(segment, skip, part));
  }

  /** Gives all bytes in order to `write`, which has to be done with a piece when it returns. */
  async writeTo(write: (piece: Uint8Array) => void): Promise<void> {
    const buffers = [0, 1].map(() => new Uint8Array(Math.min(PIECE, this.size))) as [Uint8Array, Uint8Array];
    let before: Promise<Uint8Array> | undefined;
    let next: Promise<Uint8Array> | undefined;
    try {
      for (const piece of this.#pieces()) {
        next = 'offset' in piece ? this.#readLater(piece.offset, buffers[0].subarray(0, piece.size)) : undefined;
        // It may fail before it is awaited.
        next?.catch(() => undefined);
        if (before) write(await before);
        if ('recipe' in piece) write(this.#recipe(piece.recipe, piece.begin, piece.size));
        else buffers.reverse();
        before = next;
      }
      if (before) write(await before);
    } finally {
      // The files are closed after this.
      await Promise.allSettled([before, next]);
    }
  }

  /** Large recipes piece by piece, and what is between them. */
  *#pieces(): Generator<Piece> {
    let begin = 0;
    let end = 0;
    const between = function* (): Generator<Piece> {
      for (; begin < end; begin += PIECE) yield { offset: begin, size: Math.min(PIECE, end - begin) };
    };
    for (const segment of this.segments) {
      if (segment.kind === 'recipe' && segment.size >= LARGE) {
        yield* between();
        for (let done = 0; done < segment.size; done += segment.piece)
          yield { recipe: segment.recipe, begin: done, size: Math.min(segment.piece, segment.size - done) };
        begin = end + segment.size;
      }
      end += segment.size;
    }
    yield* between();
  }

  /** As `read`. Large parts of files are read while this thread does something else. */
  async #readLater(offset: number, out: Uint8Array): Promise<Uint8Array> {
    const reads: Promise<void>[] = [];
    try {
      this.#fill(offset, out, (segment, skip, part) => {
        if (segment.kind === 'file' && part.length >= LARGE) reads.push(this.#readFileLater(this.conversion.files[segment.file]!, segment.offset + skip, part));
        else this.#copy(segment, skip, part);
      });
    } finally {
      // The files may be closed once this has failed.
      await Promise.allSettled(reads);
    }
    await Promise.all(reads);
    return out;
  }

  /** Calls `copy` for each segment of which there are bytes in `out`. */
  #fill(offset: number, out: Uint8Array, copy: (segment: Segment, skip: number, part: Uint8Array) => void): void {
    let index = this.#find(offset);
    for (let done = 0; done < out.length; index++) {
      const segment = this.segments[index]!;
      const skip = offset + done - this.#starts[index]!;
      const size = Math.min(segment.size - skip, out.length - done);
      copy(segment, skip, out.subarray(done, done + size));
      done += size;
    }
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
    this.#refuse(name, this.#ahead.read(name, offset, out));
  }

  async #readFileLater(name: string, offset: number, out: Uint8Array): Promise<void> {
    const handle = this.files.open(name);
    this.#refuse(name, typeof handle === 'string' ? handle : await this.files.readLater(handle, offset, out));
  }

  #refuse(name: string, wrong: string | undefined): void {
    if (wrong !== undefined) throw new MoError([this.core.hostMessage(READ_FAILED, wrong, name)]);
  }
}
