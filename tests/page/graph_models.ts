/** Models for the graph view. */
import { BOOL, seeded, writeOnnx, type Model, type Node } from '../js/onnx_writer.js';
import { T, textBytes, tfConst, tfInput, tfNode } from '../js/tf_writer.js';

/** A convolution with channels last, as TensorFlow has it: the IR has a Transpose at its input and one at its output. */
export const channelsLast = textBytes(
  tfInput('image', 1, 8, 8, 3)
  + tfConst('filter', 'DT_FLOAT', [3, 3, 3, 4], 'float_val: 0.5')
  + tfNode('net/conv', 'Conv2D', ['image', 'filter'], { ...T, strides: 'list { i: 1 i: 1 i: 1 i: 1 }', padding: 's: "SAME"', data_format: 's: "NHWC"' })
  + tfNode('net/relu', 'Relu', ['net/conv'], T));

/** A condition with two branches. */
export const condition = writeOnnx({
  nodes: [{ op: 'If', name: '/choose', inputs: ['flag'], outputs: ['y'], attributes: { then_branch: branch('Relu', 'then'), else_branch: branch('Sigmoid', 'else') } }],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }, { name: 'flag', shape: [], type: BOOL }],
  outputs: [{ name: 'y', shape: [2, 3] }],
});

function branch(op: string, name: string): Model {
  return { nodes: [{ op, name: `/${name}/act`, inputs: ['x'], outputs: [name] }], weights: [], inputs: [], outputs: [{ name, shape: [2, 3] }] };
}

/** Names that would do harm on a page that took them for its own. */
export const hostile = writeOnnx({
  nodes: [
    { op: 'Relu', name: '<img src=x onerror=alert(1)>', inputs: ['x'], outputs: ['h'] },
    { op: 'Sigmoid', name: `/${'long'.repeat(5000)}`, inputs: ['h'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2] }],
  outputs: [{ name: 'y', shape: [2] }],
});

/** A network of residual blocks of four kinds, in no order. */
export function branching(length: number): Uint8Array {
  const choices = seeded(length, 3).map((value) => (value + 1) / 2);
  const nodes: Node[] = [];
  let output = 'v0';
  const add = (op: string, ...others: string[]) => {
    const inputs = [output, ...others];
    output = `v${nodes.length + 1}`;
    nodes.push({ op, name: `/node_${nodes.length}`, inputs, outputs: [output] });
  };
  while (nodes.length < length) {
    const input = output;
    const inside = [2, 3, 5, 8][Math.floor(choices[nodes.length]! * 4)]!;
    for (let i = 0; i < inside; i++) add(i % 2 ? 'Relu' : 'Sigmoid');
    add('Add', input);
  }
  return writeOnnx({ nodes, weights: [], inputs: [{ name: 'v0', shape: [1, 8] }], outputs: [{ name: output, shape: [1, 8] }] });
}
