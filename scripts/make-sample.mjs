// Makes the sample model: a small image classifier with seeded weights, [N, 3, 32, 32] in, 10 probabilities out.
// Nothing but Node is needed: the few protobuf messages of an ONNX file are written by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Protobuf: a message is a list of fields, each a key (number and wire type) and a value.
const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

function varint(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}
const key = (number, wire) => varint(number * 8 + wire);
const int = (number, value) => Buffer.concat([key(number, VARINT), varint(value)]);
const bytes = (number, content) => Buffer.concat([key(number, BYTES), varint(content.length), content]);
const text = (number, value) => bytes(number, Buffer.from(value));
const message = (number, ...fields) => bytes(number, Buffer.concat(fields));
function float(number, value) {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([key(number, FIXED32), content]);
}

// ONNX's messages, with the field numbers of onnx.proto.
const FLOAT = 1;
const dimension = (size) => message(1, typeof size === 'string' ? text(2, size) : int(1, size));
const shape = (sizes) => message(2, ...sizes.map(dimension));
const valueInfo = (number, name, sizes) => message(number, text(1, name), message(2, message(1, int(1, FLOAT), shape(sizes))));

function attribute(name, value) {
  const kinds = { float: 1, int: 2, ints: 7 };
  if (Array.isArray(value)) return message(5, text(1, name), ...value.map((v) => int(8, v)), int(20, kinds.ints));
  if (Number.isInteger(value)) return message(5, text(1, name), int(3, value), int(20, kinds.int));
  return message(5, text(1, name), float(2, value), int(20, kinds.float));
}
const node = (op, inputs, output, attributes = {}) =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(3, output),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  );

/** Numbers in [-1, 1), the same on every machine. */
function* seeded(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 31 - 1;
  }
}

let random;
function tensor(name, dims, { scale = 1, offset = 0 } = {}) {
  const count = dims.reduce((product, size) => product * size, 1);
  const data = Buffer.alloc(4 * count);
  for (let i = 0; i < count; i++) data.writeFloatLE(random.next().value * scale + offset, 4 * i);
  return message(5, ...dims.map((size) => int(1, size)), int(2, FLOAT), text(8, name), bytes(9, data));
}

/** The model's bytes, the same for the same widths: numbers of channels of its two convolutions. */
export function sampleModel(first = 16, second = 32) {
  random = seeded(1);
  const fields = [
    node('Conv', ['image', 'conv1.weight', 'conv1.bias'], 'conv1', { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
    node('BatchNormalization', ['conv1', 'bn1.scale', 'bn1.bias', 'bn1.mean', 'bn1.var'], 'bn1', { epsilon: 1e-5 }),
    node('Relu', ['bn1'], 'relu1'),
    node('MaxPool', ['relu1'], 'pool1', { kernel_shape: [2, 2], strides: [2, 2] }),
    node('Conv', ['pool1', 'conv2.weight', 'conv2.bias'], 'conv2', { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
    node('Relu', ['conv2'], 'relu2'),
    node('GlobalAveragePool', ['relu2'], 'pool2'),
    node('Flatten', ['pool2'], 'flatten', { axis: 1 }),
    node('Gemm', ['flatten', 'fc.weight', 'fc.bias'], 'fc', { transB: 1 }),
    node('Softmax', ['fc'], 'probabilities', { axis: 1 }),
    text(2, 'sample'),
    tensor('conv1.weight', [first, 3, 3, 3], { scale: 0.3 }),
    tensor('conv1.bias', [first], { scale: 0.1 }),
    tensor('bn1.scale', [first], { scale: 0.2, offset: 1 }),
    tensor('bn1.bias', [first], { scale: 0.1 }),
    tensor('bn1.mean', [first], { scale: 0.1 }),
    tensor('bn1.var', [first], { scale: 0.2, offset: 1 }),
    tensor('conv2.weight', [second, first, 3, 3], { scale: 0.15 }),
    tensor('conv2.bias', [second], { scale: 0.1 }),
    tensor('fc.weight', [10, second], { scale: 0.5 }),
    tensor('fc.bias', [10], { scale: 0.1 }),
    valueInfo(11, 'image', ['N', 3, 32, 32]),
    valueInfo(12, 'probabilities', ['N', 10]),
  ];
  const irVersion = 7;
  const opset = 13;
  return Buffer.concat([int(1, irVersion), text(2, 'make-sample'), message(7, ...fields), message(8, text(1, ''), int(2, opset))]);
}

/** Writes sample.onnx into `folder`; its path. */
export function makeSample(folder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'sample.onnx');
  writeFileSync(path, sampleModel());
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(makeSample(process.argv[2] ?? fileURLToPath(new URL('../build/sample', import.meta.url))));
}
