/** Recognises archives by their bytes, as core/cli/archive/archive_kind.h. */
import { BLOCK, isTarHeader } from './tar-rows.js';

/** `tar.gz`: compressed by gzip. `program`: a zip of PyTorch, which is a model's file itself unless something in it is compressed. */
export type ArchiveKind = 'zip' | 'tar' | 'tar.gz' | 'program';

/** The bytes that tell it. */
export const HEAD = 4096;

/** Arrays of NumPy and programs of PyTorch, whose files are zips themselves: the first file in them, whose name begins behind 30 bytes, tells them. */
function kindOfZip(head: Uint8Array): ArchiveKind | undefined {
  const name = String.fromCharCode(...head.subarray(30, 30 + head[26]! + 256 * head[27]!));
  if (name.endsWith('.npy')) return undefined;
  const inner = name.slice(name.indexOf('/') + 1);
  const isProgram =
    name === 'serialized_exported_program.json' ||
    inner.startsWith('data/weights/weight_') ||
    inner.startsWith('data/constants/tensor_') ||
    inner.startsWith('data/aotinductor/') ||
    (inner.startsWith('data/') && /(s_config\.json|\.pt)$/.test(inner));
  return isProgram ? 'program' : 'zip';
}

/** What a file is that begins with `head`. `gunzipped` gives the beginning of what is packed in a file. */
export function archiveKind(head: Uint8Array, gunzipped: (head: Uint8Array, size: number) => Uint8Array): ArchiveKind | undefined {
  const begins = (...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x50, 0x4b, 3, 4)) return kindOfZip(head);
  if (isTarHeader(head.subarray(0, BLOCK))) return 'tar';
  return begins(0x1f, 0x8b) && isTarHeader(gunzipped(head, BLOCK)) ? 'tar.gz' : undefined;
}
