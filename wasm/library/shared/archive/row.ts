/** What is in an archive. Readers give the rows in the order of the archive, with paths as it has them, and without folders. */

import type { Template } from '../msg.js';

/** A file whose bytes are in the archive as they are, from `at` on. */
export interface PlainRow {
  readonly path: string;
  readonly at: number;
  readonly size: number;
}

/** A file of a zip archive. The record in the directory is `length` bytes from `at` on, the file's own header begins at `header`. */
export interface ZipRow extends PlainRow {
  readonly length: number;
  readonly header: number;
  /** Its size in the archive. */
  readonly packed: number;
  readonly isPacked: boolean;
}

/** A file that cannot be read, and why. */
export interface LeftOutRow {
  readonly path: string;
  readonly reason: Template;
}

/** A file that is another one of the archive. The target of a symbolic link is relative to the link's folder. */
export interface LinkRow {
  readonly path: string;
  readonly target: string;
  readonly isSymbolic: boolean;
}

export type FileRow = PlainRow | ZipRow;
export type Row = FileRow | LeftOutRow | LinkRow;
