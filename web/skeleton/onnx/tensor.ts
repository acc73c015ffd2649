/**
 * A skeleton keeps the type and shape of a TensorProto, and the numbers of small tensors of whole numbers, because those may be shapes or
 * axes.
 */
import { weightBytes, type Floats } from '../setting.js';
import { concat, field, type Range, type Wire } from '../wire.js';

/** Bytes of an element by the number of its type; 0 for texts. */
const SIZES = new Map([
  [1, 4], [2, 1], [3, 1], [4, 2], [5, 2], [6, 4], [7, 8], [8, 0], [9, 1], [10, 2], [11, 8], [12, 4], [13, 8], [14, 8], [15, 16], [16, 2], [17, 1], [18, 1], [19, 1],
  [20, 1], [21, 0.5], [22, 0.5], [23, 0.5],
]);
const WHOLE = new Set([2, 3, 4, 5, 6, 7, 9, 12, 13]);
const FLOATS = new Map<number, Floats>([[1, 'f32'], [10, 'f16'], [11, 'f64'], [16, 'bf16']]);
const KEPT = 1024;
/** The fields of a TensorProto that hold its numbers, packed or as bytes. */
const DATA = new Set([5, 7, 9, 11]);
const TEXTS = 6;
const RAW = 9;
const EXTERNAL = 14;

export interface Shell {
  readonly type: number;
  readonly dims: readonly number[];
  readonly name: string;
  /** Its numbers in a skeleton, as fields. */
  readonly data: Uint8Array;
}

/** What a tensor is, and `data`, the bytes that replace its weights, which have that index: undefined where they would be more than `most`. */
export async function shellOf(wire: Wire, range: Range, most: number, index: number): Promise<Omit<Shell, 'data'> & { readonly data: Uint8Array | undefined }> {
  const dims: number[] = [];
  const data: Range[] = [];
  let [type, name, external] = [0, '', false];
  for (const one of await wire.fields(range)) {
    if (one.number === 1) for (const size of await wire.numbers(one)) dims.push(size);
    else if (one.number === 2) type = await wire.number(one);
    else if (one.number === 8) name = await wire.text(one);
    else if (one.number === EXTERNAL) external = (await wire.number(one)) === 1;
    else if (DATA.has(one.number)) data.push({ begin: one.tag, end: one.end });
  }
  const elements = dims.reduce((product, size) => product * size, 1);
  const bytes = Math.ceil(elements * (SIZES.get(type) ?? 0));
  const isKept = WHOLE.has(type) && elements <= KEPT && !external;
  return { type, dims, name, data: isKept ? concat(await Promise.all(data.map((part) => wire.bytes(part)))) : standIn(type, elements, bytes, most, index) };
}

function standIn(type: number, elements: number, bytes: number, most: number, index: number): Uint8Array | undefined {
  if (type === 8) return elements <= KEPT ? concat(Array.from({ length: elements }, () => field(TEXTS, ''))) : undefined;
  if (!(bytes <= most)) return undefined;
  return field(RAW, weightBytes(FLOATS.get(type), index, bytes));
}

/** The TensorProto. */
export function writeTensor({ type, dims, name, data }: Shell): Uint8Array {
  return concat([...dims.map((size) => field(1, size)), field(2, type), field(8, name), data]);
}

/** A ValueInfoProto: an input of that type and shape. */
export function writeInput({ type, dims, name }: Omit<Shell, 'data'>): Uint8Array {
  const shape = concat(dims.map((size) => field(1, field(1, size))));
  return concat([field(1, name), field(2, field(1, concat([field(1, type), field(2, shape)])))]);
}
