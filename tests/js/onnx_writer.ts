/** Writes small ONNX models with seeded weights: the protobuf wire format by hand, for tests. */
import { message, type Field } from './wire.js';

const FLOAT = 1;
export const INT64 = 7;
export const BOOL = 9;

/** A tensor of floats or of INT64: its content, or, of floats, where that is. */
export type Tensor = { name: string; shape: number[] } & ({ data: Float32Array | BigInt64Array } | FileSlice);

/** A part of a side file. */
export interface FileSlice {
  file: string;
  offset: number;
  size: number;
}

export interface Node {
  op: string;
  name?: string;
  domain?: string;
  inputs: string[];
  outputs: string[];
  /** A model is a body, bytes are a TensorProto. */
  attributes?: Record<string, number | number[] | Model | Uint8Array>;
}

export interface Value {
  name: string;
  /** A text is a dimension's name. */
  shape: (number | string)[];
  /** Floats unless it says INT64 or BOOL. */
  type?: number;
}

export interface Model {
  nodes: Node[];
  weights: Tensor[];
  inputs: Value[];
  outputs: Value[];
  /** Of ai.onnx. */
  opset?: number;
}

export function writeOnnx(model: Model): Uint8Array {
  const graph = writeGraph(model);
  return message([[1, 8], [2, 'tests'], [7, graph], [8, message([[1, ''], [2, model.opset ?? 13]])], [8, message([[1, 'com.acme'], [2, 1]])]]);
}

function writeGraph({ nodes, weights, inputs, outputs }: Model): Uint8Array {
  return message([
    ...nodes.map((node): Field => [1, writeNode(node)]),
    [2, 'graph'],
    ...weights.map((weight): Field => [5, writeTensor(weight)]),
    ...inputs.map((value): Field => [11, writeValue(value)]),
    ...outputs.map((value): Field => [12, writeValue(value)]),
  ]);
}

/** The same numbers for the same seed, between -1 and 1. */
export function seeded(size: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function writeNode({ op, name = '', domain = '', inputs, outputs, attributes = {} }: Node): Uint8Array {
  return message([
    ...inputs.map((input): Field => [1, input]),
    ...outputs.map((output): Field => [2, output]),
    [3, name],
    [4, op],
    ...Object.entries(attributes).map(([key, value]): Field => [5, writeAttribute(key, value)]),
    [7, domain],
  ]);
}

function writeAttribute(name: string, value: number | number[] | Model | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return message([[1, name], [5, value], [20, 4]]);
  if (typeof value === 'object' && !Array.isArray(value)) return message([[1, name], [6, writeGraph(value)], [20, 5]]);
  const content: Field[] = Array.isArray(value) ? [...value.map((item): Field => [8, item]), [20, 7]] : [[3, value], [20, 2]];
  return message([[1, name], ...content]);
}

function writeTensor(tensor: Tensor): Uint8Array {
  const dimensions = tensor.shape.map((size): Field => [1, size]);
  const content: Field[] = 'data' in tensor ? [[9, new Uint8Array(tensor.data.buffer)]] : writeSlice(tensor);
  const type = 'data' in tensor && tensor.data instanceof BigInt64Array ? INT64 : FLOAT;
  return message([...dimensions, [2, type], [8, tensor.name], ...content]);
}

function writeSlice({ file, offset, size }: FileSlice): Field[] {
  const entry = (key: string, value: string | number): Field => [13, message([[1, key], [2, String(value)]])];
  return [entry('location', file), entry('offset', offset), entry('length', size), [14, 1]];
}

function writeValue({ name, shape, type = FLOAT }: Value): Uint8Array {
  const dimensions = shape.map((size): Field => [1, message([typeof size === 'string' ? [2, size] : [1, size]])]);
  return message([[1, name], [2, message([[1, message([[1, type], [2, message(dimensions)]])]])]]);
}
