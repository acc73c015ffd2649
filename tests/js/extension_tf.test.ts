/** Extensions for graphs of TensorFlow: node.pb, the helpers, extractors, and transformations by folder and by configuration. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, MoError, updateConfig, type Options } from '../../dist/library/node/node.js';
import { diamond, convertWith, reports, transformation, typesIn, type Files, type Outcome } from './extension_support.js';
import { seeded, type Model } from './onnx_writer.js';
import { caffeNetwork, caffeWeights } from './caffe_writer.js';
import { root, runNative, runNode, temporaryFolder } from './support.js';
import { T, textBytes, tfConst, tfInput, tfNode } from './tf_writer.js';

async function converted(text: string, files: Files = {}, options: Options = {}): Promise<Outcome> {
  const { xml, bin, warnings } = await convert(textBytes(text), { ...options, extensions: files });
  await bin.close();
  return { xml, warnings: warnings.map((warning) => warning.text) };
}

async function failureOf(...given: Parameters<typeof converted>) {
  const error = await converted(...given).then(() => undefined, (thrown: unknown) => thrown);
  if (!(error instanceof MoError)) throw new Error('the conversion succeeded');
  return error.messages.find(({ severity }) => severity === 'error')!;
}

type Body = Parameters<typeof transformation>[1];
/** What `body` returns in that phase. */
const seen = async (text: string, body: Body, phase: 'front' | 'middle' | 'back' = 'front', more: Files = {}): Promise<any> =>
  reports(await converted(text, { ...more, [`${phase}/probe.js`]: transformation(phase, body) }))[0];

const imports = "import * as mo from '@mo/wasm/extension';\n";
const relu = (name: string, input: string) => tfNode(name, 'Relu', [input], T);

/** y = Foo(x) with an attribute of each kind. */
const foo = tfInput('x', 2, 3) + tfNode('scope/foo', 'Foo', ['x'], {
  T: 'type: DT_FLOAT', alpha: 'f: 0.25', axis: 'i: -1', big: 'i: 9007199254740993', flag: 'b: true', data_format: 's: "NHWC"', empty: 'list {}',
  strides: 'list { i: 1 i: 2 }', scales: 'list { f: 0.5 }', names: 'list { s: "a" s: "b" }', kinds: 'list { type: DT_INT32 type: DT_HALF }',
  out: 'shape { dim { size: -1 name: "batch" } dim { size: 3 } }', any: 'shape { unknown_rank: true }', shapes: 'list { shape { dim { size: 4 } } shape {} }',
  scalar: 'tensor { dtype: DT_INT64 tensor_shape {} int64_val: 7 }', body: 'func { name: "f" attr { key: "T" value { type: DT_BOOL } } }', _class: 'list { s: "loc:@x" }',
}) + relu('y', 'scope/foo');
const fooOp = { 'ops/foo.js': `${imports}export class Foo extends mo.Op { static op = 'Foo'; static type = 'Foo'; static enabled = true;
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); } }` };

test('L-04 L-05 node.pb.attr has the attributes of a NodeDef as the documentation reads them', async () => {
  expect(await seen(foo, (graph) => {
    const pb = graph.node['scope/foo']!.pb!, { attr } = pb;
    return {
      node: [pb.framework, pb.opType, pb.name, pb.field('op'), pb.field('input')],
      scalars: [attr['T']!.type, attr['alpha']!.f, attr['axis']!.i, String(attr['big']!.i), attr['flag']!.b, attr['data_format']!.s],
      lists: ['empty', 'strides'].map((name) => attr[name]!.list.i).concat([attr['scales']!.list.f as number[]]),
      texts: [attr['names']!.list.s, attr['kinds']!.list.type, attr['_class']!.list.s],
      shapes: [attr['out']!.shape.dim.map(({ size, name }) => [size, name]), attr['any']!.shape.unknown_rank, attr['shapes']!.list.shape.map(({ dim }) => dim.length)],
      func: [attr['body']!.func.name, attr['body']!.func.attr['T']!.type],
      absent: [attr['alpha']!.i, attr['alpha']!.s, attr['alpha']!.list.f, attr['alpha']!.shape.dim, attr['alpha']!.tensor.dtype, 'none' in attr, attr['none'] === undefined],
      names: Object.keys(attr).slice(0, 3),
    };
  }, 'front', fooOp)).toEqual({
    node: ['tf', 'Foo', 'scope/foo', 'Foo', ['x']],
    scalars: ['DT_FLOAT', 0.25, -1, '9007199254740993', true, 'NHWC'],
    lists: [[], [1, 2], [0.5]],
    texts: [['a', 'b'], ['DT_INT32', 'DT_HALF'], ['loc:@x']],
    shapes: [[[-1, 'batch'], [3, '']], true, [1, 0]],
    func: ['f', 'DT_BOOL'],
    absent: [0, '', [], [], 'DT_INVALID', false, true],
    names: ['T', 'alpha', 'axis'],
  });
});

test('L-04 nodes of ONNX have no such attributes', async () => {
  const files = { 'front/probe.js': transformation('front', (graph) => Object.keys(graph.node['relu']!.pb!.attr)) };
  expect(reports(await convertWith(files, diamond))).toEqual([[]]);
});

test('L-05 A-35 a convolution of Caffe and one of TensorFlow: other descriptions, the same attributes, both in NCHW', async () => {
  const description: Body = (graph) => {
    const [node] = graph.getOpNodes({ op: (op: string) => /^Conv/.test(op) });
    const { framework, opType, attr, name } = node!.pb!;
    return [framework, opType, name, Object.keys(attr).sort()];
  };
  const attributes: Body = (graph) => {
    const [node] = graph.getOpNodes({ op: 'Convolution' });
    return [node!.get('type'), node!.get('version'), ...['strides', 'dilations'].map((name) => Array.from(node!.get(name) as Iterable<bigint>, Number)), node!.outPort(0).data.getShape()];
  };
  const place = temporaryFolder();
  writeFileSync(join(place, 'net.prototxt'), caffeNetwork.replace('kernel_size', 'stride: 2 kernel_size'));
  writeFileSync(join(place, 'net.caffemodel'), caffeWeights);
  const ofCaffe = async (body: Body, phase: 'front' | 'back') => {
    const { bin, warnings } = await convert(join(place, 'net.caffemodel'), { extensions: { [`${phase}/probe.js`]: transformation(phase, body) } });
    await bin.close();
    return reports({ xml: '', warnings: warnings.map(({ text }) => text) })[0];
  };
  const tf = convolution('NHWC', [1, 8, 8, 2]);
  expect(await ofCaffe(description, 'front')).toEqual(['caffe', 'Convolution', 'conv', []]);
  expect(await seen(tf, description)).toEqual(['tf', 'Conv2D', 'InceptionV4/Mixed_5a/concat', ['T', 'data_format', 'dilations', 'padding', 'strides']]);
  expect(await ofCaffe(attributes, 'back')).toEqual(['Convolution', 'opset1', [2, 2], [1, 1], [1, 4, 3, 3]]);
  expect(await seen(tf, attributes, 'back')).toEqual(['Convolution', 'opset1', [2, 2], [1, 1], [1, 3, 4, 4]]);
});

test('E-01 a convolution has its window as attributes, as the framework says it', async () => {
  const attributes: Body = (graph) => {
    const [node] = graph.getOpNodes({ op: 'Conv' });
    return ['strides', 'dilations', 'pads', 'auto_pad', 'channel_dims', 'spatial_dims'].map((name) => node!.get(name) ?? null);
  };
  expect(await seen(convolution('NHWC', [1, 8, 8, 2]), attributes)).toEqual([[2, 2], [1, 1], null, 'valid', [3], [1, 2]]);
  const onnx: Model = { nodes: [{ op: 'Conv', name: 'conv', inputs: ['x', 'w'], outputs: ['y'], attributes: { strides: [2, 1], pads: [0, 1, 2, 3], dilations: [1, 2] } }],
    weights: [{ name: 'w', shape: [4, 3, 3, 3], data: seeded(108) }], inputs: [{ name: 'x', shape: [1, 3, 8, 8] }], outputs: [{ name: 'y', shape: [] }] };
  expect(reports(await convertWith({ 'front/probe.js': transformation('front', attributes) }, onnx))[0]).toEqual([[2, 1], [1, 2], [0, 1, 2, 3], null, null, null]);
});

/** Constants of several forms, each with something that reads it. */
const constants = tfInput('x', 2, 2)
  + tfConst('list', 'DT_FLOAT', [2, 2], 'float_val: 1 float_val: 2 float_val: 3 float_val: 4')
  + tfConst('bytes', 'DT_INT32', [2], 'tensor_content: "\\001\\000\\000\\000\\004\\000\\000\\000"')
  + tfConst('filled', 'DT_FLOAT', [2], 'float_val: 0.5') + tfNode('scaled', 'Mul', ['sum', 'filled'], T)
  + tfNode('sum', 'AddV2', ['x', 'list'], T) + tfNode('y', 'Reshape', ['scaled', 'bytes'], { ...T, Tshape: 'type: DT_INT32' });

/** What the helpers give for each Const that an extractor sees; the built-in extractor does the rest. */
const reading = { 'front/tf/const_ext.js': `${imports}globalThis.read = {};
  export class Reading extends mo.FrontExtractorOp {
    static op = 'Const';
    static extract(node) {
      const { tensor } = node.pb.attr['value'];
      const shape = mo.tfTensorShape(tensor.tensor_shape);
      const value = mo.tfTensorContent(tensor.dtype, shape, tensor);
      globalThis.read[node.name] = [shape, value.shape, value.type, Array.from(value.get()), mo.tfDtypeExtractor(tensor.dtype)];
      return false;
    }
  }` };

test('E-16 E-08 E-09 A-09 the helpers read shape, content and type of a tensor, in each form', async () => {
  expect(await seen(constants, () => (globalThis as any).read, 'front', reading)).toEqual({
    list: [[2, 2], [2, 2], 'f32', [1, 2, 3, 4], 'f32'],
    filled: [[2], [2], 'f32', [0.5, 0.5], 'f32'],
    bytes: [[2], [2], 'i32', [1, 4], 'i32'],
  });
});

test('E-16 the helpers refuse what they cannot read', async () => {
  expect(await seen(foo, (graph, { tfDtypeExtractor, tfTensorContent, tfTensorShape }) => {
    const told = (f: () => unknown) => { try { return f(); } catch (error) { return (error as Error).message; } };
    const { attr } = graph.node['scope/foo']!.pb!;
    const { tensor } = attr['scalar']!;
    return [
      told(() => tfTensorShape(attr['out']!.shape)), told(() => tfTensorShape(attr['any']!.shape)), told(() => tfTensorShape(7)),
      told(() => Array.from(tfTensorContent(9, [1], tensor).get(), String)), told(() => tfTensorContent('DT_FLOAT', [], tensor)),
      told(() => tfTensorContent('DT_INT64', [2], tensor)), told(() => tfTensorContent('DT_INT64', [], attr['scalar'])), told(() => tfTensorContent('DT_FLOAT', [], attr['alpha']!.tensor)),
      ['DT_FLOAT', 1, 101, 'DT_FLOAT_REF', 'DT_QUINT8', 'DT_BFLOAT16', 23].map((dtype) => tfDtypeExtractor(dtype)),
      told(() => tfDtypeExtractor('DT_RESOURCE')), tfDtypeExtractor('DT_VARIANT', 'f32'), told(() => tfDtypeExtractor(0)),
    ];
  }, 'front', fooOp)).toEqual([
    [-1, 3], 'the rank of the shape is not known', 'tfTensorShape takes the shape of an attribute or of a tensor, as node.pb.attr has it',
    ['7'], 'the tensor is of type i64, not DT_FLOAT',
    expect.stringContaining('cannot be reshaped to [2]'), expect.stringContaining("node.pb.attr['value'].tensor"), 'attribute "alpha" has no tensor',
    ['f32', 'f32', 'f32', 'f32', 'u8', 'bf16', 'u64'],
    'DT_RESOURCE is no element type of the IR', 'f32', '0 is no element type of the IR',
  ]);
});

test('E-02 E-04 E-08 E-19 an extractor of front/tf runs before the built-in one, for its operation only', async () => {
  const extractor = (op: string, framework = 'tf') => ({ [`front/${framework}/a.js`]: `${imports}export class A extends mo.FrontExtractorOp {
    static op = '${op}';
    static extract(node) { mo.log.warn('Probe=' + JSON.stringify(node.name)); mo.ops.updateNodeStat('Tanh', node, {}); return true; } }` });
  const model = tfInput('x', 2, 3) + relu('y', 'x');
  const plain = await converted(model);
  expect(typesIn(plain.xml)).toEqual(['Parameter', 'ReLU', 'Result']);
  expect(typesIn((await converted(model, extractor('Relu'))).xml)).toEqual(['Parameter', 'Tanh', 'Result']);
  expect((await converted(model, extractor('Relu', 'onnx'))).xml).toBe(plain.xml);
  expect(await converted(model, extractor('Sigmoid'))).toEqual(plain);
  expect(await converted(model, extractor('Placeholder')), 'inputs are not extracted').toEqual(plain);
});

test('E-21 an enabled operation is its own extractor for TensorFlow too', async () => {
  expect(typesIn((await converted(foo, fooOp)).xml)).toEqual(['Parameter', 'Foo', 'ReLU', 'Result']);
  expect(await failureOf(foo)).toMatchObject({ code: 'MO2001', node: 'scope/foo' });
});

test('F-08 X-06 X-07 front/ runs for TensorFlow and ONNX, front/tf/ and front/onnx/ for their own', async () => {
  const files = Object.fromEntries(['front', 'front/tf', 'front/onnx'].map((folder) =>
    [`${folder}/a.js`, transformation('front', (graph) => graph.framework, `In_${folder.replace('/', '_')}`)]));
  const model = tfInput('x', 2, 3) + relu('y', 'x');
  const ran = ({ warnings }: Outcome) => warnings.map((text) => /In_\w+="\w+"/.exec(text)![0]).sort();
  expect(ran(await converted(model, files))).toEqual(['In_front="tf"', 'In_front_tf="tf"']);
  expect(ran(await convertWith(files, diamond))).toEqual(['In_front="onnx"', 'In_front_onnx="onnx"']);
});

test('O-08 Pack is an internal operation without an IR type, and is gone behind the front phase', async () => {
  const model = tfInput('a', 2, 2) + tfInput('b', 2, 2) + tfNode('y', 'Pack', ['a', 'b'], { ...T, N: 'i: 2', axis: 'i: 0' });
  expect(await seen(model, (graph) => [graph.node['y']!.get('op'), graph.node['y']!.get('type') ?? null])).toEqual(['Pack', null]);
  expect(await seen(model, (graph) => graph.getOpNodes({ op: 'Pack' }).length, 'middle')).toBe(0);
});

const LIST = 'list { i: 1 i: 2 i: 2 i: 1 }';
/** A convolution of an image with channels last. */
const convolution = (format = 'NHWC', image = [-1, 8, 8, 2]) => tfInput('image', ...image)
  + tfConst('InceptionV4/w', 'DT_FLOAT', [1, 1, 2, 3], 'float_val: 1') + tfNode('InceptionV4/Mixed_5a/concat', 'Conv2D', ['image', 'InceptionV4/w'],
    { ...T, strides: format === 'NHWC' ? LIST : 'list { i: 1 i: 1 i: 2 i: 2 }', padding: 's: "VALID"', data_format: `s: "${format}"`, dilations: 'list { i: 1 i: 1 i: 1 i: 1 }' })
  + relu('y', 'InceptionV4/Mixed_5a/concat');

test('L-10 L-11 names keep their scopes, and an input may be undefined in part', async () => {
  expect(await seen(convolution(), (graph) => [graph.node['InceptionV4/Mixed_5a/concat']!.name, graph.node['image']!.get('shape')]))
    .toEqual(['InceptionV4/Mixed_5a/concat', [null, 8, 8, 2]]);
  expect(await failureOf(convolution(), {}, { static_shape: true })).toMatchObject({ node: 'image', text: expect.stringContaining('[?,8,8,2]') });
});

/** Type, name and dimensions of all inputs and outputs of each operation. */
const layersOf = (xml: string) => Array.from(xml.matchAll(/<layer id="\d+" name="([^"]*)" type="(?!Const|Result)(\w+)"[^]*?<\/layer>/g), ([text, name, type]) =>
  [type, name, ...Array.from(text.matchAll(/<port[^]*?<\/port>/g), ([port]) => Array.from(port.matchAll(/<dim>(-?\d+)/g), ([, size]) => size).join())].join(' '));

test('N-01 N-02 B-02 I-19 M-06 N-13 front and middle phase have channels last, back phase and IR channels first', async () => {
  const output: Body = (graph) => graph.getOpNodes({ name: 'InceptionV4/Mixed_5a/concat' })[0]!.outPort(0).data.getShape();
  const model = convolution('NHWC', [1, 8, 8, 2]);
  expect([await seen(model, (graph) => graph.layout, 'front'), await seen(model, (graph) => graph.layout, 'middle')]).toEqual(['NHWC', 'NHWC']);
  expect([await seen(model, output, 'middle'), await seen(model, output, 'back')]).toEqual([[1, 4, 4, 3], [1, 3, 4, 4]]);
  expect(layersOf((await converted(model)).xml).find((text) => text.startsWith('Convolution'))).toMatch(/^Convolution \S+ 1,2,8,8 \S+ 1,3,4,4$/);
});

test('N-03 a graph of TensorFlow without such an operation keeps its shapes', async () => {
  const product = tfNode('product', 'BatchMatMulV2', ['x', 'w'], T) + tfNode('y', 'AddV2', ['product', 'b'], T);
  const { xml } = await converted(tfInput('x', 1, 4, 5, 3) + tfConst('w', 'DT_FLOAT', [3, 2], 'float_val: 0.5') + tfConst('b', 'DT_FLOAT', [2], 'float_val: 1 float_val: 2') + product);
  expect(layersOf(xml)).toEqual(['Parameter x 1,4,5,3', 'MatMul product 1,4,5,3 3,2 1,4,5,2', 'Add y 1,4,5,2 2 1,4,5,2']);
});

test('N-06 N-07 the outputs of most operations of four and of five dimensions are permuted', async () => {
  const volume = tfInput('x', 1, 8, 224, 300, 3) + tfConst('w', 'DT_FLOAT', [1, 1, 1, 3, 4], 'float_val: 0.5')
    + tfNode('conv', 'Conv3D', ['x', 'w'], { ...T, strides: 'list { i: 1 i: 1 i: 1 i: 1 i: 1 }', padding: 's: "VALID"' });
  const image = tfInput('x', 1, 224, 300, 3) + tfConst('w', 'DT_FLOAT', [1, 1, 3, 4], 'float_val: 0.5')
    + tfNode('conv', 'Conv2D', ['x', 'w'], { ...T, strides: 'list { i: 1 i: 1 i: 1 i: 1 }', padding: 's: "VALID"' });
  const rest = relu('relu', 'conv') + tfNode('sum', 'AddV2', ['relu', 'conv'], T) + tfNode('tanh', 'Tanh', ['sum'], T);
  const shapes: Body = (graph) => ['Convolution', 'ReLU', 'Add', 'Tanh'].map((op) => graph.getOpNodes({ op })[0]!.outPort(0).data.getShape());
  expect(await seen(image + rest, shapes, 'back')).toEqual(Array(4).fill([1, 4, 224, 300]));
  expect(await seen(volume + rest, shapes, 'back')).toEqual(Array(4).fill([1, 4, 8, 224, 300]));
});

test('N-09 a Gather behind ShapeOf brings a computed shape into the order of the model', async () => {
  const numbers = (name: string, value: number) => tfConst(name, 'DT_INT32', [1], `int_val: ${value}`);
  const INT = { T: 'type: DT_INT32', Index: 'type: DT_INT32' };
  const model = convolution('NHWC', [-1, -1, -1, 2]) + tfInput('flat', -1) + tfNode('shape', 'Shape', ['y'], { ...T, out_type: 'type: DT_INT32' })
    + numbers('begin', 1) + numbers('end', 4) + numbers('step', 1) + tfNode('part', 'StridedSlice', ['shape', 'begin', 'end', 'step'], INT)
    + tfNode('image_of_flat', 'Reshape', ['flat', 'part'], { ...T, Tshape: 'type: DT_INT32' });
  expect(await seen(model, (graph) => {
    const [slice] = graph.getOpNodes({ op: 'StridedSlice' });
    const gather = slice!.inPort(0).getSource()!.node, shape = gather.inPort(0).getSource()!.node;
    return [slice!.outPort(0).getDestination()!.node.get('op'), gather.get('op'), Array.from(gather.inPort(1).data.getValue()!.get({ asNumbers: true })), shape.get('op'),
      shape.inPort(0).getSource()!.node.get('op')];
  }, 'back')).toEqual(['Reshape', 'Gather', [0, 2, 3, 1], 'ShapeOf', 'ReLU']);
});

test('N-04 N-05 W-02 disable_nhwc_to_nchw leaves shapes as they are', async () => {
  const shape = async (text: string, options: Options) => {
    const files = { 'back/probe.js': transformation('back', (graph) => graph.node['y']!.outPort(0).data.getShape()) };
    return reports(await converted(text, files, options))[0];
  };
  expect(readFileSync(join(root, 'docs/tensorflow.md'), 'utf8').replace(/\s+/g, ' ')).toContain('say that the option forces the change of layout; it disables it');
  const { xml } = await converted(convolution('NHWC', [1, 8, 8, 2]), {}, { disable_nhwc_to_nchw: true });
  // The convolution alone is in the form of IR, between Transposes of its own.
  expect(layersOf(xml).filter((text) => !/^(Transpose|Convolution) /.test(text))).toEqual(['Parameter image 1,8,8,2', 'ReLU y 1,4,4,3 1,4,4,3']);
  expect(typesIn(xml).filter((type) => type !== 'Const')).toEqual(['Parameter', 'Transpose', 'Convolution', 'Transpose', 'ReLU', 'Result']);
  const last = convolution('NHWC', [1, 8, 8, 2]), first = convolution('NCHW', [1, 2, 8, 8]);
  expect([await shape(last, {}), await shape(last, { disable_nhwc_to_nchw: true })]).toEqual([[1, 3, 4, 4], [1, 4, 4, 3]]);
  expect([await shape(first, {}), await shape(first, { disable_nhwc_to_nchw: true })]).toEqual([[1, 3, 4, 4], [1, 3, 4, 4]]);
});

test('W-02 both commands take disable_nhwc_to_nchw, with what the library makes of it', async () => {
  const model = convolution('NHWC', [1, 8, 8, 2]), place = temporaryFolder();
  writeFileSync(join(place, 'model.pbtxt'), model);
  const convolved = (xml: string) => /type="ReLU"[^]*?<output>([^]*?)<\/output>/.exec(xml)![1]!.match(/(?<=<dim>)\d+/g)!.join();
  for (const [args, wanted] of [[[], '1,3,4,4'], [['--disable_nhwc_to_nchw'], '1,4,4,3']] as const) {
    expect(convolved((await converted(model, {}, { disable_nhwc_to_nchw: args.length > 0 })).xml)).toBe(wanted);
    for (const run of [runNode, runNative]) {
      expect(run(['model.pbtxt', '-o', 'ir', ...args], place)).toMatchObject({ code: 0 });
      expect(convolved(readFileSync(join(place, 'ir/model.xml'), 'utf8'))).toBe(wanted);
    }
  }
});

const config = (entries: unknown): Options => ({ transformations_config: JSON.stringify(entries) });
const subgraph = (body: string): Files => ({ 'front/tf/a.js': `${imports}export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'Mine'; ${body} }` });
const matched = subgraph("replaceSubGraph(graph, match) { mo.log.warn('Probe=' + JSON.stringify([match.scope, match.matchedNodes().map((node) => node.name).sort()])); }");

/** Two scopes of a sum and a product. */
const blocks = tfInput('x', 2, 3) + [1, 2].map((i) => tfConst(`net/block_${i}/two`, 'DT_FLOAT', [], 'float_val: 2')
  + tfNode(`net/block_${i}/sum`, 'AddV2', [i === 1 ? 'x' : 'net/block_1/product', `net/block_${i}/two`], T)
  + tfNode(`net/block_${i}/product`, 'Mul', [`net/block_${i}/sum`, `net/block_${i}/two`], T)).join('') + relu('y', 'net/block_2/product');

test('J-02 J-03 J-07 J-10 J-11 J-12 J-13 J-30 scopes of a TensorFlow graph: update, then match', async () => {
  const template = [{ id: 'Mine', match_kind: 'scope', instances: ['.*block_1', '.*block_2'], custom_attributes: { keep: [1, 'two'] } }];
  expect((await failureOf(blocks, matched, config(template))).code).toBe('MO6041');
  const updated = JSON.parse(await updateConfig(textBytes(blocks), JSON.stringify(template)));
  expect(updated).toEqual([{ ...template[0], inputs: [[{ node: 'sum$', port: 0 }]], outputs: [{ node: 'product$', port: 0 }] }]);
  const inScope = (i: number) => ['product', 'sum', 'two'].map((name) => `net/block_${i}/${name}`);
  expect(reports(await converted(blocks, matched, config(updated)))).toEqual([1, 2].map((i) => [expect.stringContaining(`block_${i}`), inScope(i)]));
});

test('J-02 J-18 J-19 J-20 J-21 points of a TensorFlow graph', async () => {
  const points = (start: string[], end: string[]) => config([{ id: 'Mine', match_kind: 'points', instances: { start_points: start, end_points: end } }]);
  expect(reports(await converted(blocks, matched, points(['net/block_1/product'], ['net/block_2/sum']))))
    .toEqual([[expect.anything(), ['net/block_1/product', 'net/block_2/sum', 'net/block_2/two']]]);
  expect((await failureOf(blocks, matched, points(['net/block_2/sum'], ['net/block_1/sum']))).text).toContain('net/block_1/sum');
  expect((await failureOf(blocks, matched, points(['x'], ['y']))).text).toContain('x');
});

test('J-02 J-26 J-28 general entries of a TensorFlow graph, under both names of the option', async () => {
  const files = { 'front/tf/a.js': `${imports}export class A extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'Mine';
    transformGraph(graph, given) { mo.log.warn('Probe=' + JSON.stringify([graph.framework, given])); } }` };
  const text = JSON.stringify([{ id: 'Mine', match_kind: 'general', custom_attributes: { classes: 20, names: ['a'] } }]);
  for (const options of [{ transformations_config: text }, { tensorflow_use_custom_operations_config: text }])
    expect(reports(await converted(blocks, files, options as Options))).toEqual([['tf', { classes: 20, names: ['a'] }]]);
});
