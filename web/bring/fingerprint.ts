/** By what a model is recognised when it comes again: a hash of its size and of parts of its file. To hash a large model would take long. */
import type { FileWithPath } from '@mo/wasm';

import { PackedBlob, StoredBlob } from '../archive/packed.js';
import { loadHash } from '../proof/parts.js';
import { baseName, sizeOf, type Chosen } from './chosen.js';

const END = 1 << 18;
const PIECE = 1 << 12;
const PIECES = 64;
const LENGTH = 32;

/** Empty for no models. Several are recognised by their names and sizes. */
export async function fingerprintOf(models: readonly Chosen[]): Promise<string> {
  const [model, second] = models;
  if (!model) return '';
  if (second) return hash([JSON.stringify(models.map((one) => [baseName(one.main.path), sizeOf(one)]))]);
  const name = JSON.stringify([baseName(model.main.path), sizeOf(model)]);
  try {
    return await hash('file' in model.main ? (ofFile(model.main) ?? [name]) : ofFolder(model.side));
  } catch {
    // A file cannot be read: the conversion says so.
    return hash([name]);
  }
}

const ofFile = (file: FileWithPath) => {
  const bytes = bytesOf(file);
  return bytes && [String(bytes.size), ...partsOf(bytes)];
};

/** The names, sizes and beginnings of all files in a folder that is a model. */
function ofFolder(files: readonly FileWithPath[]): BlobPart[] {
  const each = Math.ceil(PIECES * END / files.length);
  return files.flatMap((file) => [JSON.stringify([baseName(file.path), file.file.size]), bytesOf(file)?.slice(0, each) ?? '']);
}

/** A compressed file would have to be unpacked first. */
function bytesOf({ file }: FileWithPath): Blob | undefined {
  if (file instanceof StoredBlob) return file.part;
  return file instanceof PackedBlob ? undefined : file;
}

function partsOf(file: Blob): Blob[] {
  if (file.size <= 2 * END + PIECES * PIECE) return [file];
  const step = (file.size - 2 * END) / PIECES;
  const inner = Array.from({ length: PIECES }, (_, index) => Math.floor(END + index * step));
  return [file.slice(0, END), ...inner.map((at) => file.slice(at, at + PIECE)), file.slice(-END)];
}

async function hash(parts: BlobPart[]): Promise<string> {
  const { sha256Of } = await loadHash();
  return (await sha256Of(new Blob(parts), { signal: new AbortController().signal, onBytes: () => undefined })).slice(0, LENGTH);
}
