/** The directory of a zip archive. Of the files only the headers of those that are not compressed are read. */
import { msg, type Template } from '../msg.js';
import { ELSEWHERE, NO_ZIP, OVERLAPS } from './bounds.js';
import { crc32 } from './crc32.js';
import { Reason } from '../reason.js';
import type { PlainRow, Row, ZipRow } from './row.js';
import type { Window } from './window.js';

const [END, END64, LOCATOR64, RECORD, LOCAL] = [0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50];
const [END_SIZE, END64_SIZE, LOCATOR64_SIZE, RECORD_SIZE, LOCAL_SIZE] = [22, 56, 20, 46, 30];
const LONGEST_COMMENT = 0xffff;
/** A directory of 100,000 files with long names is smaller. */
const LARGEST = 64 << 20;
const STORED = 0;
const DEFLATED = 8;
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink', 6: 'Implode', 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd',
};
const DAMAGED = msg`its directory is damaged`;
/** The letters from 128 on where a name is not in UTF-8. */
const LETTERS = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const utf8 = new TextDecoder();
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const wide = (data: DataView, at: number): number => Number(data.getBigUint64(at, true));

/** An archive may stand behind other bytes: `begin` says how many. */
export interface Directory {
  begin: number;
  at: number;
  size: number;
  count: number;
}

export function directoryOf(file: Window): Directory {
  const least = Math.max(0, file.size - END_SIZE - LONGEST_COMMENT);
  if (file.size < END_SIZE) throw new Reason(NO_ZIP);
  const tail = view(file.read(least, file.size - least));
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Reason(NO_ZIP);
  let [disk, count, size, at] = [tail.getUint16(end + 4, true), tail.getUint16(end + 10, true), tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  let behind = least + end;
  if (end >= LOCATOR64_SIZE && tail.getUint32(end - LOCATOR64_SIZE, true) === LOCATOR64) {
    const said = wide(tail, end - LOCATOR64_SIZE + 8);
    const near = behind - LOCATOR64_SIZE - END64_SIZE;
    const found = [said, near].find((place) => place >= 0 && place + END64_SIZE <= file.size && view(file.read(place, 4)).getUint32(0, true) === END64);
    if (found === undefined) throw new Reason(DAMAGED);
    const end64 = view(file.read(found, END64_SIZE));
    [disk, count, size, at] = [end64.getUint32(16, true), wide(end64, 32), wide(end64, 40), wide(end64, 48)];
    behind = found;
  }
  if (disk !== 0 && disk !== 0xffff) throw new Reason(msg`it is one of several parts`);
  if (size > LARGEST) throw new Reason(msg`its directory is larger than 64 MB`);
  const isThere = (place: number) => place >= 0 && place + size <= behind && (count === 0 || (place + 4 <= behind && view(file.read(place, 4)).getUint32(0, true) === RECORD));
  const place = [at, behind - size].find(isThere);
  if (place === undefined || place < at) throw new Reason(DAMAGED);
  return { begin: place - at, at: place, size, count };
}

/** The entries but folders. Paths have slashes only. */
export function* zipRows(file: Window, { begin, at: start, size, count }: Directory): Generator<Row> {
  const records = file.read(start, size).slice();
  const data = view(records);
  const overlapping = overlaps(data, count, begin);
  for (let at = 0, index = 0; index < count; index++) {
    const entry = entryAt(data, records, at);
    const here = at;
    at = entry.next;
    const { host, mode } = entry;
    const path = textOf(entry.bytes, entry.isUtf8).replaceAll('\\', '/');
    if (path.endsWith('/') || (host === 0 && entry.isFolder) || (host === 3 && (mode & 0xf000) === 0x4000)) continue;
    const offset = begin + entry.offset;
    const refuse = (reason: Template): Row => ({ path, reason });
    if (host === 3 && (mode & 0xf000) === 0xa000) yield refuse(msg`it is a link`);
    else if (entry.flags & 1) yield refuse(msg`it is encrypted`);
    else if (entry.method === STORED && entry.packed !== entry.size) yield refuse(msg`its sizes contradict each other`);
    else if (entry.method !== STORED && entry.method !== DEFLATED) yield refuse(msg`its compression, ${METHODS[entry.method] ?? msg`method ${entry.method}`}, is not read`);
    else if (overlapping[index] === 1) yield refuse(OVERLAPS);
    else yield { path, at: start + here, length: at - here, header: offset, size: entry.size, packed: entry.packed, isPacked: entry.method === DEFLATED };
  }
}

/** What the header of a file has to say, too. */
export interface ZipFacts {
  /** Where the file's bytes begin in the archive. */
  readonly start: number;
  readonly crc: number;
}

/**
 * Where the bytes of a file are, by its own header. Throws if that contradicts the directory. Who reads many files gives
 * a window of its own for the `directory`: one window would move between it and the files for each.
 */
export function zipFacts(file: Window, row: ZipRow, directory: Window = file): ZipFacts {
  const record = view(directory.read(row.at, RECORD_SIZE).slice());
  if (row.header + LOCAL_SIZE > file.size) throw new Reason(ELSEWHERE);
  const header = view(file.read(row.header, LOCAL_SIZE));
  const same = (inHeader: number, inRecord: number): boolean => header.getUint32(inHeader, true) === record.getUint32(inRecord, true);
  const isLater = (header.getUint16(6, true) & 8) !== 0;
  const isUnlike = (place: number, inRecord: number): boolean => !isLater && header.getUint32(place, true) !== 0xffffffff && record.getUint32(inRecord, true) !== 0xffffffff && !same(place, inRecord);
  if (header.getUint32(0, true) !== LOCAL || header.getUint16(8, true) !== record.getUint16(10, true) || header.getUint16(26, true) !== record.getUint16(28, true)) throw new Reason(ELSEWHERE);
  if ((!isLater && !same(14, 16)) || isUnlike(18, 20) || isUnlike(22, 24)) throw new Reason(ELSEWHERE);
  const start = row.header + LOCAL_SIZE + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + row.packed > file.size) throw new Reason(msg`the archive is cut off`);
  return { start, crc: record.getUint32(16, true) };
}

/** A file that is only stored, as the part of the archive that it is. */
export function storedRow(file: Window, row: ZipRow, directory: Window): PlainRow {
  return { path: row.path, at: zipFacts(file, row, directory).start, size: row.size };
}

function entryAt(data: DataView, records: Uint8Array, at: number) {
  if (at + RECORD_SIZE > data.byteLength || data.getUint32(at, true) !== RECORD) throw new Reason(DAMAGED);
  const [flags, method] = [data.getUint16(at + 8, true), data.getUint16(at + 10, true)];
  const [name, extra] = [data.getUint16(at + 28, true), data.getUint16(at + 30, true)];
  const next = at + RECORD_SIZE + name + extra + data.getUint16(at + 32, true);
  if (next > data.byteLength) throw new Reason(DAMAGED);
  const [host, attributes] = [data.getUint8(at + 5), data.getUint32(at + 38, true)];
  const numbers = [data.getUint32(at + 24, true), data.getUint32(at + 20, true), data.getUint32(at + 42, true)];
  const place = at + RECORD_SIZE;
  let isUtf8 = (flags & 0x800) !== 0;
  let bytes = records.subarray(place, place + name);
  for (let field = place + name; field + 4 <= place + name + extra; ) {
    const [kind, length] = [data.getUint16(field, true), data.getUint16(field + 2, true)];
    const end = field + 4 + length;
    if (end > place + name + extra) break;
    // Numbers that need 64 bits; those that do not are left out.
    if (kind === 1) for (let index = 0, value = field + 4; index < 3 && value + 8 <= end; index++) if (numbers[index] === 0xffffffff) [numbers[index], value] = [wide(data, value), value + 8];
    // Info-ZIP's own field has the checksum of the name that it is for.
    if (kind === 0x7075 && length > 5 && data.getUint8(field + 4) === 1 && data.getUint32(field + 5, true) === crc32(records.subarray(place, place + name)))
      [isUtf8, bytes] = [true, records.subarray(field + 9, end)];
    field = end;
  }
  const [size, packed, offset] = numbers as [number, number, number];
  return { flags, method, host, mode: attributes >>> 16, isFolder: (attributes & 0x10) !== 0, size, packed, offset, bytes, isUtf8, next, name };
}

function textOf(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8 || bytes.every((byte) => byte < 128)) return utf8.decode(bytes);
  return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : LETTERS[byte - 128]!)).join('');
}

/** Which entries lie in the same place as another one: small archives become immense by that. */
function overlaps(data: DataView, count: number, begin: number): Uint8Array {
  if (count * RECORD_SIZE > data.byteLength) throw new Reason(DAMAGED);
  const [starts, ends] = [new Float64Array(count), new Float64Array(count)];
  const records = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0, index = 0; index < count; index++) {
    const { offset, packed, name, next } = entryAt(data, records, at);
    starts[index] = begin + offset;
    ends[index] = begin + offset + LOCAL_SIZE + name + packed;
    at = next;
  }
  const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a]! - starts[b]!);
  const found = new Uint8Array(count);
  for (let index = 1, widest = order[0]!; index < count; index++) {
    const one = order[index]!;
    if (starts[one]! < ends[widest]!) found[one] = found[widest] = 1;
    if (ends[one]! > ends[widest]!) widest = one;
  }
  return found;
}
