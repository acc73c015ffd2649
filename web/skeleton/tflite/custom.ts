/** Options of custom operators, as the core reads them: a map in the form of FlexBuffers, or a structure of numbers. */
import { coarse } from '../setting.js';
import { isEnumeration } from '../words.js';
import { numberOf } from './flat.js';
import type { Names } from './names.js';

const [INT, UINT, FLOAT, STRING, INDIRECT_INT, INDIRECT_FLOAT, MAP, VECTOR, VECTOR_INT, SHORT_INT, SHORT_FLOAT, BOOL] = [1, 2, 3, 5, 6, 8, 9, 10, 11, 16, 24, 26];
const MOST_NUMBERS = 1 << 12;
const MOST_ENTRIES = 256;
const LONGEST = 1 << 16;
const LONGEST_STRUCTURE = 256;
const WIDTHS = new Set([1, 2, 4, 8]);
/** Names of settings, not of somebody's layers. */
const KEY = /^[A-Za-z]\w{0,63}$/;
const LARGEST_SETTING = 65536;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

interface Entry {
  readonly key: string;
  readonly type: number;
  /** A text, the eight bytes of a number, or those of each number of a list. */
  readonly value: string | Uint8Array | readonly Uint8Array[];
}

/** undefined if the core reads nothing from them. */
export function rewriteCustomOptions(bytes: Uint8Array, names: Names): Uint8Array | undefined {
  if (bytes.length === 0 || bytes.length > LONGEST) return undefined;
  const entries = readMap(bytes);
  if (entries) return writeMap(entries.map(({ key, type, value }) => ({
    key: KEY.test(key) ? key : names.name(key), type, value: typeof value === 'string' && !isEnumeration(value) ? names.name(value) : value,
  })));
  return bytes.length % 4 === 0 && bytes.length <= LONGEST_STRUCTURE ? structure(bytes) : undefined;
}

/**
 * Rewrites numbers of four bytes. Small integers stay; all others become floats as settings have them, so that no text and no address
 * stays.
 */
function structure(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  for (let at = 0; at < out.length; at += 4)
    if (Math.abs(view.getInt32(at, true)) > LARGEST_SETTING) view.setFloat32(at, coarse(isText(bytes.subarray(at, at + 4)) ? 0.5 : view.getFloat32(at, true)), true);
  return out;
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** undefined when it is no map. Values of other types than numbers, texts and lists of numbers are left out. */
function readMap(bytes: Uint8Array): Entry[] | undefined {
  const view = bytes.subarray(0, bytes.length);
  const number = (at: number, width: number) => (at < 0 || at + width > bytes.length ? NaN : numberOf(view.subarray(at, at + width)));
  const behind = (at: number, width: number) => at - number(at, width);
  const text = (at: number) => {
    const end = at >= 0 ? bytes.indexOf(0, at) : -1;
    return end < 0 ? undefined : DECODER.decode(bytes.subarray(at, end));
  };
  const [rootWidth, root] = [number(bytes.length - 1, 1), number(bytes.length - 2, 1)];
  if (root >> 2 !== MAP || !WIDTHS.has(rootWidth)) return undefined;
  const width = 1 << (root & 3);
  const begin = behind(bytes.length - 2 - rootWidth, rootWidth);
  const [count, keyWidth, keys] = [number(begin - width, width), number(begin - 2 * width, width), behind(begin - 3 * width, width)];
  if (!(count <= MOST_ENTRIES) || !WIDTHS.has(keyWidth) || !(keys >= 0)) return undefined;
  const entries: Entry[] = [];
  for (let i = 0; i < count; i++) {
    const key = text(behind(keys + i * keyWidth, keyWidth));
    const packed = number(begin + count * width + i, 1);
    const isIndirect = packed >> 2 >= INDIRECT_INT && packed >> 2 <= INDIRECT_FLOAT;
    const [type, own] = isIndirect ? [(packed >> 2) - INDIRECT_INT + INT, 1 << (packed & 3)] : [packed >> 2, width];
    const place = isIndirect ? behind(begin + i * width, width) : begin + i * width;
    if (key === undefined || Number.isNaN(packed)) return undefined;
    if (type >= VECTOR && type <= SHORT_FLOAT) {
      const numbers = list(type, bytes, behind(place, width), 1 << (packed & 3));
      if (numbers === undefined) return undefined;
      if (numbers !== '') entries.push({ key, ...numbers });
      continue;
    }
    const value = type === STRING ? text(behind(place, width)) : wide(type, bytes, place, own);
    if (value === undefined) return undefined;
    if (value !== '' || type === STRING) entries.push({ key, type, value });
  }
  return entries;
}

/** A number as one of eight bytes; '' for another value, undefined where it is outside. */
function wide(type: number, bytes: Uint8Array, at: number, width: number): Uint8Array | '' | undefined {
  if (!(at >= 0) || at + width > bytes.length) return undefined;
  const [from, out] = [new DataView(bytes.buffer, bytes.byteOffset + at, width), new DataView(new ArrayBuffer(8))];
  if (type === FLOAT && width >= 4) out.setFloat64(0, width === 4 ? from.getFloat32(0, true) : from.getFloat64(0, true), true);
  else if (type === INT || type === UINT || type === BOOL) {
    const isNegative = type === INT && bytes[at + width - 1]! >= 0x80;
    for (let i = 0; i < 8; i++) out.setUint8(i, i < width ? bytes[at + i]! : isNegative ? 255 : 0);
  } else return '';
  return new Uint8Array(out.buffer);
}

/** A list of numbers of one type, as those of eight bytes; '' for another list. */
function list(type: number, bytes: Uint8Array, at: number, width: number): Omit<Entry, 'key'> | '' | undefined {
  const isShort = type >= SHORT_INT;
  if (!(at >= (isShort ? 0 : width)) || at > bytes.length) return undefined;
  const count = isShort ? Math.floor((type - SHORT_INT) / 3) + 2 : numberOf(bytes.subarray(at - width, at));
  if (!(count <= MOST_NUMBERS) || at + count * width > bytes.length) return undefined;
  const kindOf = (i: number) => (type === VECTOR ? (bytes[at + count * width + i] ?? 0) >> 2 : isShort ? ((type - SHORT_INT) % 3) + INT : type - VECTOR_INT + INT);
  const numbers: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const number = kindOf(i) === kindOf(0) && kindOf(0) >= INT && kindOf(0) <= FLOAT ? wide(kindOf(0), bytes, at + i * width, width) : '';
    if (number === undefined || number === '') return number;
    numbers.push(number);
  }
  return { type: count === 0 ? VECTOR_INT : VECTOR_INT + kindOf(0) - INT, value: numbers };
}

/** Writes a map whose numbers and offsets have eight bytes. */
function writeMap(entries: readonly Entry[]): Uint8Array {
  const out: number[] = [];
  const text = (value: string) => out.push(...ENCODER.encode(value), 0);
  const number = (value: number) => out.push(...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  const align = () => out.push(...new Uint8Array((8 - (out.length % 8)) % 8));
  const keys = entries.map(({ key }) => (text(key), out.length - ENCODER.encode(key).length - 1));
  const texts = entries.map(({ value }) => {
    if (value instanceof Uint8Array) return 0;
    align();
    if (typeof value !== 'string') {
      number(value.length);
      return out.push(...value.flatMap((one) => [...one])) - 8 * value.length;
    }
    number(ENCODER.encode(value).length);
    return text(value) - ENCODER.encode(value).length - 1;
  });
  align();
  number(entries.length);
  const keyVector = out.length;
  for (const key of keys) number(out.length - key);
  number(out.length - keyVector);
  number(8);
  number(entries.length);
  const values = out.length;
  entries.forEach(({ value }, i) => (value instanceof Uint8Array ? out.push(...value) : number(out.length - texts[i]!)));
  for (const { type } of entries) out.push((type << 2) | (type === STRING ? 0 : 3));
  align();
  number(out.length - values);
  out.push((MAP << 2) | 3, 8);
  return Uint8Array.from(out);
}
