/** The files of a tar archive: headers are read, and contents are skipped. */
import { msg, type Template } from '../msg.js';
import { Reason } from '../reason.js';
import type { Row } from './row.js';
import type { Window } from './window.js';

export const BLOCK = 512;
/** The most bytes of a name, or of attributes, in blocks of their own. */
const LONGEST_TEXT = 1 << 20;

const TYPES: Readonly<Record<string, Template>> = {
  '3': msg`it is a device`, '4': msg`it is a device`, '6': msg`it is a pipe`, S: msg`it has holes, which are not read`,
};

interface Given {
  path?: string;
  link?: string;
  size?: number;
  sparse?: boolean;
}

interface Header {
  path: string;
  link: string;
  size: number;
  type: string;
}

/** The entries but folders, in the order of the archive. Throws at the first block that is no header where one should be. */
export function* tarRows(file: Window): Generator<Row> {
  /** Values that are too large for the header's own fields, from blocks before it. */
  let given: Given = {};
  for (let at = 0; at < file.size; ) {
    const block = file.read(at, BLOCK);
    if (block.every((byte) => byte === 0)) break;
    if (!isTarHeader(block)) throw new Reason(msg`what is at byte ${at} is no header of a tar archive`);
    const header = headerOf(block, at);
    const start = at + BLOCK;
    const isGiving = 'xgLK'.includes(header.type);
    const length = isGiving ? header.size : (given.size ?? header.size);
    at = start + Math.ceil(length / BLOCK) * BLOCK;
    if (start + length > file.size) throw new Reason(msg`it is cut off`);
    if (header.type === 'L') given.path = cString(decode(text(file, start, length)));
    else if (header.type === 'K') given.link = cString(decode(text(file, start, length)));
    else if (header.type === 'x') given = { ...given, ...attributes(text(file, start, length)) };
    if (isGiving) continue;
    const { path = header.path, link = header.link, sparse } = given;
    given = {};
    if (header.type === '5' || path.endsWith('/')) continue;
    if (header.type === '1' || header.type === '2') {
      yield { path, target: link, isSymbolic: header.type === '2' };
      continue;
    }
    const reason = TYPES[sparse ? 'S' : header.type];
    yield reason === undefined ? { path, at: start, size: length } : { path, reason };
  }
}

function text(file: Window, at: number, length: number): Uint8Array {
  if (length > LONGEST_TEXT) throw new Reason(msg`a name in it is longer than 1 MB`);
  return file.read(at, length);
}

const decoder = new TextDecoder();
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Whether a block is a header: its checksum is right. */
export function isTarHeader(block: Uint8Array): boolean {
  if (block.length < BLOCK) return false;
  let sum = 8 * 32;
  for (let index = 0; index < BLOCK; index++) if (index < 148 || index >= 156) sum += block[index]!;
  return sum === octal(cString(decode(block.subarray(148, 156))));
}

function headerOf(block: Uint8Array, at: number): Header {
  const field = (start: number, length: number) => cString(decode(block.subarray(start, start + length)));
  const prefix = field(257, 6) === 'ustar' ? field(345, 155) : '';
  const size = block[124]! & 0x80 ? binary(block.subarray(125, 136)) : octal(field(124, 12));
  if (!Number.isSafeInteger(size)) throw new Reason(msg`the size at byte ${at} is no number`);
  return { path: prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`, link: field(157, 100), size, type: field(156, 1) || '0' };
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
    if (!(length >= digits.length + key.length + 2 && length <= records.length - at)) throw new Reason(msg`its attributes cannot be read`);
    const value = decode(records.subarray(at + digits.length + key.length + 2, at + length - 1));
    at += length;
    if (key === 'path') found.path = value;
    else if (key === 'linkpath') found.link = value;
    else if (key === 'size') found.size = sizeOf(value);
    else if (key.startsWith('GNU.sparse.')) found.sparse = true;
  }
  return found;
}

function sizeOf(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw new Reason(msg`a size in it is no number`);
  return Number(digits);
}

function cString(text: string): string {
  return text.replace(/\0[^]*$/, '');
}
