import { writeSync } from 'node:fs';
import { pid } from 'node:process';

/** Writes all bytes. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

/** The name of a file while the process with this id writes it. */
export function draftPath(path: string, process = pid): string {
  return `${path}.part${process}`;
}

/** The name of the `.xml` of an older pair while the process with this id replaces it. */
export function asidePath(path: string, process = pid): string {
  return `${path}.old${process}`;
}
