/** Unpacks files of a zip archive. */
import * as library from '@zip.js/zip.js/lib/zip-core-reader.js';

import { DAMAGED, ELSEWHERE, isTooMuch, NO_ZIP, OTHER_BYTES, OTHER_SIZE } from '../../wasm/library/shared/archive/bounds.js';
import { archiveError, bounded, tooMuch } from './bounds.js';
import type { PackedRow } from './listing.js';
import type { UnpackControls } from './packed.js';
import { spool } from './spool.js';

/** The library's errors, in words for people who do not know the format. */
const SENTENCES = new Map([
  [library.ERR_BAD_FORMAT, NO_ZIP],
  [library.ERR_LOCAL_FILE_HEADER_NOT_FOUND, ELSEWHERE],
  [library.ERR_ENTRY_DATA_OUT_OF_BOUNDS, ELSEWHERE],
  [library.ERR_INVALID_UNCOMPRESSED_SIZE, OTHER_SIZE],
  [library.ERR_INVALID_CRC32, OTHER_BYTES],
  [library.ERR_INVALID_COMPRESSED_DATA, DAMAGED],
]);

/** Where the archive and its directory begin. */
export interface ZipPlace {
  begin: number;
  directory: number;
}

/** A Blob in the form that the library reads. */
class Source {
  readonly size: number;

  constructor(private readonly blob: Blob) {
    this.size = blob.size;
  }

  async init(): Promise<void> {}

  async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }

  createReadable({ offset = 0, size = this.size }: { offset?: number; size?: number } = {}): ReadableStream<Uint8Array> {
    return this.blob.slice(offset, offset + size).stream();
  }
}

/** The library compares size and checksum with what the archive says. `name` is the archive's. */
export async function inflated(archive: Blob, { begin, directory }: ZipPlace, row: PackedRow, name: string, { onBytes, signal }: UnpackControls): Promise<Blob> {
  const { size, packed } = row;
  const path = `${name}/${row.path}`;
  if (isTooMuch(size, packed)) throw tooMuch(path);
  const { readable, writable } = bounded(packed, path, (bytes) => {
    if (bytes > size) throw new Error(library.ERR_INVALID_UNCOMPRESSED_SIZE);
    onBytes?.(bytes, size);
  });
  try {
    const entry = await only(new Blob([archive.slice(begin, directory), archive.slice(row.at, row.at + row.length), endOf(row.length, directory - begin)]));
    const [blob] = await Promise.all([spool(readable, path, signal), entry.getData(writable, signal ? { signal } : {})]);
    return blob;
  } catch (error) {
    signal?.throwIfAborted();
    throw archiveError(SENTENCES.get((error as Error).message) ?? error, path);
  }
}

/** The entry of an archive that has one in its directory: the library takes long for a directory with many. */
async function only(archive: Blob): Promise<library.FileEntry> {
  // The page's policy forbids workers that are made of texts.
  const zip = new library.ZipReader(new Source(archive) as never, { useWebWorkers: false, checkCrc32: true, filenameValidation: 'tolerant' });
  const [entry] = await zip.getEntries();
  return entry as library.FileEntry;
}

/** The end of an archive with one entry, in the form for large ones, which is right for small ones, too. */
function endOf(size: number, at: number): Uint8Array<ArrayBuffer> {
  const end = new DataView(new ArrayBuffer(98));
  const wide = (place: number, ...values: number[]) => values.forEach((value, index) => end.setBigUint64(place + 8 * index, BigInt(value), true));
  end.setUint32(0, 0x06064b50, true);
  wide(4, 44);
  end.setUint32(12, 0x002d002d, true);
  wide(24, 1, 1, size, at);
  end.setUint32(56, 0x07064b50, true);
  wide(64, at + size);
  end.setUint32(72, 1, true);
  end.setUint32(76, 0x06054b50, true);
  end.setUint32(84, 0xffffffff, true);
  end.setUint32(88, 0xffffffff, true);
  end.setUint32(92, 0xffffffff, true);
  return new Uint8Array(end.buffer);
}
