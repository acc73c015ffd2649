import { writeSync } from 'node:fs';

import { succeeded, type Core } from '../shared/core.js';
import { hostError } from './archive/refusal.js';
import type { FsFiles } from './fs-files.js';

/** Part of a `.bin` that stores f32 elements of a file as f16. */
export interface F16Piece {
  /** The offset in the `.bin`, and the number of bytes there. */
  at: number;
  size: number;
  file: number;
  /** The offset of the f32 elements in the file. */
  offset: number;
}

/** The numbers that the table has for each piece. */
const COLUMNS = 4;

/** Pieces that several threads write, in any order: each takes the next one. */
export class F16Pieces {
  readonly length: number;
  /** How many have been taken. */
  readonly #taken: Int32Array;

  /** Takes what share() gives, in any thread. */
  constructor(
    private readonly table: Float64Array,
    memory = new SharedArrayBuffer(4),
  ) {
    this.length = table.length / COLUMNS;
    this.#taken = new Int32Array(memory);
  }

  static of(pieces: readonly F16Piece[]): F16Pieces {
    return new F16Pieces(Float64Array.from(pieces.flatMap(({ at, size, file, offset }) => [at, size, file, offset])));
  }

  /** The arguments of the constructor in another thread. */
  share(): [table: Float64Array, memory: SharedArrayBuffer] {
    return [this.table, this.#taken.buffer as SharedArrayBuffer];
  }

  take(): F16Piece | undefined {
    const index = Atomics.add(this.#taken, 0, 1);
    if (index >= this.length) return undefined;
    const cell = (column: number): number => this.table[COLUMNS * index + column]!;
    return { at: cell(0), size: cell(1), file: cell(2), offset: cell(3) };
  }

  /** After this call no thread gets another piece. */
  stop(): void {
    Atomics.store(this.#taken, 0, this.length);
  }
}

/**
 * Writes pieces to the file `descriptor` until none is left or `most` are written, `first` before all others. Returns the number of pieces
 * written. `names` are those of the files that pieces refer to. Throws the system's error if it cannot write.
 *
 * @throws {MoError} when a file of the model cannot be read.
 */
export function writeF16(
  core: Core,
  files: FsFiles,
  names: readonly string[],
  descriptor: number,
  pieces: F16Pieces,
  first = pieces.take(),
  most = Infinity,
): number {
  let count = 0;
  for (let piece = first; piece; piece = count < most ? pieces.take() : undefined) {
    count++;
    const { at, size, file, offset } = piece;
    const name = names[file]!;
    const handle = files.open(name);
    if (typeof handle !== 'number') throw hostError(core, handle, name);
    writeAt(descriptor, succeeded(core.compress(size, name, (f32) => files.read(handle, offset, f32))), at);
  }
  return count;
}

/** Writes all bytes from `position` on. */
export function writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}
