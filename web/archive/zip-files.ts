/** The files of a zip archive. Only its directory is read, and the headers of files that are not compressed. */
import * as library from '@zip.js/zip.js/lib/zip-core-reader.js';

import { archiveError, bounded, isTooMuch, tooMuch } from './bounds.js';
import { Gathering, type Contents } from './contents.js';
import { PackedBlob, type UnpackControls } from './packed.js';
import { spool } from './spool.js';

const STORED = 0;
const DEFLATED = 8;
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink', 6: 'Implode', 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd',
};

/** The library's errors, in words for people who do not know the format. */
const SENTENCES = new Map([
  [library.ERR_BAD_FORMAT, 'it is no zip archive, or it is cut off'],
  [library.ERR_EOCDR_NOT_FOUND, 'it is no zip archive, or it is cut off'],
  [library.ERR_CENTRAL_DIRECTORY_NOT_FOUND, 'its directory is damaged'],
  [library.ERR_ENCRYPTED_CENTRAL_DIRECTORY, 'its directory is encrypted'],
  [library.ERR_SPLIT_ZIP_FILE, 'it is one of several parts'],
  [library.ERR_LOCAL_FILE_HEADER_NOT_FOUND, 'it is not where the directory says'],
  [library.ERR_ENTRY_DATA_OUT_OF_BOUNDS, 'it is not where the directory says'],
  [library.ERR_OVERLAPPING_ENTRY, 'it lies in the same place as another file'],
  [library.ERR_INVALID_UNCOMPRESSED_SIZE, 'its size is not what the archive says'],
  [library.ERR_INVALID_CRC32, 'its bytes are not those that were packed: the checksum differs'],
  [library.ERR_INVALID_COMPRESSED_DATA, 'its compressed bytes are damaged'],
]);

/** A directory of 100,000 files with long names is smaller. */
const LARGEST_READ = 64 << 20;
const LOCAL_HEADER = 30;

/** A Blob in the form that the library reads. */
class Source {
  readonly size: number;

  constructor(private readonly blob: Blob) {
    this.size = blob.size;
  }

  async init(): Promise<void> {}

  async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > LARGEST_READ) throw new Error('its directory is larger than 64 MB');
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }

  createReadable({ offset = 0, size = this.size }: { offset?: number; size?: number } = {}): ReadableStream<Uint8Array> {
    return this.blob.slice(offset, offset + size).stream();
  }
}

/**
 * `name` is the archive's, and `folder` is put before the paths of its files.
 *
 * @throws {MoError} when the archive has no directory that can be read.
 */
export async function zipFiles(archive: Blob, name: string, folder: string): Promise<Contents> {
  const gathering = new Gathering(folder);
  const source = new Source(archive);
  // The page's policy forbids workers that are made of texts.
  const zip = new library.ZipReader(source as never, { useWebWorkers: false, checkCrc32: true, checkOverlappingEntry: true, filenameValidation: 'tolerant' });
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      await gathering.add(entry.filename.replaceAll('\\', '/'), () => contentOf(entry, source, archive, name));
    }
    return gathering.contents();
  } catch (error) {
    throw archiveError(inWords(error), name);
  }
}

function contentOf(entry: library.FileEntry, source: Source, archive: Blob, name: string): Blob | string | Promise<Blob | string> {
  const { compressionMethod: method, compressedSize: packed, uncompressedSize: size } = entry;
  if (entry.symlink) return 'it is a link';
  if (entry.encrypted) return 'it is encrypted';
  if (method === STORED) return packed === size ? stored(entry, source, archive) : 'its sizes contradict each other';
  if (method !== DEFLATED) return `its compression, ${METHODS[method] ?? `method ${method}`}, is not read`;
  return new PackedBlob(size, (controls) => inflated(entry, `${name}/${entry.filename}`, controls));
}

/** The part of the archive that is the file: nothing is copied. */
async function stored({ offset, compressedSize }: library.FileEntry, source: Source, archive: Blob): Promise<Blob | string> {
  const header = new DataView((await source.readUint8Array(offset, LOCAL_HEADER)).buffer);
  if (header.byteLength < LOCAL_HEADER || header.getUint32(0, true) !== 0x04034b50) return 'it is not where the directory says';
  const start = offset + LOCAL_HEADER + header.getUint16(26, true) + header.getUint16(28, true);
  return start + compressedSize <= archive.size ? archive.slice(start, start + compressedSize) : 'the archive is cut off';
}

/** The library compares size and checksum with what the archive says. */
async function inflated(entry: library.FileEntry, path: string, { onBytes, signal }: UnpackControls): Promise<Blob> {
  const { compressedSize: packed, uncompressedSize: size } = entry;
  if (isTooMuch(size, packed)) throw tooMuch(path);
  const { readable, writable } = bounded(packed, path, (bytes) => {
    if (bytes > size) throw new Error(library.ERR_INVALID_UNCOMPRESSED_SIZE);
    onBytes?.(bytes, size);
  });
  try {
    const [blob] = await Promise.all([spool(readable, path, signal), entry.getData(writable, signal ? { signal } : {})]);
    return blob;
  } catch (error) {
    signal?.throwIfAborted();
    throw archiveError(inWords(error), path);
  }
}

function inWords(error: unknown): unknown {
  return SENTENCES.get((error as Error).message) ?? error;
}
