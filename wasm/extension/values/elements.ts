/** Conversion of tensor elements from and to bytes: row-major, little-endian. */
import { MoError } from '../core/error.js';
import type { ElementType } from '../types.js';

type Element = number | bigint | string | boolean;

interface Kind {
  bits: number;
  /** The type of array for these elements. */
  array?: new (buffer: ArrayBuffer) => ArrayLike<number | bigint>;
  decode?: (raw: number) => number;
  encode?: (value: number) => number;
}

const KINDS: Partial<Record<ElementType, Kind>> = {
  f64: { bits: 64, array: Float64Array }, f32: { bits: 32, array: Float32Array },
  f16: { bits: 16, array: Uint16Array, decode: decodeHalf, encode: encodeHalf },
  bf16: { bits: 16, array: Uint16Array, decode: (raw) => floatOfBits(raw << 16), encode: encodeBrain },
  i64: { bits: 64, array: BigInt64Array }, u64: { bits: 64, array: BigUint64Array },
  i32: { bits: 32, array: Int32Array }, u32: { bits: 32, array: Uint32Array },
  i16: { bits: 16, array: Int16Array }, u16: { bits: 16, array: Uint16Array },
  i8: { bits: 8, array: Int8Array }, u8: { bits: 8, array: Uint8Array },
  boolean: { bits: 8, array: Uint8Array },
  i4: { bits: 4, decode: (raw) => (raw << 28) >> 28 }, u4: { bits: 4 }, u1: { bits: 1 },
};

/** Types for which JavaScript has no array are given as bytes. */
function kindOf(type: ElementType): Kind {
  return KINDS[type] ?? { bits: 8, array: Uint8Array };
}

export function isElementType(type: string): boolean {
  return type in KINDS || ['string', 'f8e4m3', 'f8e5m2', 'f8e8m0', 'f4e2m1', 'nf4'].includes(type);
}

export function decodeElements(type: ElementType, bytes: Uint8Array, count: number): ArrayLike<Element> {
  if (type === 'string') return decodeTexts(bytes);
  const { bits, array, decode } = kindOf(type);
  if (!array) {
    const raw = (index: number) => (bytes[(index * bits) >> 3]! >> ((index * bits) & 7)) & ((1 << bits) - 1);
    return Array.from({ length: count }, (_, index) => (decode ? decode(raw(index)) : raw(index)));
  }
  const whole = new array(bytes.slice().buffer);
  if (type === 'boolean') return Array.from(whole as ArrayLike<number>, (value) => value !== 0);
  return decode ? Float32Array.from(whole as ArrayLike<number>, decode) : whole;
}

export function encodeElements(type: ElementType, elements: ArrayLike<Element>): Uint8Array {
  if (type === 'string') return encodeTexts(Array.from(elements, String));
  const { bits, array, encode } = kindOf(type);
  if (!array) {
    const bytes = new Uint8Array(Math.ceil((elements.length * bits) / 8));
    for (let index = 0; index < elements.length; index++)
      bytes[(index * bits) >> 3]! |= (Number(elements[index]) & ((1 << bits) - 1)) << ((index * bits) & 7);
    return bytes;
  }
  const raw = new array(new ArrayBuffer((elements.length * bits) / 8)) as unknown as { [index: number]: unknown } & ArrayBufferView;
  const wide = type === 'i64' || type === 'u64';
  const convert = (element: Element) => (wide ? whole(element) : encode ? encode(Number(element)) : Number(element));
  for (let index = 0; index < elements.length; index++) raw[index] = convert(elements[index]!);
  return new Uint8Array(raw.buffer as ArrayBuffer);
}

function whole(element: Element): bigint {
  if (typeof element === 'bigint') return element;
  if (!Number.isInteger(Number(element))) throw new MoError(`${String(element)} is not a whole number`);
  return BigInt(Number(element));
}

const converter = new DataView(new ArrayBuffer(4));

function floatOfBits(bits: number): number {
  converter.setInt32(0, bits);
  return converter.getFloat32(0);
}

function bitsOfFloat(value: number): number {
  converter.setFloat32(0, value);
  return converter.getUint32(0);
}

function decodeHalf(raw: number): number {
  const sign = raw & 0x8000 ? -1 : 1;
  const exponent = (raw >> 10) & 31;
  const fraction = raw & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

/** Rounds to nearest, ties to even. */
function encodeHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(size || 2 ** -24)), -14);
  const steps = size / 2 ** (exponent - 10);
  const rounded = Math.floor(steps) + (steps % 1 > 0.5 || (steps % 1 === 0.5 && Math.floor(steps) % 2 === 1) ? 1 : 0);
  return sign | (rounded + ((exponent + 14) << 10));
}

function encodeBrain(value: number): number {
  const bits = bitsOfFloat(value);
  return Number.isNaN(value) ? 0x7fc0 : (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

/** The IR's packed form of strings: their number, the offset where each begins and the last one ends, the characters. */
function encodeTexts(texts: readonly string[]): Uint8Array {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const starts = parts.reduce((all, part) => [...all, all.at(-1)! + part.length], [0]);
  const head = 4 * (starts.length + 1);
  const bytes = new Uint8Array(head + starts.at(-1)!);
  const view = new DataView(bytes.buffer);
  [parts.length, ...starts].forEach((value, index) => view.setUint32(4 * index, value, true));
  parts.forEach((part, index) => bytes.set(part, head + starts[index]!));
  return bytes;
}

function decodeTexts(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = bytes.length < 8 ? 0 : view.getUint32(0, true);
  const head = 4 * (count + 2);
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [4 * (index + 1), 4 * (index + 2)].map((at) => head + view.getUint32(at, true));
    return new TextDecoder().decode(bytes.subarray(start, end));
  });
}
