/** The list of an archive, as the worker makes it and the page gets it. */
import type { Template } from '@mo/wasm/msg';

import type { LeftOutRow, PlainRow } from '../../wasm/library/shared/archive/row.js';

export type { LeftOutRow };
/** A file whose bytes are in the archive as they are. */
export type StoredRow = PlainRow;
/** A file that is compressed: its record in the directory is `length` bytes from `at` on. */
export interface PackedRow extends PlainRow {
  readonly length: number;
  readonly packed: number;
}

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
  | { readonly kind: 'failed'; readonly reason: Template };

/** Objects take ten times as long to another thread: `at`, `size`, and of a compressed file `length` and `packed`; -1 for a stored one. */
export const COLUMNS = 4;

export function numbersOf(rows: readonly (StoredRow | PackedRow)[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(COLUMNS * rows.length);
  rows.forEach((row, index) => numbers.set('packed' in row ? [row.at, row.size, row.length, row.packed] : [row.at, row.size, -1, -1], COLUMNS * index));
  return numbers;
}

export function rowAt(path: string, numbers: Float64Array, index: number): StoredRow | PackedRow {
  const cell = (column: number): number => numbers[COLUMNS * index + column]!;
  const [at, size, length] = [cell(0), cell(1), cell(2)];
  return length < 0 ? { path, at, size } : { path, at, size, length, packed: cell(3) };
}
