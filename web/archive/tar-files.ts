/** The files of a tar archive, as slices of it: headers are read, and contents are skipped. */
import { Gathering, type Contents } from './contents.js';

const BLOCK = 512;
/** Bytes that are read at once: headers of small files lie close together. */
const WINDOW = 64 << 10;
/** The most bytes of a name, or of attributes, in blocks of their own. */
const LONGEST_TEXT = 1 << 20;

const TYPES: Readonly<Record<string, string>> = {
  '1': 'it is a link', '2': 'it is a link', '3': 'it is a device', '4': 'it is a device', '6': 'it is a pipe', S: 'it has holes, which are not read',
};

interface Given {
  path?: string;
  size?: number;
  sparse?: boolean;
}

interface Header {
  path: string;
  size: number;
  type: string;
}

/** Throws at the first block that is no header where one should be. */
export async function tarFiles(archive: Blob, folder: string): Promise<Contents> {
  const gathering = new Gathering(folder);
  const window = new Window(archive);
  /** Values that are too large for the header's own fields, from blocks before it. */
  let given: Given = {};
  for (let at = 0; at < archive.size; ) {
    const block = await window.read(at, BLOCK);
    if (block.every((byte) => byte === 0)) break;
    const header = headerOf(block, at);
    const start = at + BLOCK;
    const isGiving = 'xgLK'.includes(header.type);
    const length = isGiving ? header.size : (given.size ?? header.size);
    at = start + Math.ceil(length / BLOCK) * BLOCK;
    if (start + length > archive.size) throw new Error('it is cut off');
    if (header.type === 'L') given.path = cString(decode(await text(window, start, length)));
    else if (header.type === 'x') given = { ...given, ...attributes(await text(window, start, length)) };
    if (isGiving) continue;
    const { path = header.path, sparse } = given;
    given = {};
    if (header.type === '5' || path.endsWith('/')) continue;
    await gathering.add(path, () => TYPES[sparse ? 'S' : header.type] ?? archive.slice(start, start + length));
  }
  return gathering.contents();
}

/** Reads from a Blob in pieces that are larger than what is asked for. */
class Window {
  #start = 0;
  #bytes = new Uint8Array();

  constructor(private readonly blob: Blob) {}

  async read(at: number, length: number): Promise<Uint8Array> {
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      this.#start = at;
      this.#bytes = new Uint8Array(await this.blob.slice(at, at + Math.max(length, WINDOW)).arrayBuffer());
    }
    if (at + length > this.#start + this.#bytes.length) throw new Error('it is cut off');
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }
}

async function text(window: Window, at: number, length: number): Promise<Uint8Array> {
  if (length > LONGEST_TEXT) throw new Error('a name in it is longer than 1 MB');
  return window.read(at, length);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function headerOf(block: Uint8Array, at: number): Header {
  const field = (start: number, length: number) => cString(decode(block.subarray(start, start + length)));
  const sum = block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== octal(field(148, 8))) throw new Error(`what is at byte ${at} is no header of a tar archive`);
  const prefix = field(257, 6) === 'ustar' ? field(345, 155) : '';
  const size = block[124]! & 0x80 ? binary(block.subarray(125, 136)) : octal(field(124, 12));
  if (!Number.isSafeInteger(size)) throw new Error(`the size at byte ${at} is no number`);
  return { path: prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`, size, type: field(156, 1) || '0' };
}

function octal(digits: string): number {
  const trimmed = digits.trim();
  return /^[0-7]*$/.test(trimmed) ? Number.parseInt(trimmed || '0', 8) : Number.NaN;
}

/** A number in the form of GNU tar, for sizes of 8 GB and more. */
function binary(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** Records `LENGTH KEY=VALUE` of POSIX's format; a record's length is that of all of it, in bytes. */
function attributes(records: Uint8Array): Given {
  const found: Given = {};
  for (let at = 0; at < records.length; ) {
    const [digits = '', key = ''] = /^(\d+) ([^=]*)=/.exec(decode(records.subarray(at, at + 200)))?.slice(1) ?? [];
    const length = Number(digits);
    if (!(length > digits.length + key.length + 2)) throw new Error('its attributes cannot be read');
    const value = decode(records.subarray(at + digits.length + key.length + 2, at + length - 1));
    at += length;
    if (key === 'path') found.path = value;
    else if (key === 'size') found.size = sizeOf(value);
    else if (key.startsWith('GNU.sparse.')) found.sparse = true;
  }
  return found;
}

function sizeOf(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw new Error('a size in it is no number');
  return Number(digits);
}

function cString(text: string): string {
  return text.replace(/\0[^]*$/, '');
}
