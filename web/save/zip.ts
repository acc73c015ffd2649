/** A zip archive of files, which are stored in it as they are, or have been deflated before. They are read for their checksums, and not copied. */
import { crc32 } from './crc32.js';
import type { OutFile, SaveControls } from './out-file.js';

/** Bytes. Above that, reading the files twice takes longer than people wait, and sizes come near the format's own limit. */
export const LARGEST_ZIP = 1e9;
/** The format's own limit. */
const MOST_FILES = 65_534;

interface ToZip {
  readonly path: string;
  readonly download: Pick<OutFile['download'], 'content'>;
  /** Size and checksum of what was deflated to this content. */
  readonly packed?: { readonly size: number; readonly crc: number };
}

const DATE = 0x0021; // The first of January 1980, the earliest there is.
const VERSION = 20;
const UTF8 = 0x0800;
const UNIX = 3 << 8;
const DEFLATED = 8;
const ORDINARY_FILE = 0o100644 * 0x10000;

export function fitsZip(files: readonly OutFile[], size: number): boolean {
  return size <= LARGEST_ZIP && files.length <= MOST_FILES;
}

/** Rejects when a file cannot be read, and when it is aborted. */
export async function zipOf(files: readonly ToZip[], { signal, onBytes }: SaveControls): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let read = 0;
  for (const { path, download: { content }, packed } of files) {
    const name = new TextEncoder().encode(path);
    let crc = 0;
    await content.stream().pipeTo(new WritableStream({
      write(chunk: Uint8Array) {
        crc = crc32(chunk, crc);
        onBytes((read += chunk.length));
      },
    }), { signal });
    const common = [VERSION, UTF8, packed ? DEFLATED : 0, 0, DATE, long(packed?.crc ?? crc), long(content.size), long(packed?.size ?? content.size), name.length, 0];
    parts.push(record(0x04034b50, common), name, content);
    directory.push(record(0x02014b50, [UNIX | VERSION, ...common, 0, 0, 0, long(ORDINARY_FILE), long(offset)]), name);
    offset += 30 + name.length + content.size;
  }
  const size = new Blob(directory).size;
  const end = record(0x06054b50, [0, 0, files.length, files.length, long(size), long(offset), 0]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** A field of four bytes; plain numbers have two. */
function long(value: number): [number] {
  return [value];
}

function record(signature: number, fields: readonly (number | [number])[]): BlobPart {
  const view = new DataView(new ArrayBuffer(4 + fields.reduce<number>((sum, field) => sum + (typeof field === 'number' ? 2 : 4), 0)));
  view.setUint32(0, signature, true);
  let at = 4;
  for (const field of fields) {
    if (typeof field === 'number') view.setUint16(at, field, true);
    else view.setUint32(at, field[0], true);
    at += typeof field === 'number' ? 2 : 4;
  }
  return view.buffer;
}
