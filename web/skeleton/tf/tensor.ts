/**
 * What a skeleton keeps of a TensorProto: type and shape; the numbers of small tensors of integers and booleans, which shapes, axes and
 * conditions are, and of a single floating-point number no more than a setting needs. All other numbers become one that stands for all.
 */
import type { Rewriter } from '../rewriter.js';
import { concat, field, fixed, type Field, type Range } from '../wire.js';
import type { Names } from './names.js';

/** Bytes of an element by the number of its type; texts, resources and variants have none. */
const SIZES = new Map([
  [1, 4], [2, 8], [3, 4], [4, 1], [5, 2], [6, 1], [8, 8], [9, 8], [10, 1], [11, 1], [12, 1], [13, 4], [14, 2], [15, 2], [16, 2], [17, 2], [18, 16], [19, 2], [22, 4],
  [23, 8], [24, 1], [25, 1],
]);
const [DTYPE, SHAPE, CONTENT] = [1, 2, 4];
const TEXT = 7;
/** The types of shapes, axes and conditions, and the fields that have their numbers. */
const WHOLE = new Set([3, 9, 10, 22, 23]);
const WHOLE_VALUES = new Set([CONTENT, 7, 10, 11, 16, 17]);
const COMPLEX = new Set([8, 18]);
const VALUES = new Set([5, 6, 7, 9, 10, 11, 12, 13, 16, 17]);
/** So many integers may be a shape, and so many texts a list of names. */
const KEPT = 1024;
/** So many integers of the types of quantised weights, too. */
const FEW = 8;
/** A slice of a variable: it says which part of it is read. */
const SLICE = /^(?:\d+ )+(?:-|\d+,\d+)(?::(?:-|\d+,\d+))*$/;

const FORMULAS = [Math.PI, Math.SQRT1_2, Math.SQRT2, Math.sqrt(2 / Math.PI), 0.044715, Math.LN2];

export interface TensorType {
  readonly type: number;
  /** undefined where a size, or the rank, is not known. */
  readonly dims: readonly number[] | undefined;
}

export class Tensors {
  constructor(private readonly rewriter: Rewriter, private readonly names: Names) {}

  async rewrite(range: Range): Promise<Uint8Array> {
    const { type, dims } = await this.#typeOf(range);
    const head = await this.rewriter.rewrite(range, { [DTYPE]: 'keep', [SHAPE]: (shape) => this.shape(shape) });
    return concat([head, dims ? this.rewriter.spend(await this.#values(range, type % 100, product(dims)), range) : new Uint8Array()]);
  }

  /** Dimensions have names, too. */
  shape(range: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, { 2: (dim) => this.rewriter.rewrite(dim, { 1: 'keep' }), 3: 'keep' });
  }

  /** The dimensions of a TensorShapeProto. */
  async dims(range: Range): Promise<readonly number[] | undefined> {
    const dims: number[] = [];
    for (const { number, ...one } of await this.rewriter.wire.fields(range)) {
      if (number === 3 && (await this.rewriter.wire.number(one)) !== 0) return undefined;
      if (number !== 2) continue;
      const size = await this.rewriter.last(one, 1);
      dims.push(size ? await this.rewriter.wire.number(size) : 0);
    }
    return dims.every((size) => size < 2 ** 63) ? dims : undefined;
  }

  async #typeOf(range: Range): Promise<TensorType> {
    let [type, dims]: [number, readonly number[] | undefined] = [0, []];
    for (const one of await this.rewriter.wire.fields(range)) {
      if (one.number === DTYPE) type = await this.rewriter.wire.number(one);
      if (one.number === SHAPE) dims = await this.dims(one);
    }
    return { type, dims };
  }

  async #values(range: Range, type: number, elements: number): Promise<Uint8Array> {
    const size = SIZES.get(type);
    if (type === TEXT) return elements <= KEPT ? this.#texts(range) : new Uint8Array();
    if (size === undefined) return new Uint8Array();
    const content = await this.rewriter.last(range, CONTENT);
    const bytes = content ? content.end - content.begin : 0;
    if (bytes > 0 && bytes !== size * elements) return ofOtherSize(bytes, size * elements);
    if (COMPLEX.has(type)) return bytes > 0 ? new Uint8Array() : this.#complex(range, type, elements);
    if (WHOLE.has(type) ? elements <= KEPT : !isFloat(type) && elements <= FEW) return this.#numbers(range, elements);
    return isFloat(type) && elements > 0 ? standIn(type, elements === 1 ? await this.#setting(range, type, content) : 0.5) : new Uint8Array();
  }

  async #texts(range: Range): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (const one of await this.rewriter.wire.fields(range)) {
      if (one.number !== 8 || parts.length === KEPT) continue;
      const text = one.end - one.begin <= KEPT ? await this.rewriter.wire.text(one) : '';
      parts.push(field(8, SLICE.test(text) ? text : this.names.name(text)));
    }
    return concat(parts);
  }

  async #numbers(range: Range, elements: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (const one of await this.rewriter.wire.fields(range)) {
      if (!WHOLE_VALUES.has(one.number) || (bytes += one.end - one.tag) > 16 + 12 * elements) continue;
      parts.push(await this.rewriter.wire.bytes({ begin: one.tag, end: one.end }));
    }
    return concat(parts);
  }

  /** Zeros; a list that is too short stays one. */
  async #complex(range: Range, type: number, elements: number): Promise<Uint8Array> {
    let given = 0;
    for (const one of await this.rewriter.wire.fields(range)) if (one.number === 9 || one.number === 12) given += (one.end - one.begin) / (SIZES.get(type)! / 2);
    return given > 0 && given < 2 * elements ? fixed(type === 8 ? 9 : 12, new Uint8Array(SIZES.get(type)! / 2)) : new Uint8Array();
  }

  async #setting(range: Range, type: number, content: Field | undefined): Promise<number> {
    let given: Field | undefined;
    for (const one of await this.rewriter.wire.fields(range)) if (VALUES.has(one.number)) given ??= one;
    if (content && content.end > content.begin) return coarse(decoded(type, await this.rewriter.wire.bytes(content)));
    if (!given || given.begin === given.end) return 0;
    if (type === 14 || type === 19) return coarse(ofHalf(type, await this.rewriter.wire.number(given)));
    return coarse(decoded(type, await this.rewriter.wire.bytes({ begin: given.begin, end: Math.min(given.end, given.begin + SIZES.get(type)!) })));
  }
}

/** A TensorProto of a variable, as it is once its graph is frozen. */
export function frozenTensor({ type, dims = [] }: TensorType): Uint8Array {
  const shape = concat(dims.map((size) => field(2, field(1, size))));
  return concat([field(DTYPE, type % 100), field(SHAPE, shape), isFloat(type % 100) ? standIn(type % 100, 0.5) : new Uint8Array()]);
}

function isFloat(type: number): boolean {
  return type === 1 || type === 2 || type === 14 || type === 19;
}

function product(dims: readonly number[]): number {
  return dims.reduce((elements, size) => elements * size, 1);
}

/** One number for all elements. One half: sums with zeros and products with ones would be left out of an IR. */
function standIn(type: number, value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 2) view.setFloat64(0, value, true);
  else view.setFloat32(0, value, true);
  if (type === 1 || type === 2) return fixed(type === 1 ? 5 : 6, new Uint8Array(view.buffer, 0, type === 1 ? 4 : 8));
  const bits = view.getUint32(0, true);
  return field(13, type === 14 ? bits >>> 16 : halfOf(value));
}

/** Content that does not fit its shape; it is no longer than it has to be. */
function ofOtherSize(bytes: number, wanted: number): Uint8Array {
  const short = Math.min(bytes, 64);
  return field(CONTENT, new Uint8Array(short === wanted ? short + 1 : short));
}

function decoded(type: number, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < SIZES.get(type)!) return 0.5;
  if (type === 1) return view.getFloat32(0, true);
  return type === 2 ? view.getFloat64(0, true) : ofHalf(type, view.getUint16(0, true));
}

function ofHalf(type: number, bits: number): number {
  if (type === 14) {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint16(2, bits & 0xffff, true);
    return view.getFloat32(0, true);
  }
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

/** The bits of a number that has few: a power of two, or a small integer. */
function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | Math.min(1023, Math.round((size / 2 ** exponent - 1) * 1024));
}

/**
 * A setting such as 0, 6, 127.5, 1/255 or 1e-3 as it is: integers, numbers of at most three digits, and those that formulas of activations
 * have. Any other could be a weight, and becomes a power of two, which keeps the order of two settings.
 */
function coarse(value: number): number {
  if (!Number.isFinite(value) || value === 0 || (Number.isInteger(value) && Math.abs(value) <= 65536)) return value;
  const known = [Number(value.toPrecision(3)), 1 / Math.round(1 / value), ...FORMULAS];
  if (known.some((one) => value === one || value === Math.fround(one))) return value;
  return Math.sign(value) * 2 ** Math.floor(Math.log2(Math.abs(value)));
}
