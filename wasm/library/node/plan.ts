import { setImmediate as turn } from 'node:timers/promises';

import { recipeBytes, segmentsOf, type Converted, type Core, type HostFailure, type Segment } from '../shared/core.js';
import { hostError } from './archive/refusal.js';
import { F16Pieces, writeAt, writeF16 } from './f16-pieces.js';
import type { FsFiles } from './fs-files.js';
import { LARGE, PIECE, partsOf, type Piece } from './parts.js';
import { ReadAhead } from './read-ahead.js';
import { WORTH_A_THREAD, type SecondThread } from './second-thread.js';
import type { Template } from '../shared/msg.js';

/** After this many this thread has a turn for signals and for what else waits. */
const PIECES_AT_ONCE = 64;

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

  /**
   * Fills the empty file `target`, which is open for writing. `second` helps where weights are stored as f16. Throws the system's error if it cannot write.
   *
   * @throws {MoError} when a file of the model cannot be read.
   */
  async writeTo(descriptor: number, target: string, second?: SecondThread): Promise<void> {
    const names = this.conversion.files;
    const contents = names.map((name) => this.files.forThread(name));
    const parts = partsOf(this.segments, (file) => contents[file] !== undefined);
    const f16 = F16Pieces.of(parts.f16);
    const isMuch = second && f16.length * PIECE >= WORTH_A_THREAD;
    const beside = isMuch ? second.write({ target, files: names.map((name, file) => [name, contents[file]]), pieces: f16.share() }) : undefined;
    beside?.catch(() => undefined);
    try {
      await this.#writeOthers(descriptor, parts.others);
      let written = 0;
      for (let some; (some = writeF16(this.core, this.files, names, descriptor, f16, f16.take(), PIECES_AT_ONCE)) > 0; written += some) await turn();
      if (written < f16.length) await beside;
    } catch (error) {
      f16.stop();
      // The file is removed after this.
      await beside?.catch(() => undefined);
      throw error;
    }
  }

  /** The next piece is read while one is written. */
  async #writeOthers(descriptor: number, pieces: readonly Piece[]): Promise<void> {
    const buffers = [0, 1].map(() => new Uint8Array(Math.min(PIECE, this.size))) as [Uint8Array, Uint8Array];
    const finish = async (piece: Piece, bytes: Promise<Uint8Array>): Promise<void> => writeAt(descriptor, await bytes, piece.at);
    let before: [Piece, Promise<Uint8Array>] | undefined;
    let next: [Piece, Promise<Uint8Array>] | undefined;
    try {
      for (const [index, piece] of pieces.entries()) {
        if (index % PIECES_AT_ONCE === PIECES_AT_ONCE - 1) await turn();
        next = piece.recipe === undefined ? [piece, this.#readLater(piece.at, buffers[0].subarray(0, piece.size))] : undefined;
        // It may fail before it is awaited.
        next?.[1].catch(() => undefined);
        if (before) await finish(...before);
        if (piece.recipe !== undefined) writeAt(descriptor, this.#recipe(piece.recipe, piece.begin, piece.size), piece.at);
        else buffers.reverse();
        before = next;
      }
      if (before) await finish(...before);
    } finally {
      // The files are closed after this.
      await Promise.allSettled([before?.[1], next?.[1]]);
    }
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

  /** Calls `copy` for each segment that has bytes in `out`. */
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
    this.#refuse(name, typeof handle !== 'number' ? handle : await this.files.readLater(handle, offset, out));
  }

  #refuse(name: string, wrong: Template | HostFailure | undefined): void {
    if (wrong !== undefined) throw hostError(this.core, wrong, name);
  }
}
