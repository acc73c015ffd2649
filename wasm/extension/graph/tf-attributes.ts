/** The attributes of a TensorFlow node as its protobuf messages, and the helpers for them. */
import { MoError } from '../core/error.js';
import type { ElementType, FrameworkNode, Tensor, TfAttributes } from '../types.js';
import { ModelTensor } from '../values/tensor.js';

/** A field: the type of its message, or the value of an absent field. */
type Field = { message: string; isList?: boolean } | { otherwise: unknown };
const text = { otherwise: '' }, number = { otherwise: 0 }, boolean = { otherwise: false }, type = { otherwise: 'DT_INVALID' }, list = { otherwise: [] };
const one = (message: string): Field => ({ message });
const many = (message: string): Field => ({ message, isList: true });

const MESSAGES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  AttrValue: {
    list: one('ListValue'), s: text, i: number, f: number, b: boolean, type, shape: one('TensorShapeProto'), tensor: one('TensorProto'),
    placeholder: text, func: one('NameAttrList'),
  },
  ListValue: { s: list, i: list, f: list, b: list, type: list, shape: many('TensorShapeProto'), tensor: many('TensorProto'), func: many('NameAttrList') },
  TensorShapeProto: { dim: many('Dim'), unknown_rank: boolean },
  Dim: { size: number, name: text },
  TensorProto: {
    dtype: type, tensor_shape: one('TensorShapeProto'), version_number: number, tensor_content: text, float_val: list, double_val: list, int_val: list,
    string_val: list, scomplex_val: list, int64_val: list, bool_val: list, dcomplex_val: list, half_val: list, uint32_val: list, uint64_val: list,
  },
  NameAttrList: { name: text },
};

/** The node of each TensorProto, and its path in the node. */
const TENSORS = new WeakMap<object, { pb: FrameworkNode; path: string }>();

function lazily(object: object, name: string, get: () => unknown): void {
  Object.defineProperty(object, name, { enumerable: true, get });
}

/** The message at a path, whose fields are read when they are touched. */
function messageAt(pb: FrameworkNode, path: string, kind: string): object {
  const message = {};
  if (kind === 'TensorProto') TENSORS.set(message, { pb, path });
  for (const [name, field] of Object.entries(MESSAGES[kind]!)) {
    const at = `${path}.${name}`;
    lazily(message, name, () => {
      if (!('message' in field)) return pb.field(at) ?? field.otherwise;
      if (field.isList) return Array.from((pb.field(at) as unknown[] | undefined) ?? [], (_, index) => messageAt(pb, `${at}.${index}`, field.message));
      return messageAt(pb, at, field.message);
    });
  }
  if (kind === 'NameAttrList') lazily(message, 'attr', () => tfAttributes(pb, `${path}.attr`));
  return message;
}

/** The map of attributes at a path. It has those that are in the file. */
export function tfAttributes(pb: FrameworkNode, path = 'attr'): TfAttributes {
  const attributes = {};
  const count = ((pb.field(path) as unknown[] | undefined) ?? []).length;
  for (let index = 0; index < count; index++) {
    const name = String(pb.field(`${path}.${index}.key`) ?? '');
    lazily(attributes, name, () => messageAt(pb, `${path}.${index}.value`, 'AttrValue'));
  }
  return attributes;
}

/** The names of DataType from number 1 on. A quantised type becomes the integer type that stores its numbers. */
const DATA_TYPES: readonly (readonly [name: string, type?: ElementType])[] = [
  ['FLOAT', 'f32'], ['DOUBLE', 'f64'], ['INT32', 'i32'], ['UINT8', 'u8'], ['INT16', 'i16'], ['INT8', 'i8'], ['STRING', 'string'], ['COMPLEX64'],
  ['INT64', 'i64'], ['BOOL', 'boolean'], ['QINT8', 'i8'], ['QUINT8', 'u8'], ['QINT32', 'i32'], ['BFLOAT16', 'bf16'], ['QINT16', 'i16'], ['QUINT16', 'u16'],
  ['UINT16', 'u16'], ['COMPLEX128'], ['HALF', 'f16'], ['RESOURCE'], ['VARIANT'], ['UINT32', 'u32'], ['UINT64', 'u64'], ['FLOAT8_E5M2', 'f8e5m2'],
  ['FLOAT8_E4M3FN', 'f8e4m3'],
];
/** The number of a reference to a variable is that of its type plus this one. */
const FIRST_REFERENCE = 100;

/**
 * The element type for a DataType, given by its name, as `node.pb` has it, or by its number.
 *
 * @throws {MoError} when no element type corresponds to it, and there is no `otherwise`.
 *
 * @example
 * ```js
 * import { tfDtypeExtractor } from '@mo/wasm/extension';
 *
 * const typeOf = (node) => tfDtypeExtractor(node.pb.attr.T.type); // DT_FLOAT is 'f32'
 * ```
 */
export function tfDtypeExtractor(pbDtype: unknown, otherwise?: ElementType): ElementType {
  const found = typeof pbDtype === 'number'
    ? DATA_TYPES[(pbDtype > FIRST_REFERENCE ? pbDtype - FIRST_REFERENCE : pbDtype) - 1]
    : DATA_TYPES.find(([name]) => pbDtype === `DT_${name}` || pbDtype === `DT_${name}_REF`);
  const known = found?.[1] ?? otherwise;
  if (!known) throw new MoError(`${String(pbDtype)} is no element type of the IR`);
  return known;
}

/**
 * The sizes in a TensorShapeProto; -1 for one that is not known.
 *
 * @throws {MoError} when the rank is not known: see `unknown_rank`.
 *
 * @example
 * ```js
 * import { tfTensorShape } from '@mo/wasm/extension';
 *
 * const shapeOf = (node) => tfTensorShape(node.pb.attr.shape.shape); // [-1, 3]
 * ```
 */
export function tfTensorShape(pbShape: unknown): readonly number[] {
  const { dim, unknown_rank: hasNoRank } = (pbShape ?? {}) as { dim?: readonly { size: number | bigint }[]; unknown_rank?: boolean };
  if (!dim) throw new MoError('tfTensorShape takes the shape of an attribute or of a tensor, as node.pb.attr has it');
  if (hasNoRank) throw new MoError('the rank of the shape is not known');
  return dim.map(({ size }) => Number(size));
}

/**
 * The value of a TensorProto in that shape. Its bytes are read only on demand. If it has fewer values than elements, the last value is
 * repeated.
 *
 * @throws {MoError} when the type or the number of elements is another one.
 *
 * @example
 * ```js
 * import { tfTensorContent, tfTensorShape } from '@mo/wasm/extension';
 *
 * function valueOf(node) {
 *   const { tensor } = node.pb.attr.value;
 *   return tfTensorContent(tensor.dtype, tfTensorShape(tensor.tensor_shape), tensor);
 * }
 * ```
 */
export function tfTensorContent(dtype: unknown, shape: readonly number[], pbTensor: unknown): Tensor {
  const place = TENSORS.get(Object(pbTensor) as object);
  const [, attribute] = /^(attr\.\d+)\.value\.tensor$/.exec(place?.path ?? '') ?? [];
  if (!place || !attribute) throw new MoError('tfTensorContent takes the tensor of an attribute: node.pb.attr[\'value\'].tensor');
  const name = String(place.pb.field(`${attribute}.key`));
  const value = place.pb.attribute(name);
  if (!(value instanceof ModelTensor)) throw new MoError(`attribute "${name}" has no tensor`);
  if (value.type !== tfDtypeExtractor(dtype)) throw new MoError(`the tensor is of type ${value.type}, not ${String(dtype)}`);
  return value.reshape(shape);
}
