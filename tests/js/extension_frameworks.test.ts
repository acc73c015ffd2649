/** Groups L and E of the specification, for the same small network in each framework: y = relu(Foo(x)), where nobody knows Foo. */
import { expect, test } from 'vitest';

import { convert } from '../../dist/library/node/node.js';
import { concat, field } from '../../web/skeleton/wire.js';
import { fooNet, reports, transformation, type Files } from './extension_support.js';
import { writeOnnx } from './onnx_writer.js';
import { operator, program, variable } from './paddle_writer.js';
import { T, textBytes, tfInput, tfNode } from './tf_writer.js';

/** An attribute of PaddlePaddle that is a whole number. */
const whole = (name: string, value: number) => concat([field(1, name), field(2, 0), field(3, value)]);

/** The network with Foo, or with another operation in its place; it has an attribute axis. */
const NETWORKS: Readonly<Record<string, (op: string) => Uint8Array>> = {
  onnx: (op) => writeOnnx({ ...fooNet, nodes: [{ op, ...(op === 'Foo' ? { domain: 'com.acme' } : {}), name: 'foo', inputs: ['x'], outputs: ['f'], attributes: op === 'Foo' ? { axis: 2 } : {} }, fooNet.nodes[1]!] }),
  tf: (op) => textBytes(tfInput('x', 1, 2, 4, 4) + tfNode('foo', op, ['x'], { ...T, ...(op === 'Foo' ? { axis: 'i: 2' } : {}) }) + tfNode('relu', 'Relu', ['foo'], T)),
  caffe: (op) => textBytes(`layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 dim: 4 dim: 4 } } }
    layer { name: "foo" type: "${op}" bottom: "x" top: "f" ${op === 'Foo' ? 'foo_param { axis: 2 }' : ''} }
    layer { name: "relu" type: "ReLU" bottom: "f" top: "y" }`),
  mxnet: (op) => textBytes(JSON.stringify({
    nodes: [{ op: 'null', name: 'x', inputs: [], attrs: { __shape__: '(1, 2, 4, 4)' } }, { op, name: 'foo', inputs: [[0, 0, 0]], attrs: op === 'Foo' ? { axis: '2' } : {} }, { op: 'relu', name: 'relu', inputs: [[1, 0, 0]] }],
    arg_nodes: [0], heads: [[2, 0, 0]] })),
  paddle: (op) => program(variable('x', [1, 2, 4, 4]), variable('foo', [1, 2, 4, 4]), variable('relu', [1, 2, 4, 4]), operator('feed', { X: 'feed' }, 'x', whole('col', 0)),
    operator(op, { X: 'x' }, 'foo', ...(op === 'Foo' ? [whole('axis', 2)] : [])), operator('relu', { X: 'foo' }, 'relu'), operator('fetch', { X: 'relu' }, 'fetch', whole('col', 0))),
};
/** What each calls the hyperbolic tangent, its input, and the ReLU. An input of ONNX is no node of the file. */
const NAMES: Readonly<Record<string, readonly [tanh: string, input: string | null, relu: string]>> = {
  onnx: ['Tanh', null, 'Relu'], tf: ['Tanh', 'Placeholder', 'Relu'], caffe: ['TanH', 'Input', 'ReLU'], mxnet: ['tanh', 'null', 'relu'], paddle: ['tanh', 'feed', 'relu'],
};
const frameworks = Object.keys(NETWORKS);

async function converted(model: Uint8Array, extensions: Files = {}) {
  const { xml, bin, warnings } = await convert(model, { extensions });
  await bin.close();
  const layers = Array.from(xml.matchAll(/<layer id="\d+" name="[^"]*" type="(\w+)"[^>]*>(?:\s*<data ([^>]*?) ?\/>)?/g), ([, type, data]) => [type!, data ?? ''] as const);
  return { xml, layers, warnings: warnings.map(({ text }) => text) };
}

test.each(frameworks)('L-09 a small model of %s is converted', async (framework) => {
  const { layers } = await converted(NETWORKS[framework]!(NAMES[framework]![0]), { 'front/probe.js': transformation('front', (graph) => graph.framework) });
  expect(layers.map(([type]) => type)).toEqual(['Parameter', 'Tanh', 'ReLU', 'Result']);
});

const extractor = (folder: string): Files => ({ [`front/${folder}/foo.js`]: `import { FrontExtractorOp, log, Node, Op } from '@mo/wasm/extension';
  export class Own extends Op {
    static op = 'Own'; static type = 'Own'; static inPortsCount = 1;
    static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
    static backendAttrs() { return ['axis']; }
  }
  export class FooExtractor extends FrontExtractorOp {
    static op = 'Foo'; static enabled = true;
    static extract(node) {
      log.warn('Probe=' + JSON.stringify([arguments.length, node instanceof Node, node.pb.framework, node.pb.opType]));
      Own.updateNodeStat(node, { axis: Number(node.pb.attribute('axis')) });
      return this.enabled;
    }
  }` });

test.each(frameworks)('E-19 the same extractor reads the operation of %s', async (framework) => {
  const model = NETWORKS[framework]!('Foo');
  await expect(converted(model)).rejects.toMatchObject({ code: 'MO2001', node: 'foo' });
  const { layers, warnings } = await converted(model, extractor(framework));
  expect(reports({ xml: '', warnings })).toEqual([[1, true, framework, 'Foo']]);
  expect(layers.find(([type]) => type === 'Own')).toEqual(['Own', 'axis="2"']);
});

test.each(frameworks)('L-04 each operation of a model of %s keeps the description of the framework', async (framework) => {
  const [tanh, input, relu] = NAMES[framework]!;
  const { warnings } = await converted(NETWORKS[framework]!(tanh), { 'front/probe.js': transformation('front', (graph) => graph.getOpNodes()
    .filter((node) => node.get('op') !== 'Result').map((node) => [node.name, node.pb ? [node.pb.name, node.pb.opType, node.pb.framework] : null])) });
  const described = (name: string, op: string | null) => [name, op && [name, op, framework]];
  expect(reports({ xml: '', warnings })).toEqual([[described('x', input), described('foo', tanh), described('relu', relu)]]);
});

test('L-04 the fields of an input of Caffe can be read', async () => {
  const { warnings } = await converted(NETWORKS['caffe']!('TanH'), { 'front/probe.js': transformation('front', (graph) => graph.node['x']!.pb!.field('input_param.shape.0.dim')) });
  expect(reports({ xml: '', warnings })).toEqual([[1, 2, 4, 4]]);
});
