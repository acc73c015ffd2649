/** Recognises archives by their bytes, as core/cli/archive/archive_kind.h. */
import { BLOCK, isTarHeader } from './tar-rows.js';

/** `tar.gz`: compressed by gzip. */
export type ArchiveKind = 'zip' | 'tar' | 'tar.gz';

/** The bytes that tell it. */
export const HEAD = 4096;

/** What a file is that begins with `head`. `gunzipped` gives the beginning of what is packed in a file. */
export function archiveKind(head: Uint8Array, gunzipped: (head: Uint8Array, size: number) => Uint8Array): ArchiveKind | undefined {
  const begins = (...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x50, 0x4b, 3, 4)) return 'zip';
  if (isTarHeader(head.subarray(0, BLOCK))) return 'tar';
  return begins(0x1f, 0x8b) && isTarHeader(gunzipped(head, BLOCK)) ? 'tar.gz' : undefined;
}
