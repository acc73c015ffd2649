/** The list of an archive, as the worker makes it and the page gets it. */

/** A file that is stored: its bytes from `at` on. */
export interface StoredRow { readonly path: string; readonly at: number; readonly size: number }
/** A file that is compressed: its record in the directory is `length` bytes from `at` on. */
export interface PackedRow { readonly path: string; readonly at: number; readonly length: number; readonly size: number; readonly packed: number; readonly overlaps: boolean }
/** A file that cannot be read, and why. */
export interface LeftOutRow { readonly path: string; readonly reason: string }
export type Row = StoredRow | PackedRow | LeftOutRow;

export interface ListRequest {
  readonly archive: Blob;
  readonly kind: 'zip' | 'tar';
}

export type ListReply =
  /** How many files have been found up to now. */
  | { readonly kind: 'found'; readonly count: number }
  /** Some of the files that can be read, in the order of their paths: their paths with NULs between them, and COLUMNS numbers for each. */
  | { readonly kind: 'rows'; readonly paths: string; readonly numbers: Float64Array<ArrayBuffer> }
  /** `begin` and `directory`: where a zip archive and its directory begin. `named`: the first of the files that are left out. */
  | { readonly kind: 'end'; readonly begin: number; readonly directory: number; readonly leftOut: number; readonly named: readonly LeftOutRow[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Objects take ten times as long to another thread: `at`, `size`, and of a compressed file `length`, `packed` and `overlaps`; -1 for a stored one. */
export const COLUMNS = 5;

export function numbersOf(rows: readonly (StoredRow | PackedRow)[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(COLUMNS * rows.length);
  rows.forEach((row, index) => numbers.set('packed' in row ? [row.at, row.size, row.length, row.packed, Number(row.overlaps)] : [row.at, row.size, -1, -1, -1], COLUMNS * index));
  return numbers;
}

export function rowAt(path: string, numbers: Float64Array, index: number): StoredRow | PackedRow {
  const cell = (column: number): number => numbers[COLUMNS * index + column]!;
  const [at, size, length] = [cell(0), cell(1), cell(2)];
  return length < 0 ? { path, at, size } : { path, at, size, length, packed: cell(3), overlaps: cell(4) === 1 };
}

/** Bytes that are read at once: headers of small files lie close together. If one window follows the other, they become larger. */
const WINDOW = 64 << 10;
const LARGEST_WINDOW = 4 << 20;

/** Reads from a Blob in pieces that are larger than what is asked for, without waiting: only workers may. */
export class Window {
  readonly size: number;
  readonly #reader = new (globalThis as unknown as { FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer } }).FileReaderSync();
  #start = 0;
  #bytes = new Uint8Array();
  #width = WINDOW;

  constructor(private readonly blob: Blob) {
    this.size = blob.size;
  }

  read(at: number, length: number): Uint8Array {
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      const end = this.#start + this.#bytes.length;
      this.#width = at <= end && at >= this.#start ? Math.min(2 * this.#width, LARGEST_WINDOW) : WINDOW;
      this.#start = at;
      this.#bytes = new Uint8Array(this.#reader.readAsArrayBuffer(this.blob.slice(at, at + Math.max(length, this.#width))));
    }
    if (at + length > this.#start + this.#bytes.length) throw new Error('it is cut off');
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }
}
