/** Groups O and E of the specification: operations and extractors. */
import { expect, test } from 'vitest';

import { convertWith, failureOf, fiveOperations, fooNet, reports, seen, transformation, type Files } from './extension_support.js';
import type { Model } from './onnx_writer.js';
import { message } from './wire.js';

const same = 'node.outPort(0).data.setShape(node.inPort(0).data.getShape());';
const foo = (more = '', infer = same) => `
  import { Op } from '@mo/wasm/extension';
  export class Foo extends Op {
    static op = 'Foo'; static type = 'Foo'; static version = 'my_opset'; static inPortsCount = 1; static enabled = false;
    static defaults = { axis: 1, mode: 'fast' };
    static infer(node) { ${infer} }
    ${more}
  }`;
const extractor = (body: string, name = 'FooExtractor', statics = 'static enabled = true;') => `
  import { FrontExtractorOp, Node, onnxAttr, ops, tensor } from '@mo/wasm/extension';
  import { Foo } from '../../ops/foo.js';
  export class ${name} extends FrontExtractorOp {
    static op = 'Foo';
    ${statics}
    static extract(node) { ${body} }
  }`;
const take = "Foo.updateNodeStat(node, { axis: onnxAttr(node, 'axis', 'i', 0) }); return this.enabled;";
const both = (more = '', infer = same): Files => ({ 'ops/foo.js': foo(more, infer), 'front/onnx/foo_ext.js': extractor(take) });
const layer = (xml: string): string => /<layer [^>]*type="Foo"[\s\S]*?<\/layer>/.exec(xml)?.[0] ?? 'none';

test('O-01 X-02 E-02 an operation has attributes, infers, names what the IR has of it, makes nodes, and serves its extractor', async () => {
  const more = "static backendAttrs() { return ['axis', 'mode']; } static typeInfer(node) { node.outPort(0).data.setType('f16'); }";
  const { xml } = await convertWith({ ...both(more), 'front/make.js': transformation('front', (graph, { ops }) => {
    const relu = graph.node['relu']!;
    relu.inPort(0).connect(new (ops.classByName('Foo') as any)(graph, { name: 'made', axis: 3 }).createNode([graph.node['foo']!]).outPort(0));
  }) }, fooNet);
  for (const [name, axis] of [['foo', 2], ['made', 3]]) {
    const text = new RegExp(`<layer [^>]*name="${name}" type="Foo" version="my_opset"[^]*?</layer>`).exec(xml)![0];
    expect(text).toContain(`<data axis="${axis}" mode="fast" />`);
    expect(text).toMatch(/<output>\s*<port id="1" precision="FP16"[^>]*>\s*<dim>1<\/dim>\s*<dim>2<\/dim>\s*<dim>4<\/dim>\s*<dim>4<\/dim>/);
  }
});

test('O-02 an instance and its node are not linked', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const op = new (ops.classByName('Foo')! as any)(graph, { axis: 3 });
    const node = op.createNode();
    op.attributes.axis = 4;
    node.set('mode', 'slow');
    return [node.get('axis'), op.attributes.mode];
  }, undefined, { 'ops/foo.js': foo() })).toEqual([3, 'fast']);
  // Nor are lists in lists, which the core does not hold.
  const pairs = "static defaults = { pads: [[0, 0], [1, 1]] };";
  expect(await seen('front', (graph, { ops }) => {
    const Foo = ops.classByName('Foo') as any;
    const op = new Foo(graph);
    const node = op.createNode();
    op.attributes.pads[0][0] = 7;
    (node.get('pads') as any)[1][1] = 8;
    return [node.get('pads'), op.attributes.pads, new Foo(graph).attributes.pads];
  }, undefined, { 'ops/foo.js': foo(pairs) })).toEqual([[[0, 0], [1, 8]], [[7, 0], [1, 1]], [[0, 0], [1, 1]]]);
});

test('O-03 O-21 O-23 the caller wins over defaults, and may give nothing', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const [Foo, Result] = ['Foo', 'Result'].map((op) => ops.classByName(op) as any);
    const result = new Result(graph).createNode([graph.node['relu']!]);
    return [new Foo(graph, { axis: 3 }).createNode().get('axis'), new Foo(graph).createNode().get('axis'), result.get('op'), result.inPort(0).getSource().node.id];
  }, undefined, { 'ops/foo.js': foo() })).toEqual([3, 1, 'Result', 'relu']);
  expect(await seen('front', (graph, { ops }) => {
    const SoftMax = ops.classByName('SoftMax') as any;
    return [new SoftMax(graph, { axis: 3 }).attributes.axis, new SoftMax(graph, {}).attributes.axis, (ops.classByName('AttributedLRN') as any).defaults];
  })).toEqual([3, 1, { alpha: 0.0001, beta: 0.75, bias: 1 }]);
});

test('R-01 R-02 O-03 a node may have a type and a version of its own, whatever it becomes', async () => {
  const set = (text: string): Files => ({ 'front/a.js': `import { FrontReplacementPattern, ops } from '@mo/wasm/extension';
    export class A extends FrontReplacementPattern { findAndReplacePattern(graph) { const node = graph.node['sig']; ${text} } }` });
  const typed = (xml: string) => /name="sig" type="(\w+)" version="(\w+)"/.exec(xml)?.slice(1);
  const infer = "node.set('infer', (self) => self.outPort(0).data.setShape(self.inPort(0).data.getShape()));";
  expect(typed((await convertWith(set("node.set('type', 'MySigmoid'); node.set('version', 'mine');"))).xml)).toEqual(['MySigmoid', 'mine']);
  expect(typed((await convertWith(set("node.set('version', 'mine'); node.set('op', 'Tanh'); node.set('type', 'MyTanh');"))).xml)).toEqual(['MyTanh', 'mine']);
  expect(typed((await convertWith(set("node.set('type', 'Mine'); node.delete('type');"))).xml)).toEqual(['Sigmoid', 'opset1']);
  expect(typed((await convertWith(set(`node.set('op', 'Mine'); node.set('type', 'Mine'); node.set('version', 'extension'); ${infer}`))).xml)).toEqual(['Mine', 'extension']);
  expect(await failureOf(set("node.set('type', null);"))).toMatchObject({ code: 'MO5001', node: 'sig' });
});

test('O-04 O-05 ids are unique, and a name is the id by default', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const nodes = [1, 2].map(() => ops.create(graph, 'Foo'));
    return [nodes[0]!.id !== nodes[1]!.id, nodes[0]!.name === nodes[0]!.id, ops.create(graph, 'Foo', { name: 'given' }).name];
  }, undefined, { 'ops/foo.js': foo() })).toEqual([true, true, 'given']);
});

test('O-06 O-07 O-08 type, version and op', async () => {
  const more = { 'ops/foo.js': foo(), 'ops/bar.js': "import { Op } from '@mo/wasm/extension';\nexport class Bar extends Op { static op = 'Bar'; }" };
  expect(await seen('front', (graph, { ops }) => ['Foo', 'Bar', 'SoftPlus'].map((op) => {
    const node = ops.create(graph, op);
    return [node.get('op'), node.get('type'), node.get('version') ?? ''];
  }), undefined, more)).toEqual([['Foo', 'Foo', 'my_opset'], ['Bar', null, 'experimental'], ['SoftPlus', 'SoftPlus', 'opset4']]);
});

test('O-08 an operation without a type must not reach the IR', async () => {
  const failure = await failureOf({ 'ops/foo.js': foo('static type = undefined;'), 'front/onnx/foo_ext.js': extractor(take) }, fooNet);
  expect(failure).toMatchObject({ node: 'foo', code: 'MO5001' });
});

test('O-09 I-14 infer gets one node; without it inference fails', async () => {
  const { xml } = await convertWith(both('', 'if (arguments.length !== 1) throw new Error(); node.outPort(0).data.setShape([null, 2, [3, 5]]);'), fooNet);
  expect(layer(xml)).toMatch(/<dim>-1<\/dim>\s*<dim>2<\/dim>\s*<dim>-1<\/dim>/);
  expect(await failureOf({ ...both('', ''), 'ops/foo.js': foo().replace('static infer', 'static other') }, fooNet)).toMatchObject({ code: 'MO3007', node: 'foo' });
});

test('I-20 an error in infer names class, line and node', async () => {
  const failure = await failureOf(both('', '\n null.shape; '), fooNet);
  expect(failure).toMatchObject({ code: 'MO4004', node: 'foo', file: 'extension/ops/foo.js' });
  expect(failure.text).toMatch(/Foo\.infer \(extension\/ops\/foo\.js:7\): TypeError: /);
});

test('O-10 O-11 types come from typeInfer, from data_type, or from input 0', async () => {
  const precision = async (files: Files) => /precision="(\w+)"[^>]*names="f"/.exec((await convertWith(files, fooNet)).xml)?.[1];
  expect(await precision(both())).toBe('FP32');
  expect(await precision(both("static typeInfer(node) { node.outPort(0).data.setType('f16'); }"))).toBe('FP16');
  expect(await precision({ ...both(), 'front/onnx/foo_ext.js': extractor("Foo.updateNodeStat(node, { data_type: 'i32' }); return true;") })).toBe('I32');
});

test('O-12 O-13 P-12 O-22 port counts: of the class, and of the caller', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const two = ops.create(graph, 'Foo');
    const four = ops.create(graph, 'Concat', { axis: 0, in_ports_count: 4 });
    return [[...two.inPorts().keys()], [...two.outPorts().keys()], four.inPorts().size];
  }, undefined, { 'ops/foo.js': foo('static outPortsCount = 3;').replace('inPortsCount = 1', 'inPortsCount = 2') })).toEqual([[0, 1], [0, 1, 2], 4]);
});

test('O-12 port counts of built-in operations', async () => {
  expect(await seen('front', (graph, { ops }) => ['Const', 'Parameter', 'ReLU', 'Add', 'Gather', 'OneHot', 'FakeQuantize', 'TopK'].map((op) => {
    const node = ops.create(graph, op);
    return [op, node.inPorts().size, node.outPorts().size];
  }))).toEqual([['Const', 0, 1], ['Parameter', 0, 1], ['ReLU', 1, 1], ['Add', 2, 1], ['Gather', 3, 1], ['OneHot', 4, 1], ['FakeQuantize', 5, 1], ['TopK', 2, 2]]);
});

test('O-14 X-05 classes are found by their op', async () => {
  expect(await seen('front', (_graph, { ops, Op }) => [
    ops.classByName('Foo') === (globalThis as any).registered, ops.classByName('Foo')!.prototype instanceof Op,
    ops.classByName('SoftMax') === ops.classByName('SoftMax'), ops.classByName('SoftMax')!.op, ops.classByName('SoftMax')!.prototype instanceof Op,
    typeof ops.classByName('Nothing'), typeof ops.classByName('constructor'), typeof ops.classByName(''),
  ], undefined, { 'ops/foo.js': foo('static { globalThis.registered = this; }') })).toEqual([true, true, true, 'SoftMax', true, 'undefined', 'undefined', 'undefined']);
  const softmax = foo('static { globalThis.registered = this; }').replace("op = 'Foo'", "op = 'SoftMax'");
  expect(await seen('front', (_graph, { ops }) => ops.classByName('SoftMax') === (globalThis as any).registered, undefined, { 'ops/softmax.js': softmax })).toBe(true);
});

test('O-14 an unknown name makes no operation', async () => {
  const unknown = [
    transformation('front', (graph, { ops }) => void ops.create(graph, 'Nothing')),
    transformation('front', (graph, { ops }) => ops.updateNodeStat('Nothing', graph.node['relu']!)),
  ];
  for (const module of unknown) expect(await failureOf({ 'front/a.js': module })).toMatchObject({ code: 'MO4004', text: expect.stringContaining('there is no operation "Nothing"') });
});

test('O-15 O-16 supportedAttrs are written unless there are backendAttrs', async () => {
  const supported = "static supportedAttrs() { return ['axis']; }";
  expect(layer((await convertWith(both(supported), fooNet)).xml)).toContain('<data axis="2" />');
  expect(layer((await convertWith(both(`${supported} static backendAttrs() { return ['mode']; }`), fooNet)).xml)).toContain('<data mode="fast" />');
});

test('O-17 O-18 O-19 the forms of records', async () => {
  const records = `['auto_pad', 'absent', ['strides', (...given) => given[given.length - 1].pb.attribute('strides').slice(2).join(',')], ['given', (...given) => given.length],
    ['pool-method', 'mode'], ['flag', () => true], ['none', () => null]]`;
  for (const [auto_pad, written] of [['null', ''], ["'same_upper'", 'auto_pad="same_upper" ']]) {
    const members = `static defaults = { mode: 'max', auto_pad: ${auto_pad} }; static backendAttrs() { return ${records}; }`;
    expect(layer((await convertWith(both(members), fooNet)).xml)).toContain(`<data ${written}strides="3,4" given="1" pool-method="max" flag="true" />`);
  }
});

test('O-20 createNode connects the first output of each input', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const concat = new (ops.classByName('Concat')! as any)(graph, { axis: 0 });
    const [op2, op4] = [graph.node['op2']!, graph.node['op4']!];
    const sources = (node: any) => [...node.inPorts().values()].map((port) => port.getSource() && `${port.getSource().node.id}.${port.getSource().index}`);
    return [concat.createNode([op2, op4]), concat.createNode([op4, op2.outPort(1)]), concat.createNode()].map(sources);
  }, fiveOperations)).toEqual([['op2.0', 'op4.0'], ['op4.0', 'op2.1'], [null]]);
});

test('X-13 built-in operations can be made', async () => {
  const { xml } = await convertWith({ 'front/a.js': transformation('front', (graph, { ops }) => {
    const mish = ops.create(graph, 'Mish', { name: 'my_mish' });
    graph.node['sig']!.outPort(0).getConnection()!.insertNode(mish);
  }) });
  expect(xml).toMatch(/name="my_mish" type="Mish" version="opset4"/);
});

test('E-08 E-12 E-10 an extractor runs for its operation, once a node, with the node', async () => {
  const files = { 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': extractor(`globalThis.calls = [...(globalThis.calls ?? []), [arguments.length, node instanceof Node, node.pb.opType]]; ${take}`) };
  expect(await seen('front', () => (globalThis as any).calls, fooNet, files)).toEqual([[1, true, 'Foo']]);
});

test('E-09 an inactive extractor is as if absent', async () => {
  const files = { 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': extractor(take, 'FooExtractor', 'static enabled = false;') };
  expect(await failureOf(files, fooNet)).toMatchObject({ code: 'MO2001', node: 'foo' });
});

test('E-04 E-05 an extractor wins over the built-in one, and one that gives false leaves it to it', async () => {
  const relu = (result: boolean) => ({ 'front/onnx/relu_ext.js': `
    import { FrontExtractorOp, ops } from '@mo/wasm/extension';
    export class MyRelu extends FrontExtractorOp {
      static op = 'Relu'; static enabled = true;
      static extract(node) { if (${result}) ops.updateNodeStat('Tanh', node); return ${result}; }
    }` });
  expect((await convertWith(relu(true))).xml).toMatch(/name="relu" type="Tanh"/);
  expect((await convertWith(relu(false))).xml).toMatch(/name="relu" type="ReLU"/);
});

test('E-13 E-14 E-15 E-22 updateNodeStat gives what the operation has, and wins', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['foo']!;
    return [node.get('op'), node.get('type'), typeof node.get('infer'), node.get('in_ports_count'), node.get('out_ports_count'),
      node.get('version'), node.get('IE'), node.get('axis'), node.get('mode')];
  }, fooNet, both("static backendAttrs() { return ['axis']; }"))).toEqual(['Foo', 'Foo', 'function', 1, 1, 'my_opset', ['axis'], 2, 'fast']);
});

test('E-15 attributes of updateNodeStat win over the defaults of a built-in operation', async () => {
  const axis = (given: string) => seen('front', (graph) => [graph.node['foo']!.get('op'), graph.node['foo']!.get('axis')], fooNet,
    { 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': extractor(`ops.updateNodeStat('SoftMax', node${given}); return true;`) });
  expect([await axis(', { axis: 2 }'), await axis('')]).toEqual([['SoftMax', 2], ['SoftMax', 1]]);
});

test('E-14 IE has the records of a built-in operation, which may be added to', async () => {
  const model: Model = { ...fooNet, nodes: [{ op: 'Softmax', name: 'soft', inputs: ['x'], outputs: ['f'], attributes: { axis: 1 } }, fooNet.nodes[1]!] };
  const outcome = await convertWith({ 'middle/more.js': transformation('middle', (graph) => {
    const soft = graph.node['soft']!;
    const records = soft.get<any[]>('IE')!;
    const before = records.map(([name, value]) => [name, value(soft)]);
    soft.set('axis', 2);
    soft.set('IE', [...records, ['mark', () => 7]]);
    return [before, graph.node['relu']!.get('IE')];
  }) }, model);
  expect(reports(outcome)).toEqual([[[['axis', '1']], []]]);
  // Values are those that the node has when the IR is written.
  expect(outcome.xml).toMatch(/name="soft" type="SoftMax" version="\w+">\s*<data axis="2" mark="7" \/>/);
});

test('E-13 updateNodeStat of a constant gives what every constant has', async () => {
  const become = extractor(`ops.updateNodeStat('Const', node, { value: tensor('f32', [1, 2, 4, 4], Array(32).fill(1)) });
    globalThis.seen = [node.get('op'), node.get('type'), typeof node.get('infer'), node.get('in_ports_count'), node.get('out_ports_count'), node.get('version'),
      node.inPorts().size, node.outPorts().size];
    return true;`);
  expect(await seen('front', () => (globalThis as any).seen, fooNet, { 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': become }))
    .toEqual(['Const', 'Const', 'function', 0, 1, 'opset1', 0, 1]);
});

test('E-14 updateNodeStat gives the node the number of ports of the operation', async () => {
  const ports = 'globalThis.seen = [[...node.inPorts().keys()], [...node.outPorts().keys()]];';
  const become = (text: string) => ({ 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': extractor(`${text} ${ports} return true;`) });
  const after = (text: string, model: Model = fooNet) => seen('front', () => (globalThis as any).seen, model, become(text));
  const constant = await convertWith(become("ops.updateNodeStat('Const', node, { value: tensor('f32', [1, 2, 4, 4], Array(32).fill(1)) });"), fooNet);
  expect(constant.xml).not.toContain('type="Foo"');
  expect(await after("ops.updateNodeStat('Const', node, { value: tensor('f32', [1, 2, 4, 4], Array(32).fill(1)) });")).toEqual([[], [0]]);
  expect(await after("ops.updateNodeStat('Tanh', node);")).toEqual([[0], [0]]);
  expect(await after('Foo.updateNodeStat(node, { in_ports_count: 3, out_ports_count: 2 });')).toEqual([[0, 1, 2], [0, 1]]);
  // Inputs may be as many as there are, and optional ones stay.
  const three = { ...fooNet, nodes: [{ ...fooNet.nodes[0]!, inputs: ['x', 'x', 'x'] }, ...fooNet.nodes.slice(1)] };
  expect(await after("ops.updateNodeStat('Concat', node, { axis: 1 });", three)).toEqual([[0, 1, 2], [0]]);
  expect(await after("ops.updateNodeStat('Add', node);", three)).toEqual([[0, 1], [0]]);
  expect(await after('node.addInputPort(5); Foo.updateNodeStat(node, { in_ports_count: 1 });', three)).toEqual([[0], [0]]);
});

test('E-08 E-17 E-18 an extractor of Constant reads the tensor, however the file has its numbers', async () => {
  const numbers = new Uint8Array(Float32Array.of(1.5, -3).buffer);
  // A TensorProto of two floats, in float_data or in raw_data.
  const constant = (name: string, field: number): Model['nodes'][number] =>
    ({ op: 'Constant', name, inputs: [], outputs: [name], attributes: { value: message([[1, 2], [2, 1], [field, numbers]]) } });
  const model: Model = {
    nodes: [constant('typed', 4), constant('raw', 9), { op: 'Add', name: 'add', inputs: ['x', 'typed'], outputs: ['t'] }, { op: 'Mul', name: 'mul', inputs: ['t', 'raw'], outputs: ['y'] }],
    weights: [],
    inputs: [{ name: 'x', shape: [2] }],
    outputs: [{ name: 'y', shape: [2] }],
  };
  const reading = { 'front/onnx/constant_ext.js': `import { FrontExtractorOp, onnxAttr, toArray } from '@mo/wasm/extension';
    globalThis.read = {};
    export class Reading extends FrontExtractorOp {
      static op = 'Constant';
      static extract(node) {
        const value = toArray(onnxAttr(node, 'value', 't'));
        globalThis.read[node.name] = [value.type, value.shape, Array.from(value.get())];
        return false;
      }
    }` };
  const read = ['f32', [2], [1.5, -3]];
  expect(await seen('front', () => (globalThis as any).read, model, reading)).toEqual({ typed: read, raw: read });
});

test('E-17 onnxAttr reads lists, gives what stands for an absent attribute, and refuses another kind', async () => {
  const files = { 'ops/foo.js': foo(), 'front/onnx/foo_ext.js': extractor(`
    const wrong = (() => { try { onnxAttr(node, 'axis', 'ints'); } catch (e) { return e.message; } })();
    globalThis.seen = [onnxAttr(node, 'strides', 'ints'), onnxAttr(node, 'none', 'f', 0.5), wrong]; ${take}`) };
  expect(await seen('front', () => (globalThis as any).seen, fooNet, files)).toEqual([[1, 2, 3, 4], 0.5, 'attribute "axis" is not of kind "ints"']);
});

test('E-21 an enabled operation is its own extractor', async () => {
  expect(layer((await convertWith({ 'ops/foo.js': foo('static enabled = true; static backendAttrs() { return ["mode"]; }') }, fooNet)).xml)).toContain('mode="fast"');
  expect(await failureOf({ 'ops/foo.js': foo() }, fooNet)).toMatchObject({ code: 'MO2001' });
});

test('E-20 the bases of other frameworks are there', async () => {
  const warnings = await convertWith({ 'front/caffe/a.js': `
    import { CaffePythonFrontExtractorOp } from '@mo/wasm/extension';
    export class P extends CaffePythonFrontExtractorOp { static op = 'm.Layer'; static enabled = true; static extract(node) { throw new Error('not for ONNX'); } }`,
  'front/mxnet/b.js': `
    import { MXNetCustomFrontExtractorOp } from '@mo/wasm/extension';
    export class M extends MXNetCustomFrontExtractorOp { static op = 'relu'; static enabled = true; }`,
  'front/probe.js': transformation('front', (_graph, { CaffePythonFrontExtractorOp }) =>
    CaffePythonFrontExtractorOp.parseParamStr({ get: () => "{'a': 1, 'b': True, 'c': [1, 2,],}" } as any)) });
  expect(reports(warnings)[0]).toEqual({ a: 1, b: true, c: [1, 2] });
});

test('O-09 G-28 I-16 I-18 infer may reshape a value, and set it', async () => {
  const infer = 'const value = node.inPort(0).data.getValue(); node.outPort(0).data.setValue(value.reshape([3, 2]));';
  const model = {
    nodes: [{ ...fooNet.nodes[0]!, inputs: ['w'] }, { op: 'Add', name: 'add', inputs: ['x', 'f'], outputs: ['y'] }],
    weights: [{ name: 'w', shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) }],
    inputs: [{ name: 'x', shape: [3, 2] }],
    outputs: [{ name: 'y', shape: [3, 2] }],
  };
  expect(await seen('middle', (graph) => {
    const port = graph.node['add']!.inPort(1);
    return [port.data.getShape(), Array.from(port.data.getValue()!.get())];
  }, model, { 'ops/foo.js': foo('', infer), 'front/onnx/foo_ext.js': extractor(take) })).toEqual([[3, 2], [1, 2, 3, 4, 5, 6]]);
});

test('E-06 extraction leaves nodes and edges as they were', async () => {
  expect(await seen('front', (graph) => [graph.getOpNodes().map((node) => node.id), graph.nodes().flatMap((node) => graph.inEdges(node)).length], fooNet, both()))
    .toEqual([['x', 'foo', 'relu', expect.any(String)], 3]);
});

test('I-15 a node has its infer, whether an extractor or a transformation makes it', async () => {
  expect(await seen('front', (graph, { ops }) => [graph.node['foo']!, ops.create(graph, 'Foo'), graph.node['relu']!, ops.create(graph, 'Tanh')].map((node) => typeof node.get('infer')), fooNet, both()))
    .toEqual(Array(4).fill('function'));
});

test("R-11 I-15 a node's own functions win over its operation's", async () => {
  const files = { 'middle/own.js': transformation('middle', (graph) => {
    const node = graph.node['sum']!;
    node.set('infer', (own: any) => own.outPort(0).data.setShape([2, null]));
    node.set('need_shape_inference', true);
  }), 'back/list.js': transformation('back', (graph) => {
    graph.node['sig']!.set('mark', 7);
    graph.node['sig']!.set('IE', [['mark', 'mark'], ['name_length', (own: any) => own.name.length]]);
  }, 'List') };
  const { xml } = await convertWith(files);
  expect(xml).toMatch(/name="sig" type="Sigmoid" version="opset1">\s*<data mark="7" name_length="3" \/>/);
  expect(/name="sum"[^]*?<output>[^]*?<\/output>/.exec(xml)![0]).toMatch(/<dim>2<\/dim>\s*<dim>-1<\/dim>\s*<\/port>\s*<\/output>/);
  expect(await failureOf({ 'middle/own.js': transformation('middle', (graph) => {
    graph.node['sig']!.set('IE', [['x', () => { throw new Error('no number'); }]]);
  }) })).toMatchObject({ code: 'MO4004', node: 'sig', text: expect.stringContaining('no number') });
});

test('G-04 O-03 an input of the model made by an extension has the shape that it is given', async () => {
  const made = (shape: string): Files => ({ 'front/a.js': `
    import { FrontReplacementPattern, ops } from '@mo/wasm/extension';
    export class AddInput extends FrontReplacementPattern {
      findAndReplacePattern(graph) {
        const input = ops.create(graph, 'Parameter', { name: 'made', shape: ${shape}, data_type: 'f32' });
        graph.node['sum'].inPort(0).setSource(input.outPort(0));
      }
    }` });
  const data = (xml: string) => /name="made" type="Parameter" version="opset1">\s*<data ([^>]*) \/>/.exec(xml)?.[1];
  expect(data((await convertWith(made('[2, 3]'))).xml)).toBe('shape="2,3" element_type="f32"');
  expect(data((await convertWith(made('[null, [2, 3]]'))).xml)).toBe('shape="?,2..3" element_type="f32"');
  expect(await failureOf(made('[-1, 3]'))).toMatchObject({ code: 'MO2010', node: 'made' });
});
