/**
 * What a skeleton keeps of a TensorProto: type and shape; the numbers of small tensors of integers and booleans, which may be shapes, axes
 * and conditions; a single floating-point number, rounded. All other tensors get one number for all their elements in place of their own,
 * and no two the same.
 */
import type { Rewriter } from '../rewriter.js';
import { bytesOfFloat, coarse, floatIn, ofHalf, weightNumber, type Floats } from '../setting.js';
import { elementsOf } from '../values.js';
import { concat, field, fixed, type Field, type Range } from '../wire.js';
import { DataType as Type, TensorProto, TensorShapeProto, TensorShapeProto_Dim } from './fields.js';
import type { Names } from './names.js';

/** Bytes of an element by the number of its type; texts, resources and variants have none. */
const SIZES = new Map<number, number>([
  [Type.DT_FLOAT, 4], [Type.DT_DOUBLE, 8], [Type.DT_INT32, 4], [Type.DT_UINT8, 1], [Type.DT_INT16, 2], [Type.DT_INT8, 1], [Type.DT_COMPLEX64, 8], [Type.DT_INT64, 8],
  [Type.DT_BOOL, 1], [Type.DT_QINT8, 1], [Type.DT_QUINT8, 1], [Type.DT_QINT32, 4], [Type.DT_BFLOAT16, 2], [Type.DT_QINT16, 2], [Type.DT_QUINT16, 2], [Type.DT_UINT16, 2],
  [Type.DT_COMPLEX128, 16], [Type.DT_HALF, 2], [Type.DT_UINT32, 4], [Type.DT_UINT64, 8], [Type.DT_FLOAT8_E5M2, 1], [Type.DT_FLOAT8_E4M3FN, 1],
]);
/** The types of shapes, axes and conditions, and the fields that have their numbers. */
const WHOLE = new Set<number>([Type.DT_INT32, Type.DT_INT64, Type.DT_BOOL, Type.DT_UINT32, Type.DT_UINT64]);
const WHOLE_LISTS: readonly number[] = [TensorProto.int_val, TensorProto.int64_val, TensorProto.bool_val, TensorProto.uint32_val, TensorProto.uint64_val];
const WHOLE_VALUES = new Set([TensorProto.tensor_content, ...WHOLE_LISTS]);
const FLOATS = new Map<number, Floats>([[Type.DT_FLOAT, 'f32'], [Type.DT_DOUBLE, 'f64'], [Type.DT_BFLOAT16, 'bf16'], [Type.DT_HALF, 'f16']]);
const COMPLEX = new Set<number>([Type.DT_COMPLEX64, Type.DT_COMPLEX128]);
const VALUES = new Set([TensorProto.float_val, TensorProto.double_val, TensorProto.scomplex_val, TensorProto.dcomplex_val, TensorProto.half_val, ...WHOLE_LISTS]);
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
    const head = await this.rewriter.rewrite(range, TensorProto, { dtype: 'keep', tensor_shape: (shape) => rewriteShape(this.rewriter, shape) });
    return concat([head, dims ? this.rewriter.spend(await this.#values(range, type % 100, elementsOf(dims)), range) : new Uint8Array()]);
  }

  /** A TensorProto of a variable, as it is once its graph is frozen. */
  frozen({ type, dims = [] }: TensorType): Uint8Array {
    const shape = concat(dims.map((size) => field(TensorShapeProto.dim, field(TensorShapeProto_Dim.size, size))));
    return concat([field(TensorProto.dtype, type % 100), field(TensorProto.tensor_shape, shape), FLOATS.has(type % 100) ? this.#weights(type % 100) : new Uint8Array()]);
  }

  /** The dimensions of a TensorShapeProto. */
  async dims(range: Range): Promise<readonly number[] | undefined> {
    const dims: number[] = [];
    for (const { number, ...one } of await this.rewriter.wire.fields(range)) {
      if (number === TensorShapeProto.unknown_rank && (await this.rewriter.wire.number(one)) !== 0) return undefined;
      if (number !== TensorShapeProto.dim) continue;
      const size = await this.rewriter.last(one, TensorShapeProto_Dim.size);
      dims.push(size ? await this.rewriter.wire.number(size) : 0);
    }
    return dims.every((size) => size < 2 ** 63) ? dims : undefined;
  }

  async #typeOf(range: Range): Promise<TensorType> {
    let [type, dims]: [number, readonly number[] | undefined] = [0, []];
    for (const one of await this.rewriter.wire.fields(range)) {
      if (one.number === TensorProto.dtype) type = await this.rewriter.wire.number(one);
      if (one.number === TensorProto.tensor_shape) dims = await this.dims(one);
    }
    return { type, dims };
  }

  async #values(range: Range, type: number, elements: number): Promise<Uint8Array> {
    const size = SIZES.get(type);
    if (type === Type.DT_STRING) return elements <= KEPT ? this.#texts(range) : new Uint8Array();
    if (size === undefined) return new Uint8Array();
    const content = await this.rewriter.last(range, TensorProto.tensor_content);
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
      if (one.number !== TensorProto.string_val || parts.length === KEPT) continue;
      const text = one.end - one.begin <= KEPT ? await this.rewriter.wire.text(one) : '';
      parts.push(field(TensorProto.string_val, SLICE.test(text) ? text : this.names.name(text)));
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
    const [list, part, size] = type === Type.DT_COMPLEX64 ? ([TensorProto.scomplex_val, 'f32', 4] as const) : ([TensorProto.dcomplex_val, 'f64', 8] as const);
    const own = await this.#bytesOf(range, [list, TensorProto.tensor_content], elements === 1 ? 2 * size : 0);
    if (own.list === list && own.length < 2 * size * elements) return fixed(list, new Uint8Array(size));
    if (own.length === 0 || elements > KEPT) return new Uint8Array();
    const parts = [0, 1].map((at) => elements === 1 ? this.#rounded(floatIn(part, own.bytes.subarray(at * size))) : weightNumber(part, this.#count++));
    const pair = concat(parts.map((one) => bytesOfFloat(part, one)));
    return field(TensorProto.tensor_content, Uint8Array.from({ length: pair.length * elements }, (_, at) => pair[at % pair.length]!));
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

/** Leaves out the names of dimensions. */
export function rewriteShape(rewriter: Rewriter, range: Range): Promise<Uint8Array> {
  return rewriter.rewrite(range, TensorShapeProto, { dim: (dim) => rewriter.rewrite(dim, TensorShapeProto_Dim, { size: 'keep' }), unknown_rank: 'keep' });
}

/** The field with one number for all elements. */
function all(type: number, value: number): Uint8Array {
  const bytes = bytesOfFloat(FLOATS.get(type)!, value);
  return bytes.length > 2 ? fixed(type === Type.DT_FLOAT ? TensorProto.float_val : TensorProto.double_val, bytes) : field(TensorProto.half_val, bytes[0]! + 256 * bytes[1]!);
}

/** A content of few zeros whose size does not fit the shape of the tensor either. */
function ofOtherSize(bytes: number, wanted: number): Uint8Array {
  const short = Math.min(bytes, 64);
  return field(TensorProto.tensor_content, new Uint8Array(short === wanted ? short + 1 : short));
}
