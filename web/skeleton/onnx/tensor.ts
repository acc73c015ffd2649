/**
 * A skeleton keeps the type and shape of a TensorProto, and the numbers of small tensors of whole numbers, because those may be shapes or
 * axes.
 */
import { weightBytes, type Floats } from '../setting.js';
import { elementsOf } from '../values.js';
import { concat, field, type Range, type Wire } from '../wire.js';
import { TensorProto, TensorProto_DataLocation, TensorProto_DataType as Type, TensorShapeProto, TensorShapeProto_Dimension, TypeProto, TypeProto_Tensor, ValueInfoProto } from './fields.js';

/** Bytes of an element by the number of its type; 0 for texts. */
const SIZES = new Map<number, number>([
  [Type.FLOAT, 4], [Type.UINT8, 1], [Type.INT8, 1], [Type.UINT16, 2], [Type.INT16, 2], [Type.INT32, 4], [Type.INT64, 8], [Type.STRING, 0], [Type.BOOL, 1], [Type.FLOAT16, 2],
  [Type.DOUBLE, 8], [Type.UINT32, 4], [Type.UINT64, 8], [Type.COMPLEX64, 8], [Type.COMPLEX128, 16], [Type.BFLOAT16, 2], [Type.FLOAT8E4M3FN, 1], [Type.FLOAT8E4M3FNUZ, 1],
  [Type.FLOAT8E5M2, 1], [Type.FLOAT8E5M2FNUZ, 1], [Type.UINT4, 0.5], [Type.INT4, 0.5], [Type.FLOAT4E2M1, 0.5], [Type.FLOAT8E8M0, 1],
  [Type.UINT2, 0.25], [Type.INT2, 0.25],
]);
const WHOLE = new Set<number>([Type.UINT8, Type.INT8, Type.UINT16, Type.INT16, Type.INT32, Type.INT64, Type.BOOL, Type.UINT32, Type.UINT64]);
const FLOATS = new Map<number, Floats>([[Type.FLOAT, 'f32'], [Type.FLOAT16, 'f16'], [Type.DOUBLE, 'f64'], [Type.BFLOAT16, 'bf16']]);
const KEPT = 1024;
/** The fields of a TensorProto that hold its numbers, packed or as bytes. */
const DATA = new Set<number>([TensorProto.int32_data, TensorProto.int64_data, TensorProto.raw_data, TensorProto.uint64_data]);

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
    if (one.number === TensorProto.dims) for (const size of await wire.numbers(one)) dims.push(size);
    else if (one.number === TensorProto.data_type) type = await wire.number(one);
    else if (one.number === TensorProto.name) name = await wire.text(one);
    else if (one.number === TensorProto.data_location) external = (await wire.number(one)) === TensorProto_DataLocation.EXTERNAL;
    else if (DATA.has(one.number)) data.push({ begin: one.tag, end: one.end });
  }
  const elements = elementsOf(dims);
  const bytes = Math.ceil(elements * (SIZES.get(type) ?? 0));
  const isKept = WHOLE.has(type) && elements <= KEPT && !external;
  return { type, dims, name, data: isKept ? concat(await Promise.all(data.map((part) => wire.bytes(part)))) : standIn(type, elements, bytes, most, index) };
}

function standIn(type: number, elements: number, bytes: number, most: number, index: number): Uint8Array | undefined {
  if (type === Type.STRING) return elements <= KEPT ? concat(Array.from({ length: elements }, () => field(TensorProto.string_data, ''))) : undefined;
  if (!(bytes <= most)) return undefined;
  return field(TensorProto.raw_data, weightBytes(FLOATS.get(type), index, bytes));
}

/** The TensorProto. */
export function writeTensor({ type, dims, name, data }: Shell): Uint8Array {
  return concat([...dims.map((size) => field(TensorProto.dims, size)), field(TensorProto.data_type, type), field(TensorProto.name, name), data]);
}

/** A ValueInfoProto: an input of that type and shape. */
export function writeInput({ type, dims, name }: Omit<Shell, 'data'>): Uint8Array {
  const shape = concat(dims.map((size) => field(TensorShapeProto.dim, field(TensorShapeProto_Dimension.dim_value, size))));
  const tensor = concat([field(TypeProto_Tensor.elem_type, type), field(TypeProto_Tensor.shape, shape)]);
  return concat([field(ValueInfoProto.name, name), field(ValueInfoProto.type, field(TypeProto.tensor_type, tensor))]);
}
