/** Recognises archives by their bytes, as core/cli/archive/archive_kind.h. */
import { BLOCK, isTarHeader } from './tar-rows.js';

/** `tar.gz`: compressed by gzip. */
export type ArchiveKind = 'zip' | 'tar' | 'tar.gz';

/** The bytes that tell it. */
export const HEAD = 4096;

/** Arrays of NumPy, in which weights may come: the names of files are theirs. That of the first one begins behind 30 bytes. */
function hasArrays(head: Uint8Array): boolean {
  const end = 30 + head[26]! + 256 * head[27]!;
  return end <= head.length && String.fromCharCode(...head.subarray(end - 4, end)) === '.npy';
}

/** What a file is that begins with `head`. `gunzipped` gives the beginning of what is packed in a file. */
export function archiveKind(head: Uint8Array, gunzipped: (head: Uint8Array, size: number) => Uint8Array): ArchiveKind | undefined {
  const begins = (...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x50, 0x4b, 3, 4)) return hasArrays(head) ? undefined : 'zip';
  if (isTarHeader(head.subarray(0, BLOCK))) return 'tar';
  return begins(0x1f, 0x8b) && isTarHeader(gunzipped(head, BLOCK)) ? 'tar.gz' : undefined;
}
