/**
 * What a skeleton keeps of a TensorProto: type and shape; the numbers of small tensors of integers and booleans, which may be shapes, axes
 * and conditions; a single floating-point number, rounded. All other tensors get one number for all their elements in place of their own,
 * and no two the same.
 */
import type { Rewriter } from '../rewriter.js';
import { bytesOfFloat, coarse, floatIn, ofHalf, weightNumber, type Floats } from '../setting.js';
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
const FLOATS = new Map<number, Floats>([[1, 'f32'], [2, 'f64'], [14, 'bf16'], [19, 'f16']]);
const COMPLEX = new Set([8, 18]);
const VALUES = new Set([5, 6, 7, 9, 10, 11, 12, 13, 16, 17]);
/** Tensors of at most so many elements keep them: integers may be a shape, texts a list of names. */
const KEPT = 1024;
/** The same for integers of the types that quantised weights have, too. */
const FEW = 8;
/** A slice of a variable: it says which part of it is read. */
const SLICE = /^(?:\d+ )+(?:-|\d+,\d+)(?::(?:-|\d+,\d+))*$/;

export interface TensorType {
  readonly type: number;
  /** undefined where a size, or the rank, is not known. */
  readonly dims: readonly number[] | undefined;
}

export class Tensors {
  #count = 0;
  /** What stands for the settings that are rounded. */
  readonly #settings = new Map<number, number>();

  constructor(private readonly rewriter: Rewriter, private readonly names: Names) {}

  async rewrite(range: Range): Promise<Uint8Array> {
    const { type, dims } = await this.#typeOf(range);
    const head = await this.rewriter.rewrite(range, { [DTYPE]: 'keep', [SHAPE]: (shape) => this.shape(shape) });
    return concat([head, dims ? this.rewriter.spend(await this.#values(range, type % 100, product(dims)), range) : new Uint8Array()]);
  }

  /** A TensorProto of a variable, as it is once its graph is frozen. */
  frozen({ type, dims = [] }: TensorType): Uint8Array {
    const shape = concat(dims.map((size) => field(2, field(1, size))));
    return concat([field(DTYPE, type % 100), field(SHAPE, shape), FLOATS.has(type % 100) ? this.#weights(type % 100) : new Uint8Array()]);
  }

  /** Leaves out the names of dimensions. */
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
    if (COMPLEX.has(type)) return this.#complex(range, type, elements);
    if (WHOLE.has(type) ? elements <= KEPT : !FLOATS.has(type) && elements <= FEW) return this.#numbers(range, elements);
    if (!FLOATS.has(type) || elements === 0) return new Uint8Array();
    return elements === 1 ? all(type, await this.#setting(range, type, content)) : this.#weights(type);
  }

  /** The bytes of the first of these fields that is there, of which `kept` are read; in which it is, and how many there are. */
  async #bytesOf(range: Range, lists: readonly number[], kept: number): Promise<{ list: number; length: number; bytes: Uint8Array }> {
    for (const list of lists) {
      const parts = (await this.rewriter.wire.fields(range)).filter(({ number }) => number === list);
      const length = parts.reduce((sum, { begin, end }) => sum + end - begin, 0);
      if (length === 0) continue;
      const bytes = concat(await Promise.all(parts.slice(0, kept).map(({ begin, end }) => this.rewriter.wire.bytes({ begin, end: Math.min(end, begin + kept) }))));
      return { list, length, bytes };
    }
    return { list: 0, length: 0, bytes: new Uint8Array() };
  }

  #weights(type: number): Uint8Array {
    return all(type, weightNumber(FLOATS.get(type)!, this.#count++));
  }

  /** Numbers that are rounded differ where those of the model do, because equal operations become one. */
  #rounded(value: number): number {
    const about = coarse(value);
    if (Object.is(about, value)) return value;
    const known = this.#settings.get(value) ?? about * (1 + this.#settings.size / 16384);
    this.#settings.set(value, known);
    return known;
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

  /**
   * A setting is rounded as others are; several numbers become two for real and imaginary parts, or zeros if there are many. A list of too few
   * values, which the core refuses, becomes another list that is too short.
   */
  async #complex(range: Range, type: number, elements: number): Promise<Uint8Array> {
    const [list, part, size] = type === 8 ? ([9, 'f32', 4] as const) : ([12, 'f64', 8] as const);
    const own = await this.#bytesOf(range, [list, CONTENT], elements === 1 ? 2 * size : 0);
    if (own.list === list && own.length < 2 * size * elements) return fixed(list, new Uint8Array(size));
    if (own.length === 0 || elements > KEPT) return new Uint8Array();
    const parts = [0, 1].map((at) => elements === 1 ? this.#rounded(floatIn(part, own.bytes.subarray(at * size))) : weightNumber(part, this.#count++));
    const pair = concat(parts.map((one) => bytesOfFloat(part, one)));
    return field(CONTENT, Uint8Array.from({ length: pair.length * elements }, (_, at) => pair[at % pair.length]!));
  }

  async #setting(range: Range, type: number, content: Field | undefined): Promise<number> {
    let given: Field | undefined;
    for (const one of await this.rewriter.wire.fields(range)) if (VALUES.has(one.number)) given ??= one;
    const kind = FLOATS.get(type)!;
    const first = content && content.end > content.begin ? content : given;
    if (!first || first.begin === first.end) return 0;
    if (first !== content && (kind === 'f16' || kind === 'bf16')) return coarse(ofHalf(kind, await this.rewriter.wire.number(first)));
    const bytes = await this.rewriter.wire.bytes({ begin: first.begin, end: Math.min(first.end, first.begin + SIZES.get(type)!) });
    return bytes.length < SIZES.get(type)! ? 0.5 : this.#rounded(floatIn(kind, bytes));
  }
}

function product(dims: readonly number[]): number {
  return dims.reduce((elements, size) => elements * size, 1);
}

/** The field with one number for all elements. */
function all(type: number, value: number): Uint8Array {
  const bytes = bytesOfFloat(FLOATS.get(type)!, value);
  return bytes.length > 2 ? fixed(type === 1 ? 5 : 6, bytes) : field(13, bytes[0]! + 256 * bytes[1]!);
}

/** A content of few zeros whose size does not fit the shape of the tensor either. */
function ofOtherSize(bytes: number, wanted: number): Uint8Array {
  const short = Math.min(bytes, 64);
  return field(CONTENT, new Uint8Array(short === wanted ? short + 1 : short));
}
