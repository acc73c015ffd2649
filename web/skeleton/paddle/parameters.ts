/** The parameters of a skeleton: one record after the other, in the order of their names, with numbers that say nothing. */
import { weightBytes, type Floats } from '../setting.js';
import { elementsOf } from '../values.js';
import { concat, field } from '../wire.js';
import { VarType_TensorDesc } from './fields.js';

export interface Parameter {
  readonly name: string;
  /** Paddle's number of the element type. */
  readonly type: number;
  readonly dims: readonly number[];
}

/** Bytes of an element by the number of its type. */
const SIZES = new Map([[0, 1], [1, 2], [2, 4], [3, 8], [4, 2], [5, 4], [6, 8], [19, 8], [20, 1], [21, 1], [22, 2], [32, 1], [33, 1], [36, 2], [37, 4], [38, 8]]);
const FLOATS = new Map<number, Floats>([[4, 'f16'], [5, 'f32'], [6, 'f64'], [22, 'bf16']]);

/** The bytes of its numbers; undefined for a type or a size that is not known. */
export function bytesOf({ type, dims }: Parameter): number | undefined {
  const size = SIZES.get(type);
  return size === undefined || dims.some((one) => one < 0) ? undefined : size * elementsOf(dims);
}

function record({ type, dims, ...parameter }: Parameter, index: number): Uint8Array {
  const description = concat([field(VarType_TensorDesc.data_type, type), ...dims.map((size) => field(VarType_TensorDesc.dims, size))]);
  const head = new DataView(new ArrayBuffer(20));
  head.setInt32(16, description.length, true);
  const numbers = weightBytes(FLOATS.get(type), index, bytesOf({ type, dims, ...parameter })!);
  return concat([new Uint8Array(head.buffer), description, numbers]);
}

/** The file of these parameters. */
export function writeParameters(parameters: readonly Parameter[]): Uint8Array {
  const sorted = [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1));
  return concat(sorted.map(record));
}
