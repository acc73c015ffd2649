/** The models that the tests of the package and of the page convert. */
import { seeded, writeOnnx, type Model } from './onnx_writer.js';

const CHANNELS = 16;

/** A convolution with a batch normalisation to be folded into it: every weight becomes a recipe. */
const convolution: Model = {
  nodes: [
    { op: 'Conv', name: '/conv', inputs: ['image', 'w'], outputs: ['c'], attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] } },
    { op: 'BatchNormalization', name: '/norm', inputs: ['c', 'scale', 'bias', 'mean', 'variance'], outputs: ['n'] },
    { op: 'Relu', name: '/relu', inputs: ['n'], outputs: ['result'] },
  ],
  weights: [
    { name: 'w', shape: [CHANNELS, 3, 3, 3], data: seeded(CHANNELS * 27, 1) },
    ...['scale', 'bias', 'mean', 'variance'].map((name, index) => ({
      name, shape: [CHANNELS], data: seeded(CHANNELS, index + 2).map((value) => Math.abs(value) + 0.1),
    })),
  ],
  inputs: [{ name: 'image', shape: ['batch', 3, 32, 32] }],
  outputs: [{ name: 'result', shape: ['batch', CHANNELS, 32, 32] }],
};

const SIDE = 256;
const MATRIX = 4 * SIDE * SIDE;
const matrices = [seeded(SIDE * SIDE, 7), seeded(SIDE * SIDE, 8)] as const;

/** Two matrices of 256 KB that are copied as they are, from the model or from a side file. */
function dense(file?: string): Model {
  const weight = (name: string, index: 0 | 1) =>
    ({ name, shape: [SIDE, SIDE], ...(file ? { file, offset: index * MATRIX, size: MATRIX } : { data: matrices[index] }) });
  return {
    nodes: [
      { op: 'MatMul', name: '/first', inputs: ['x', 'a'], outputs: ['h'] },
      { op: 'MatMul', name: '/second', inputs: ['h', 'b'], outputs: ['y'] },
    ],
    weights: [weight('a', 0), weight('b', 1)],
    inputs: [{ name: 'x', shape: [1, SIDE] }],
    outputs: [{ name: 'y', shape: [1, SIDE] }],
  };
}

export const convNet = writeOnnx(convolution);
export const denseNet = writeOnnx(dense());

/** A model whose weights stand in `weights.bin` beside it. */
export const externalNet = writeOnnx(dense('weights.bin'));
export const externalData = Buffer.concat(matrices.map(({ buffer }) => new Uint8Array(buffer)));

/** A model with two unknown operations. */
export const unknownNet = writeOnnx({
  nodes: [
    { op: 'Frobnicate', domain: 'com.acme', name: '/frob_1', inputs: ['x'], outputs: ['h'] },
    { op: 'Relu', name: '/relu', inputs: ['h'], outputs: ['r'] },
    { op: 'Defrobnicate', domain: 'com.acme', name: '/frob_2', inputs: ['r'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [1, 8] }],
  outputs: [{ name: 'y', shape: [1, 8] }],
});

/** A model of many nodes, which takes a while. */
export function longNet(length: number): Uint8Array {
  return writeOnnx({
    nodes: Array.from({ length }, (_, index) => ({
      op: index % 2 ? 'Relu' : 'Sigmoid', name: `/node_${index}`, inputs: [`v${index}`], outputs: [`v${index + 1}`],
    })),
    weights: [],
    inputs: [{ name: 'v0', shape: [1, 8] }],
    outputs: [{ name: `v${length}`, shape: [1, 8] }],
  });
}

/** The module of an extension, which can be seen to have run. */
export const tanhForReLU = `
import { FrontReplacementOp, ops } from '@mo/wasm/extension';
export default class TanhForReLU extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) {
    return ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]);
  }
}
`;
