/** Groups L, E, F, I, M, B and R of the specification: what an extension sees in each phase, and what the IR has of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, updateConfig } from '../../dist/library/node/node.js';
import { convertWith, diamond, failureOf, fiveOperations, folder, fooNet, fourOperations, reports, seen, theFour, transformation, typesIn, type Files } from './extension_support.js';
import { convNet } from './models.js';
import { writeOnnx, type Model } from './onnx_writer.js';
import { listing, runNative, runNode, temporaryFolder } from './support.js';

const module = (text: string): string => `import * as mo from '@mo/wasm/extension';\nconst out = (x) => mo.log.warn('Probe=' + JSON.stringify(x));\n${text}`;
/** An operation of the extension, with its extractor. */
const foo = (op = '', infer = 'node.outPort(0).data.setShape(node.inPort(0).data.getShape());', extract = ''): Files => ({
  'front/onnx/foo.js': module(`
    export class Foo extends mo.Op { static op = 'Foo'; static type = 'Foo'; static version = 'mine'; static inPortsCount = 1; static infer(node) { ${infer} } ${op} }
    export class FooExtractor extends mo.FrontExtractorOp { static op = 'Foo'; static enabled = true; static extract(node) { ${extract} Foo.updateNodeStat(node); return true; } }`),
});
const twoFoos: Model = {
  ...fooNet,
  nodes: ['second', 'first'].map((name) => ({ op: 'Foo', domain: 'com.acme', name, inputs: [name === 'first' ? 'x' : 'f'], outputs: [name === 'first' ? 'f' : 'y'] })).reverse(),
};
const copy = 'node.outPort(0).data.setShape(node.inPort(0).data.getShape());';

test('U-06 B-01 F-11 E-12 extraction, front phase, inference, middle and back phase follow each other', async () => {
  const say = (phase: string) => `out('${phase}');`;
  const named = (phase: 'Front' | 'Middle' | 'Back') => module(`export class My${phase} extends mo.${phase}ReplacementPattern { findAndReplacePattern() { ${say(phase)} } }`);
  const outcome = await convertWith({ ...foo('', say('infer') + copy, say('extract')), 'back/c.js': named('Back'), 'middle/b.js': named('Middle'), 'front/a.js': named('Front') }, fooNet);
  expect(reports(outcome)).toEqual(['extract', 'Front', 'infer', 'Middle', 'Back']);
});

test('I-13 I-21 each operation is inferred once, after its producers', async () => {
  const files = { ...foo('', `out(node.name);${copy}`), 'middle/idle.js': transformation('middle', () => undefined, 'Idle') };
  expect(reports(await convertWith(files, twoFoos))).toEqual(['first', 'second']);
});

test('E-12 I-13 a model that is read twice, to cut it inside, has its own nodes', async () => {
  const cut = { input: '0:second' };
  const files = (infer: string) => foo('', `${infer}${copy}`);
  expect(reports(await convertWith(files('out(node.name);'), twoFoos, cut))).toEqual(['second']);
  // What extensions keep of the first reading is refused; it does not become another node.
  const kept = "globalThis.kept ??= node; try { kept.id; out(kept === node); } catch (error) { out(error.message); }";
  expect(reports(await convertWith(files(kept), twoFoos, cut))).toEqual(['there is no such node: the conversion that the graph belongs to is over']);
  // Constants are read from the model that is converted.
  const weights: Model = { ...twoFoos, weights: [{ name: 'w', shape: [1], data: new Float32Array([5]) }],
    nodes: [...twoFoos.nodes, { op: 'Mul', name: 'scaled', inputs: ['y', 'w'], outputs: ['z'] }], outputs: [{ name: 'z', shape: [1, 2, 4, 4] }] };
  const read = "const [product] = node.outPort(0).getDestinations(); out(product ? Array.from(product.node.inPort(1).data.getValue()?.get() ?? []) : 'none');";
  expect(reports(await convertWith(files(read), weights, cut))).toEqual([[5]]);
});

test('L-01 a path, bytes and a Blob give the same graph', async () => {
  const path = join(temporaryFolder(), 'model.onnx');
  writeFileSync(path, convNet);
  const files = { 'front/a.js': transformation('front', (graph) => graph.nodes().map((node) => [node.id, node.get('op'), graph.inEdges(node).map(({ from, attributes }) => [from.id, attributes])])) };
  const results = [];
  for (const model of [path, convNet, new Blob([Buffer.from(convNet)])]) {
    const { bin, warnings } = await convert(model, { extensions: files });
    await bin.close();
    results.push(warnings.map(({ text }) => text));
  }
  expect(results[0]![0]).toContain('batchNormInference');
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});

test('L-04 L-06 operations keep the description of the framework and the port numbers', async () => {
  expect(await seen('front', (graph) => graph.getOpNodes().filter(({ pb }) => pb).map(({ name, pb }) => [name, pb!.name, pb!.opType, pb!.framework])))
    .toEqual([['relu', 'Relu'], ['sig', 'Sigmoid'], ['square', 'Mul'], ['sum', 'Add']].map(([name, op]) => [name, name, op, 'onnx']));
  expect(await seen('front', (graph) => graph.node['relu']!.outPort(0).getDestinations().map(({ node, index }) => [node.name, index])))
    .toEqual([['sig', 0], ['square', 0], ['square', 1]]);
});

test('L-07 E-01 before extraction a node has only what the framework says, afterwards its operation', async () => {
  const files = { 'front/onnx/bar.js': module(`
    export class Bar extends mo.Op { static op = 'Bar'; static type = 'Bar'; static inPortsCount = 1; static defaults = { mode: 'fast' }; static infer(node) { ${copy} }
      static backendAttrs() { return ['mode']; } }
    export class FooExtractor extends mo.FrontExtractorOp { static op = 'Foo'; static enabled = true; static extract(node) {
      const facts = () => [node.get('op'), node.get('type') ?? null, node.get('mode') ?? null, typeof node.get('infer') === 'function', node.get('IE') ?? null];
      out(facts()); Bar.updateNodeStat(node); out(facts()); return true; } }`) };
  expect(reports(await convertWith(files, fooNet))).toEqual([['Foo', null, null, false, null], ['Bar', 'Bar', 'fast', true, ['mode']]]);
});

test('F-03 F-04 only inputs and constants have shapes in the front phase', async () => {
  expect(await seen('front', (graph) => [
    graph.nodes().every(({ kind }) => kind === 'op'), ['op1', 'op2', 'op3'].map((name) => graph.node[name]!.outPort(0).data.getShape()),
    ['x', 'w'].map((name) => [graph.node[name]!.get('op'), graph.node[name]!.get('shape')]),
  ], fiveOperations)).toEqual([true, [null, null, null], [['Parameter', [2, 6]], ['Const', [3]]]]);
  const { text } = await failureOf({ 'front/a.js': transformation('front', (graph) => graph.node['relu']!.outPort(0).data.setShape([1])) });
  expect(text).toContain('cannot be set before the middle phase');
});

test('I-01 I-08 I-09 tensors have a shape, and a value where it can be computed', async () => {
  const sums: Model = {
    nodes: [{ op: 'Add', name: 'known', inputs: ['two', 'three'], outputs: ['five'] }, { op: 'Add', name: 'unknown', inputs: ['x', 'five'], outputs: ['y'] }],
    weights: [{ name: 'two', shape: [1], data: Float32Array.of(2) }, { name: 'three', shape: [1], data: Float32Array.of(3) }],
    inputs: [{ name: 'x', shape: [2, 3] }],
    outputs: [{ name: 'y', shape: [2, 3] }],
  };
  expect(await seen('middle', (graph) => {
    const data = graph.node['unknown']!.inPort(1).data;
    const tensors = graph.nodes().filter(({ kind }) => kind === 'data');
    return [data.getShape(), Array.from(data.getValue()!.get()), graph.node['unknown']!.outPort(0).data.getShape(), graph.node['unknown']!.outPort(0).data.getValue(),
      tensors.map((tensor) => [tensor.hasValid('shape'), tensor.has('value')])];
  }, sums)).toEqual([[1], [5], [2, 3], null, expect.toSatisfy((known: boolean[][]) => known.length > 2 && known.flat().every(Boolean))]);
});

test('I-02 I-17 I-18 Reshape takes a computed target, and resolves 0 and -1', async () => {
  const reshape: Files = { 'front/a.js': transformation('front', (graph, { ops, int64Array }) => {
    const target = ops.create(graph, 'Concat', { axis: 0 }, [ops.constant(graph, int64Array([0])), ops.constant(graph, int64Array([-1]))]);
    const node = ops.create(graph, 'Reshape', { name: 'reshaped', special_zero: true });
    graph.node['x']!.outPort(0).getConnection()!.insertNode(node);
    node.inPort(1).connect(target.outPort(0));
  }, 'Put') };
  const model = { ...diamond, inputs: [{ name: 'x', shape: [2, 3, 4] }], outputs: [{ name: 'y', shape: [2, 12] }] };
  expect(await seen('middle', (graph) => {
    const { data } = graph.node['reshaped']!.outPort(0);
    return [data.getShape(), data.getValue(), Array.from(graph.node['reshaped']!.inPort(1).data.getValue()!.get({ asNumbers: true }))];
  }, model, reshape)).toEqual([[2, 12], null, [0, -1]]);
});

test('I-07 I-11 each output port has one tensor, from the middle phase on', async () => {
  const tensors = (phase: 'front' | 'middle' | 'back', base: string) => convertWith({ [`${phase}/a.js`]: module(`export class Tensors extends mo.${base} {
    pattern() { return { nodes: { tensor: { kind: 'data' } }, edges: [] }; }
    replacePattern(graph, { tensor }) { out(tensor.get('shape')); } }`) });
  expect(reports(await tensors('front', 'FrontReplacementPattern'))).toEqual([]);
  for (const [phase, base] of [['middle', 'MiddleReplacementPattern'], ['back', 'BackReplacementPattern']] as const)
    expect(reports(await tensors(phase, base))).toEqual(Array.from({ length: 5 }, () => [2, 3]));
});

test('I-12 a cycle that an extension makes is an error', async () => {
  const { text } = await failureOf({ 'front/a.js': transformation('front', (graph) => graph.node['relu']!.inPort(0).setSource(graph.node['sig']!.outPort(0))) });
  expect(text).toMatch(/relu[^]*sig|sig[^]*relu/);
});

test('F-10 O-09 an operation without infer is fine if it is gone before inference', async () => {
  const files = foo('static infer = undefined;');
  expect(await failureOf(files, fooNet)).toMatchObject({ code: 'MO3007', node: 'foo' });
  const replace = module("export class Replace extends mo.FrontReplacementOp { static op = 'Foo'; replaceOp(graph, node) { return mo.ops.create(graph, 'Tanh', {}, [node.inPort(0).getSource()]); } }");
  expect(typesIn((await convertWith({ ...files, 'front/replace.js': replace }, fooNet)).xml)).toEqual(['Parameter', 'Tanh', 'ReLU', 'Result']);
});

const matched = (base: string) => module(`export class Matched extends mo.${base} {
  pattern() { return { nodes: { a: { op: 'ReLU' }, data: { kind: 'data' }, b: { op: 'Sigmoid' } }, edges: [['a', 'data'], ['data', 'b']] }; }
  replacePattern(graph, { a, b }) { out([graph.phase, a.name, b.name]); } }`);
const generic = (base: string) => module(`export class Generic extends mo.${base} { findAndReplacePattern(graph) { out([graph.phase, graph.layout]); } }`);

test('M-04 M-05 M-06 B-06 B-07 B-08 both kinds of transformations run in middle/ and back/, alike', async () => {
  for (const [phase, base] of [['middle', 'MiddleReplacementPattern'], ['back', 'BackReplacementPattern']] as const) {
    const outcome = await convertWith({ [`${phase}/a.js`]: matched(base), [`${phase}/b.js`]: generic(base) });
    expect(reports(outcome).sort()).toEqual([[phase, 'NCHW'], [phase, 'relu', 'sig']]);
  }
});

test('B-02 M-06 dimension 1 has the channels of a model of ONNX, in the middle and in the back phase', async () => {
  const channels: Parameters<typeof transformation>[1] = (graph) => graph.getOpNodes({ op: 'Convolution' }).map((node) => node.outPort(0).data.getShape()![1]);
  const { bin, warnings } = await convert(convNet, { extensions: { 'middle/a.js': transformation('middle', channels, 'Middle'), 'back/a.js': transformation('back', channels, 'Back') } });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Middle=[16]'), expect.stringContaining('Back=[16]')]);
});

test('B-03 R-01 R-13 the back phase replaces internal operations; one that is left is refused', async () => {
  const files = foo('static type = undefined;');
  for (const none of ['undefined', 'null', "''"]) expect(await failureOf(foo(`static type = ${none};`), fooNet)).toMatchObject({ code: 'MO5001', node: 'foo' });
  const { xml } = await convertWith({ ...files, 'back/replace.js': module(`export class Replace extends mo.BackReplacementPattern {
    findAndReplacePattern(graph) {
      for (const node of graph.getOpNodes({ op: 'Foo' })) {
        const clamp = mo.ops.create(graph, 'AttributedClamp', { name: node.name + '/clamp', min: 0, max: 6 }, [node.inPort(0).getSource()]);
        node.outPort(0).getConnection().setSource(clamp.outPort(0));
        graph.removeNode(node);
      }
    } }`) }, fooNet);
  expect(typesIn(xml)).toEqual(['Parameter', 'Clamp', 'ReLU', 'Result']);
});

test('R-01 W-08 what ends a conversion in each phase is an error of both commands, too, and leaves no file', async () => {
  // The sum has a way to the input that does not go through the start.
  const leak = { transformations_config: JSON.stringify([{ id: 'Mine', match_kind: 'points', instances: { start_points: ['sig'], end_points: ['sum'] } }]) };
  const sub = "export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'Mine'; replaceSubGraph() {} }";
  const cases: [Files, object, Model][] = [
    [foo('static type = undefined;'), {}, fooNet],
    [foo('static infer = undefined;'), {}, fooNet],
    [foo('', "throw new Error('no shape');"), {}, fooNet],
    [{ 'front/a.js': module(sub) }, leak, diamond],
  ];
  const codes = [];
  for (const [files, options, model] of cases) {
    const { code, text } = await failureOf(files, model, options);
    const place = temporaryFolder(), out = temporaryFolder(), extensions = folder(files);
    writeFileSync(join(place, 'm.onnx'), writeOnnx(model));
    writeFileSync(join(place, 'config.json'), leak.transformations_config);
    for (const run of [runNode, runNative]) {
      const said = run(['m.onnx', '-o', out, '--extensions', extensions, ...(options === leak ? ['--transformations_config', 'config.json'] : [])], place);
      expect([said.code, listing(out), listing(place)]).toEqual([1, [], ['config.json', 'm.onnx']]);
      expect(said.stderr).toContain(`[ ERROR ]  ${code} ${text.replaceAll('extension/', 'my_ext/')}`);
    }
    codes.push(code);
  }
  expect(codes).toEqual(['MO5001', 'MO3007', 'MO4004', 'MO6045']);
});

test('R-02 R-04 R-05 I-05 I-06 layers have consecutive ids, a type and a version; ports have types and shapes', async () => {
  const { xml } = await convertWith({});
  const layers = Array.from(xml.matchAll(/<layer id="(\d+)"[^>]*type="(\w+)" version="(\w+)"/g));
  expect(layers.map(([, id]) => Number(id))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(layers.every(([, , , version]) => /^opset\d+$/.test(version!))).toBe(true);
  const outputs = Array.from(xml.matchAll(/<output>([^]*?)<\/output>/g), ([, text]) => text!);
  expect(outputs).toHaveLength(5);
  for (const output of outputs) expect(output).toMatch(/precision="FP32"[^]*<dim>2<\/dim>\s*<dim>3<\/dim>/);
  expect(xml).toMatch(/type="Parameter"[^]*?<data shape="2,\s*3" element_type="f32" \/>/);
  const edges = Array.from(xml.matchAll(/<edge from-layer="(\d+)" from-port="\d+" to-layer="(\d+)"/g));
  expect(edges).toHaveLength(7);
  for (const [, from, to] of edges) expect(Number(from)).toBeLessThan(Number(to));
});

test('R-08 R-09 layers and edges tell the graph with its ports, which are written alike for operations of the user', async () => {
  for (const [model, ops] of [[fiveOperations, {}], [fourOperations, theFour]] as const) {
    const outcome = await convertWith({ ...ops, 'back/a.js': transformation('back', (graph) => graph.getOpNodes().map((node) => [node.get('type'), node.name, [...node.outPorts().keys()],
      [...node.inPorts().values()].flatMap((port) => (port.disconnected() ? [] : [[port.index, port.getSource()!.node.name, port.getSource()!.index]]))]), 'Links') }, model);
    const layers = Array.from(outcome.xml.matchAll(/<layer id="(\d+)" name="([^"]*)" type="(\w+)"[^]*?<\/layer>/g), ([text, id, name, type]) => {
      const ports = (side: string) => Array.from((new RegExp(`<${side}>([^]*)</${side}>`).exec(text)?.[1] ?? '').matchAll(/<port id="(\d+)"/g), ([, port]) => port!);
      return { id, name, type, inputs: ports('input'), outputs: ports('output') };
    });
    const edges = Array.from(outcome.xml.matchAll(/<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="(\d+)"/g), ([, ...ends]) => ends as [string, string, string, string]);
    const byId = (id: string) => layers.find((layer) => layer.id === id)!;
    const rebuilt = layers.map(({ id, name, type, inputs, outputs }) => [type, name, outputs.map((_, index) => index),
      edges.filter(([, , to]) => to === id).map(([from, port, , input]) => [inputs.indexOf(input), byId(from).name, byId(from).outputs.indexOf(port)]).sort()]);
    const sorted = (rows: unknown) => (rows as string[][]).map((row) => JSON.stringify(row)).sort();
    expect(sorted(rebuilt)).toEqual(sorted(reports(outcome, 'Links')[0]));
  }
});

test('R-06 R-07 constants are in the .bin, equal ones once', async () => {
  const files = { 'front/a.js': transformation('front', (graph, { ops, tensor }) => {
    const numbers = [1, 2, 3].map((_, index) => tensor('f32', [3], index < 2 ? [1, 2, 3] : [4, 5, 6]));
    let last = graph.node['sum']!.inPort(0).getSource()!;
    for (const value of numbers) last = ops.create(graph, 'Maximum', {}, [last, ops.constant(graph, value).outPort(0)]).outPort(0);
    graph.node['sum']!.inPort(0).setSource(last);
  }, 'Put') };
  const { xml, bin } = await convert(writeOnnx(diamond), { extensions: files });
  const content = Buffer.from(await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  await bin.close();
  const places = Array.from(xml.matchAll(/type="Const"[^]*?<data [^>]*offset="(\d+)" size="(\d+)"/g), ([, offset, size]) => [Number(offset), Number(size)] as const);
  const values = places.map(([offset, size]) => Array.from({ length: size / 4 }, (_, index) => content.readFloatLE(offset + 4 * index)));
  expect(values.filter(([first]) => first === 1).length).toBeGreaterThan(0);
  expect(values.every((value) => [[1, 2, 3], [4, 5, 6]].some((want) => want.join() === value.join()))).toBe(true);
  const distinct = new Set(places.map(([offset]) => offset));
  expect(distinct.size).toBe(2);
});

test('R-03 R-10 R-14 types are inferred, and only attributes of the lists are written', async () => {
  const files = foo("static version = undefined; static defaults = { shown: 1, hidden: 2 }; static backendAttrs() { return ['shown']; } static typeInfer(node) { node.outPort(0).data.setType('i64'); }");
  const { xml } = await convertWith(files, { ...fooNet, nodes: [{ ...fooNet.nodes[0]!, outputs: ['y'] }] });
  expect(xml).toMatch(/name="foo" type="Foo" version="experimental">\s*<data shown="1" \/>[^]*?<output>\s*<port id="1" precision="I64"/);
});

test('L-03 A-33 loading gives one graph: extractors see all of it, and transformations get it', async () => {
  const facts = '[graph.phase, graph.nodes().map((node) => node.name), graph.nodes().every((node) => node.graph === graph)]';
  const files: Files = {
    'front/onnx/abs_ext.js': module(`export class AbsExtractor extends mo.FrontExtractorOp { static op = 'Abs'; static enabled = true;
      static extract(node) { const { graph } = node; globalThis.loaded = graph; out(${facts}); return false; } }`),
    'front/a.js': module(`export class Front extends mo.FrontReplacementPattern { findAndReplacePattern(graph) { out([...${facts}, globalThis.loaded === graph]); } }`),
  };
  const names = ['w', 'x', 'op1', 'op2', 'op3', 'op4', 'op5', 'data5_0/sink_port_0'];
  expect(reports(await convertWith(files, fiveOperations))).toEqual([['load', names, true], ['front', names, true, true]]);
});

test('A-33 L-06 I-11 the five operations keep their port numbers, and the tensor with two consumers is one', async () => {
  expect(await seen('front', (graph) => [0, 1].map((port) => graph.node['op2']!.outPort(port).getDestinations().map(({ node, index }) => [node.name, index])), fiveOperations))
    .toEqual([[['op3', 1], ['op5', 0]], [['op4', 0]]]);
  expect(await seen('middle', (graph) => {
    const tensors = graph.nodes().filter(({ kind }) => kind === 'data');
    const outputs = graph.getOpNodes().reduce((sum, node) => sum + node.outPorts().size, 0);
    const source = graph.node['op3']!.inPort(1).getSource()!;
    const shared = graph.node['op3']!.inNode(1);
    return [tensors.length === outputs, tensors.length > 5, tensors.filter((tensor) => tensor === shared).length, graph.outEdges(shared).length, shared === source.node.outNode(0)];
  }, fiveOperations)).toEqual([true, true, 1, 2, true]);
});

test('E-11 L-04 after extraction nothing needs the description of the framework', async () => {
  const files = { 'front/forget.js': transformation('front', (graph) => {
    for (const old of graph.getOpNodes({ op: (op: string) => !['Parameter', 'Const'].includes(op) })) {
      const made = graph.addNode(`${old.id}/again`, { op: old.get('op')!, in_ports_count: old.inPorts().size, out_ports_count: old.outPorts().size });
      for (const name of old.attributeNames()) made.set(name, old.get(name)!);
      for (const port of old.inPorts().values()) made.inPort(port.index).connect(port.getSource()!);
      for (const port of old.outPorts().values()) port.getConnection()?.setSource(made.outPort(port.index));
      const { name } = old;
      graph.removeNode(old);
      made.name = name;
    }
    return graph.nodes().filter(({ pb }) => pb).length;
  }, 'Forget') };
  for (const model of [fiveOperations, diamond]) {
    const outcome = await convertWith(files, model);
    expect(reports(outcome, 'Forget')).toEqual([0]);
    expect(outcome.xml).toBe((await convertWith({}, model)).xml);
  }
});

/** Rewrites and decompositions that compute with the shape of x. */
const flattened: Model = {
  nodes: [
    { op: 'Flatten', name: 'flat', inputs: ['x'], outputs: ['f'], attributes: { axis: 2 } },
    { op: 'Softmax', name: 'soft', inputs: ['f'], outputs: ['s'], attributes: { axis: 1 } },
    { op: 'LpNormalization', name: 'norm', inputs: ['s'], outputs: ['n'], attributes: { axis: 1, p: 2 } },
    { op: 'Sigmoid', name: 'sig', inputs: ['n'], outputs: ['g'] },
    { op: 'Mul', name: 'swish', inputs: ['n', 'g'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3, 4] }],
  outputs: [{ name: 'y', shape: [] }],
};

test('F-07 built-in rewrites freeze no shape: with another one, only the shapes in the IR are others', async () => {
  const bytes = async (input_shape: string) => {
    const { xml, bin } = await convert(writeOnnx(flattened), { input_shape });
    const content = Buffer.from(await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()).toString('hex');
    await bin.close();
    expect(typesIn(xml)).toEqual(expect.arrayContaining(['ShapeOf', 'Reshape', 'Swish']));
    expect(xml).not.toMatch(/<Swish>|type="Sigmoid"/);
    return [xml.replace(/<rt_info>[^]*/, '').replace(/<dim>\d+<\/dim>\s*/g, '').replace(/(type="Parameter"[^>]*>\s*<data shape=)"[^"]*"/, '$1""'), content];
  };
  expect(await bytes('[2,3,4]')).toEqual(await bytes('[5,7,6]'));
});

test('R-12 a graph that an extension makes from nothing is written like a loaded one', async () => {
  const { xml } = await convertWith({ 'front/a.js': transformation('front', (graph, { ops, tensor }) => {
    graph.removeNodes(graph.nodes());
    const input = ops.create(graph, 'Parameter', { name: 'made/x', shape: [4], data_type: 'f32' });
    const sum = ops.create(graph, 'Add', { name: 'made/sum' }, [input, ops.constant(graph, tensor('f32', [1], [2]), { name: 'made/two' })]);
    ops.create(graph, 'Result', { name: 'made/result' }, [sum]);
  }) });
  const layers = Array.from(xml.matchAll(/<layer id="(\d+)" name="([^"]*)" type="(\w+)" version="(\w+)"/g), ([, ...facts]) => facts.join(' '));
  expect(layers).toEqual(['0 made/x Parameter opset1', '1 made/two Const opset1', '2 made/sum Add opset1', '3 made/result Result opset1']);
  expect(xml).toMatch(/<data element_type="f32" shape="1" offset="0" size="4" \/>/);
  expect(xml).toMatch(/name="made\/sum"[^]*?<output>\s*<port id="2" precision="FP32">\s*<dim>4<\/dim>/);
  expect(Array.from(xml.matchAll(/<edge [^>]*>/g))).toHaveLength(3);
});

/** A symbol of MXNet: one operator behind the other. */
const mxnetChain = (...operators: { op: string; name: string; attrs?: Record<string, string> }[]) => Buffer.from(JSON.stringify({
  nodes: [{ op: 'null', name: 'x', inputs: [], attrs: { __shape__: '(2, 3)' } }, ...operators.map((operator, index) => ({ ...operator, inputs: [[index, 0, 0]] }))],
  arg_nodes: [0], heads: [[operators.length, 0, 0]],
}));

test('V-01 E-20 an extractor of custom operations of MXNet reads the attributes of its op_type, and of no other operator', async () => {
  const files = { 'front/mxnet/foo.js': module(`export class Foo extends mo.Op { static op = 'Foo'; static type = 'Foo'; static version = 'mine'; static infer(node) { ${copy} }
      static backendAttrs() { return ['strength']; } }
    export class FooExtractor extends mo.MXNetCustomFrontExtractorOp { static op = 'relu'; static enabled = true; static extract(node) {
      out([node.name, node.pb.framework, node.pb.opType]); Foo.updateNodeStat(node, { strength: node.pb.attribute('strength') }); return true; } }`) };
  const model = mxnetChain({ op: 'Custom', name: 'c', attrs: { op_type: 'relu', strength: '7' } }, { op: 'relu', name: 'r' });
  await expect(convert(model)).rejects.toMatchObject({ messages: [{ code: 'MO2001', node: 'c' }] });
  const { xml, bin, warnings } = await convert(model, { extensions: files });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=["c","mxnet","relu"]')]);
  expect(typesIn(xml)).toEqual(['Parameter', 'Foo', 'ReLU', 'Result']);
  expect(xml).toMatch(/name="c" type="Foo" version="mine">\s*<data strength="7" \/>/);
});

test('V-02 points and scopes of a configuration choose a part of a model of MXNet', async () => {
  const files = { 'front/mxnet/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'Mine';
    replaceSubGraph(graph, match) { out(match.matchedNodes().map((node) => node.name).sort()); } }`) };
  const model = mxnetChain(...['a', 'part/b', 'part/c', 'd'].map((name) => ({ op: 'relu', name })));
  const points = JSON.stringify([{ id: 'Mine', match_kind: 'points', instances: { start_points: ['part/b'], end_points: ['part/c'] } }]);
  const scope = await updateConfig(model, JSON.stringify([{ id: 'Mine', match_kind: 'scope', instances: ['part'] }]));
  expect(JSON.parse(scope)).toEqual([{ id: 'Mine', match_kind: 'scope', instances: ['part'], inputs: [[{ node: 'b$', port: 0 }]], outputs: [{ node: 'c$', port: 0 }] }]);
  for (const transformations_config of [points, scope]) {
    const { bin, warnings } = await convert(model, { extensions: files, transformations_config });
    await bin.close();
    expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=["part/b","part/c"]')]);
  }
});

test('J-02 V-02 a configuration is for models that are read, also of MXNet; a model of another framework is refused by name before it', async () => {
  const files = { 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'MyGeneral';
    transformGraph(graph) { out(graph.framework); } }`) };
  const options = { extensions: files, transformations_config: JSON.stringify([{ id: 'MyGeneral', match_kind: 'general', custom_attributes: {} }]) };
  const { bin, warnings } = await convert(writeOnnx(diamond), options);
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe="onnx"')]);
  const mxnet = await convert(mxnetChain({ op: 'relu', name: 'y' }), options);
  await mxnet.bin.close();
  expect(mxnet.warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe="mxnet"')]);
  const kaldi = '<Nnet> <Sigmoid> 2 2 <!EndOfComponent> </Nnet> ';
  await expect(convert(Buffer.from(kaldi), options)).rejects.toMatchObject({ messages: [{ code: 'MO6054', text: expect.stringContaining('kaldi') }] });
});
