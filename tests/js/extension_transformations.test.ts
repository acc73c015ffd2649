/** Group T of the specification: how transformations are found, ordered, enabled and run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convertWith, diamond, failureOf, fiveOperations, folder, listedTransforms, reports, seen, transformation, typesIn, type Api, type Files } from './extension_support.js';
import { BOOL, INT64, writeOnnx, type Model } from './onnx_writer.js';
import { root, temporaryFolder } from './support.js';

const module = (text: string): string => `import * as mo from '@mo/wasm/extension';\nconst out = (x) => mo.log.warn('Probe=' + JSON.stringify(x));\n${text}`;
const run = async (files: Files, model: Model = diamond, options = {}) => reports(await convertWith(files, model, options));
const names = (file: string, name: string, statics = '') =>
  ({ [`${file}.js`]: module(`export class ${name} extends mo.${file.startsWith('front') ? 'Front' : file.startsWith('middle') ? 'Middle' : 'Back'}ReplacementPattern {
    ${statics} static runNotRecursively = true; findAndReplacePattern(graph) { out('${name}'); } }`) });

test('T-02 E-09 a class without `enabled` runs, a disabled one does not', async () => {
  expect(await run({ ...names('front/a', 'A'), ...names('front/b', 'B', 'static enabled = false;') })).toEqual(['A']);
});

test('T-03 T-07 `enabled` may be changed while the conversion runs, and switches win over that, too', async () => {
  const sets = (value: boolean) => ({
    'front/a.js': module(`import { B } from './b.js';\nexport class A extends mo.FrontReplacementPattern { static runBefore = [B]; findAndReplacePattern() { B.enabled = ${value}; out('A'); } }`),
    ...names('front/b', 'B', `static enabled = ${!value};`),
  });
  expect(await run(sets(false))).toEqual(['A']);
  expect(await run(sets(true))).toEqual(['A', 'B']);
  expect(await run(sets(false), diamond, { enabled_transforms: 'B' })).toEqual(['A', 'B']);
  expect(await run(sets(true), diamond, { disabled_transforms: 'B' })).toEqual(['A']);
});

test('T-04 ids are unique', async () => {
  const failure = await failureOf({ ...names('front/a', 'A', "static id = 'one';"), ...names('front/b', 'B', "static id = 'one';") });
  expect(failure.code).toBe('MO4002');
});

test('T-05 T-06 T-07 T-08 transformations are switched by id and by full name', async () => {
  const files = { ...names('front/a', 'A', "static enabled = false; static id = 'first';"), ...names('front/b', 'B') };
  expect(await run(files, diamond, { enabled_transforms: 'first' })).toEqual(['B', 'A']);
  expect(await run(files, diamond, { enabled_transforms: 'first', disabled_transforms: 'extension.front.b.B' })).toEqual(['A']);
});

test('T-10 forceCleanUp removes what nothing needs, in each phase, and no constant that is needed', async () => {
  for (const phase of ['front', 'middle', 'back'] as const) {
    const left = async (statics: string) => reports(await convertWith({
      [`${phase}/a.js`]: transformation(phase, (graph, { ops }) => void ops.create(graph, 'ReLU', { name: 'dangling' }, [graph.node['op1']!]), 'A', statics),
      [`${phase}/b.js`]: transformation(phase, (graph) => [graph.getNode('dangling') !== undefined, graph.getNode('w') !== undefined], 'B', "static runAfter = ['A'];"),
    }, fiveOperations), 'B');
    expect(await left('')).toEqual([[true, true]]);
    expect(await left('static forceCleanUp = true;')).toEqual([[false, true]]);
  }
});

const shapeless = (set: string, put: Parameters<typeof transformation>[1]) => ({
  'ops/foo.js': module("export class Foo extends mo.Op { static op = 'Foo'; static type = 'Foo'; static version = 'mine'; static inPortsCount = 1; }"),
  'middle/a.js': transformation('middle', put, 'A', '', set),
});
const byPorts: Parameters<typeof transformation>[1] = (graph, { ops }) =>
  graph.node['relu']!.inPort(0).getConnection()!.insertNode(ops.create(graph, 'Foo', { name: 'put' }));
const byEdges: Parameters<typeof transformation>[1] = (graph) => {
  const relu = graph.node['relu']!;
  relu.inPort(0).disconnect();
  graph.addNode('put', { op: 'Foo' });
  graph.addEdgesFrom([['x', 'put', { in: 0, out: 0 }], ['put', 'relu', { in: 0, out: 0 }]]);
};

test.each([['ports', byPorts], ['edges', byEdges]])('M-02 an operation that is added by %s needs a shape: from infer, or set by hand', async (_, put) => {
  expect(await failureOf(shapeless('', put))).toMatchObject({ code: 'MO3007', node: 'put' });
  const { xml } = await convertWith(shapeless("graph.node['put'].outPort(0).data.setShape([3, 2]);", put));
  expect(xml).toMatch(/name="put" type="Foo" version="mine">[^]*?<output>\s*<port id="1" precision="FP32"[^>]*>\s*<dim>3<\/dim>\s*<dim>2<\/dim>/);
  expect(xml).toMatch(/name="sum"[^]*?<output>[^]*?<dim>3<\/dim>\s*<dim>2<\/dim>/);
});

test('T-12 M-03 a node whose inputs changed is inferred again', async () => {
  const files = {
    'middle/a.js': transformation('middle', (graph, { ops, int64Array }) => {
      const reshape = ops.createWithConstInputs(graph, 'Reshape', { 1: int64Array([3, 2]) }, { name: 'reshaped', special_zero: false });
      graph.node['relu']!.inPort(0).getConnection()!.insertNode(reshape);
      return graph.node['relu']!.get('need_shape_inference');
    }, 'A'),
    'middle/b.js': transformation('middle', (graph) => graph.node['sum']!.outPort(0).data.getShape(), 'B', "static runAfter = ['A'];"),
  };
  const outcome = await convertWith(files);
  expect(reports(outcome, 'A')).toEqual([true]);
  expect(reports(outcome, 'B')).toEqual([[3, 2]]);
});

test('T-12 in the front phase, where nothing has a shape yet, an edit sets no mark; one that is set by hand stays', async () => {
  const files = (statics: string) => ({
    'front/a.js': transformation('front', (graph, { ops }) => {
      const relu = graph.node['relu']!;
      relu.inPort(0).getConnection()!.insertNode(ops.create(graph, 'Tanh', { name: 'put' }));
      const edited = relu.get('need_shape_inference');
      relu.set('need_shape_inference', true);
      return [edited, relu.get('need_shape_inference'), graph.node['put']!.get('need_shape_inference')];
    }, 'A', `static runBefore = ['B']; ${statics}`),
    'front/b.js': transformation('front', (graph) => graph.node['relu']!.get('need_shape_inference'), 'B'),
  });
  const outcome = await convertWith(files(''));
  expect([reports(outcome, 'A'), reports(outcome, 'B')]).toEqual([[[false, true, false]], [true]]);
  expect(typesIn(outcome.xml)).toContain('Tanh');
});

test('M-01 a transformation of the middle phase finds a tensor with a shape at every output', async () => {
  const files = { 'middle/a.js': transformation('middle', (graph) => graph.getOpNodes().flatMap((node) => [...node.outPorts().values()])
    .map(({ node, index, data }) => [data.getShape() !== null, node.outNode(index).kind]), 'First') };
  const [seen] = reports(await convertWith(files, fiveOperations), 'First') as [unknown[]];
  expect(seen.length).toBeGreaterThan(7);
  expect(seen).toEqual(seen.map(() => [true, 'data']));
});

test('T-13 graphCondition: all have to hold', async () => {
  const files = {
    ...names('front/a', 'A', 'static graphCondition = [() => true, () => false];'),
    ...names('front/b', 'B', "static graphCondition = [(graph) => graph.framework === 'onnx', () => true];"),
  };
  expect(await run(files)).toEqual(['B']);
});

test('T-14 T-15 T-17 runBefore and runAfter order', async () => {
  expect(await run({ ...names('front/a', 'A', "static runBefore = ['B'];"), ...names('front/b', 'B'), ...names('front/c', 'C', "static runBefore = ['A'];") }))
    .toEqual(['C', 'A', 'B']);
  expect(await run({ ...names('front/a', 'A'), ...names('front/b', 'B', "static runAfter = ['C'];"), ...names('front/c', 'C', "static runAfter = ['A'];") }))
    .toEqual(['A', 'C', 'B']);
});

test('T-17 a cycle is an error that names both', async () => {
  const { code, text } = await failureOf({ ...names('front/a', 'A', "static runBefore = ['B'];"), ...names('front/b', 'B', "static runBefore = ['A'];") });
  expect(code).toBe('MO4001');
  expect(text).toMatch(/\bA -> B -> A\b|\bB -> A -> B\b/);
});

test('T-17 an unknown name is an error', async () => {
  const { code, text } = await failureOf(names('front/a', 'A', "static runAfter = ['NobodyKnowsThis'];"));
  expect(code).toBe('MO4003');
  expect(text).toContain('NobodyKnowsThis');
});

test('T-19 T-20 T-43 F-11 M-01 classes stand between the anchors of their phase, or beside the anchors that they name', async () => {
  const files = {
    ...names('back/a', 'Back1'), ...names('middle/b', 'Middle1'), ...names('front/c', 'Front1'),
    ...names('middle/d', 'Early', "static runAfter = ['PreMiddleStart']; static runBefore = ['MiddleStart'];"),
    ...names('middle/e', 'Late', "static runAfter = ['MiddleFinish']; static runBefore = ['PostMiddleStart'];"),
    ...names('middle/f', 'Either', "static runAfter = ['PreMiddleStart'];"),
  };
  const order = listedTransforms(['--extensions', folder(files)]).map((row) => row[3]);
  const inOrder = (...wanted: string[]) => expect(order.filter((name) => wanted.includes(name!))).toEqual(wanted);
  inOrder('FrontStart', 'Front1', 'FrontFinish', 'PreMiddleStart', 'Early', 'MiddleStart', 'Middle1', 'MiddleFinish', 'Late', 'PostMiddleStart', 'BackStart', 'Back1', 'BackFinish');
  inOrder('PreMiddleStart', 'Either', 'MiddleFinish');
  expect(await run(files)).toEqual(order.filter((name) => ['Front1', 'Early', 'Middle1', 'Late', 'Either', 'Back1'].includes(name!)));
});

test('X-13 built-in transformations are neighbours by the names of their classes', () => {
  // Without neighbours names at the end of the alphabet come first.
  const files = {
    ...names('front/a', 'ZAfter', "static runAfter = ['NoOpEraser', 'StandaloneConstEraser', 'SoftplusFusion'];"),
    ...names('front/b', 'ABefore', "static runBefore = ['StandaloneConstEraser', 'MishFusion'];"),
    ...names('middle/c', 'Between', "static runAfter = ['RemoveIdentity']; static runBefore = ['MiddleStart'];"),
  };
  const order = listedTransforms(['--extensions', folder(files)]).map((row) => row[3]);
  for (const wanted of [['NoOpEraser', 'ZAfter'], ['ABefore', 'StandaloneConstEraser', 'ZAfter'], ['SoftplusFusion', 'ZAfter'], ['ABefore', 'MishFusion'], ['RemoveIdentity', 'Between', 'MiddleStart']])
    expect(order.filter((name) => wanted.includes(name!))).toEqual(wanted);
});

const pattern = (base: string, body: string, statics = '') => module(`export class Rewrite extends mo.${base} {
  ${statics}
  pattern() { return { nodes: { first: { op: 'ReLU' }, second: { op: (op) => op === 'Sigmoid' } }, edges: [['first', 'second']] }; }
  ${body}
}`);

const three: Model = {
  ...diamond,
  nodes: [0, 1, 2].flatMap((i) => [
    { op: 'Relu', name: `r${i}`, inputs: [i ? `s${i - 1}` : 'x'], outputs: [`t${i}`] },
    { op: 'Sigmoid', name: `g${i}`, inputs: [`t${i}`], outputs: [i === 2 ? 'y' : `s${i}`] },
  ]),
};

test('F-09 T-21 T-22 T-23 T-25 T-28 every place of the pattern is given, by alias', async () => {
  for (const [base, method] of [['FrontReplacementPattern', 'replacePattern'], ['FrontReplacementSubgraph', 'replaceSubGraph']])
    expect(await run({ 'front/a.js': pattern(base!, `${method}(graph, match) { out([match.first.name, match['second'].name, Object.keys(match), arguments.length]); }`) }, three))
      .toEqual([0, 1, 2].map((i) => [`r${i}`, `g${i}`, ['first', 'second'], 2]));
});

test.each(['{ nodes: { a: {} } }', '{ edges: [] }', 'undefined'])('T-24 a pattern has nodes and edges: %s is refused', async (given) => {
  const { text } = await failureOf({ 'front/a.js': module(`export class A extends mo.FrontReplacementPattern { pattern() { return ${given}; } replacePattern() {} }`) });
  expect(text).toMatch(given === 'undefined' ? /pattern\(\)/ : /an object with 'nodes' and 'edges'/);
});

test('T-26 conditions are literals or predicates', async () => {
  const found = (condition: string) => run({ 'front/a.js': module(`export class A extends mo.FrontReplacementPattern {
    pattern() { return { nodes: { n: { op: (op) => op !== 'Result' && op !== 'Parameter', ${condition} } }, edges: [] }; }
    replacePattern(graph, { n }) { out(n.name); } }`),
  'front/b.js': transformation('front', (graph) => {
    graph.node['relu']!.set('axis', 3);
    graph.node['sig']!.set('axis', 0);
    graph.node['sum']!.set('axis', null);
  }, 'B', "static runBefore = ['A'];") });
  expect(await found('axis: (v) => v > 0')).toEqual(['relu']);
  expect(await found('axis: 0')).toEqual(['sig']);
  expect(await found("name: 'square'")).toEqual(['square']);
  expect(await found('axis: null')).toEqual(['square', 'sum']);
});

test('T-26 an error in a predicate fails the conversion', async () => {
  const { text } = await failureOf({ 'front/a.js': module("export class A extends mo.FrontReplacementPattern { pattern() { return { nodes: { n: { op: () => { throw new Error('in predicate'); } } }, edges: [] }; } replacePattern() {} }") });
  expect(text).toContain('in predicate');
});

test('T-27 edges may ask for ports', async () => {
  const found = (edge: string) => run({ 'front/a.js': module(`export class A extends mo.FrontReplacementPattern {
    pattern() { return { nodes: { a: {}, b: { op: 'Add' } }, edges: [['a', 'b', ${edge}]] }; }
    replacePattern(graph, { a }) { out(a.name); } }`) });
  expect(await found('{ in: 1 }')).toEqual(['square']);
  expect(await found('{ in: 0 }')).toEqual(['sig']);
  expect(await found('{ out: 1 }')).toEqual([]);
  expect(await found('{ in: 1, out: 0 }')).toEqual(['square']);
  for (const any of ['', '{}']) expect(await found(any)).toEqual(['sig', 'square']);
});

test('T-29 generateSubGraph is wired by its edges', async () => {
  const { xml } = await convertWith({ 'front/a.js': pattern('FrontReplacementSubgraph', `
    generateSubGraph(graph, match) { return { tanh: mo.ops.create(graph, 'Tanh', { name: match.second.name + '/new' }) }; }
    inputEdgesMatch() { return [[['first', 0], ['tanh', 0]]]; }
    outputEdgesMatch() { return [[['second', 0], ['tanh', 0]]]; }`) }, three);
  expect(typesIn(xml)).toEqual(['Parameter', 'Tanh', 'Tanh', 'Tanh', 'Result']);
});

test('T-23 T-30 what replaceSubGraph leaves as it was stays, the nodes and what joins them', async () => {
  const links = 'const links = () => graph.nodes().map((node) => [node.id, ...[...node.inPorts().values()].map((port) => port.getSource()?.node.id)]);';
  const { xml, warnings } = await convertWith({ 'front/a.js': pattern('FrontReplacementSubgraph', `replaceSubGraph(graph, match) { ${links} out([match.first.name, links()]); }`) }, three);
  expect(xml).toBe((await convertWith({}, three)).xml);
  const seen = reports({ xml, warnings }) as [string, unknown][];
  expect(seen.map(([name]) => name)).toEqual(['r0', 'r1', 'r2']);
  for (const [, now] of seen) expect(now).toEqual(seen[0]![1]);
  // One match is replaced, the others are left early.
  const one = await convertWith({ 'front/a.js': pattern('FrontReplacementSubgraph', `replaceSubGraph(graph, { first, second }) {
    if (first.name !== 'r1') return;
    second.outPort(0).getConnection().setSource(mo.ops.create(graph, 'Tanh', {}, [first.inPort(0).getSource()]).outPort(0)); }`) }, three);
  expect(typesIn(one.xml)).toEqual(['Parameter', 'ReLU', 'Sigmoid', 'Tanh', 'ReLU', 'Sigmoid', 'Result']);
});

test('F-09 T-31 T-32 T-33 a FrontReplacementOp gets each node of its op', async () => {
  const op = (body: string) => ({ 'front/a.js': module(`export class A extends mo.FrontReplacementOp { static op = 'Sigmoid'; ${body} }`) });
  expect(await run(op('replaceSubGraph(graph, match) { out([Object.keys(match), match.op.name]); } replaceOp() { throw new Error(); }'), three))
    .toEqual([0, 1, 2].map((i) => [['op'], `g${i}`]));
  expect(await run(op('replaceOp(graph, node) { out([arguments.length, node.name, graph.phase]); return mo.ops.create(graph, "Tanh", {}, [node.inPort(0).getSource()]); }'), three))
    .toEqual([0, 1, 2].map((i) => [2, `g${i}`, 'front']));
});

test('T-34 T-35 what replaceOp returns takes over, and the node goes', async () => {
  const graphs = new Set<string>();
  for (const result of ['made', '[made]', 'made.id', '[made.id]', 'made.outPort(0)', '[made.outPort(0)]']) {
    const outcome = await convertWith({ 'front/a.js': module(`export class A extends mo.FrontReplacementOp { static op = 'Sigmoid';
      replaceOp(graph, node) { const made = mo.ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]); return ${result}; } }
      export class After extends mo.FrontReplacementPattern { static runAfter = ['A'];
        findAndReplacePattern(graph) {
          out(['r0', 'r1', 'r2', 'y/sink_port_0'].map((id) => graph.node[id].inPort(0).getSource()).map(({ node, index }) => [node.name, index]));
          out(['g0', 'g1', 'g2'].filter((id) => graph.getNode(id)).concat(graph.getOpNodes({ op: 'Sigmoid' }).map((node) => node.id)));
        } }`) }, three);
    expect(reports(outcome)).toEqual([[['x', 0], ['g0/tanh', 0], ['g1/tanh', 0], ['g2/tanh', 0]], []]);
    expect(typesIn(outcome.xml)).toEqual(['Parameter', 'ReLU', 'Tanh', 'ReLU', 'Tanh', 'ReLU', 'Tanh', 'Result']);
    graphs.add(outcome.xml);
  }
  expect(graphs.size).toBe(1);
});

test('T-34 T-35 replaceOp gives one replacement for each output, of several nodes and ports', async () => {
  const halves: Model = {
    nodes: [
      { op: 'Halves', domain: 'com.acme', name: 'halves', inputs: ['x'], outputs: ['a', 'b', 'c'] },
      { op: 'Tanh', name: 'first', inputs: ['a'], outputs: ['p'] }, { op: 'Sigmoid', name: 'second', inputs: ['b'], outputs: ['q'] }, { op: 'Relu', name: 'third', inputs: ['c'], outputs: ['r'] },
    ],
    weights: [], inputs: [{ name: 'x', shape: [4, 3] }], outputs: ['p', 'q', 'r'].map((name) => ({ name, shape: [] })),
  };
  const replace = (result: string) => ({ 'front/a.js': module(`export class A extends mo.FrontReplacementOp { static op = 'Halves'; replaceOp(graph, node) {
    const x = node.inPort(0).getSource();
    const split = mo.ops.createWithConstInputs(graph, 'Split', { 1: mo.tensor('i64', [], [0n]) }, { name: 'split', num_splits: 2 }, x);
    const square = mo.ops.create(graph, 'Mul', { name: 'square' }, [x, x]);
    return ${result};
  } }`) });
  const { xml } = await convertWith(replace('[split.outPort(1), split, square]'), halves);
  const id = (name: string) => new RegExp(`<layer id="(\\d+)" name="${name}"`).exec(xml)![1];
  const from = (name: string) => {
    const [, layer, port] = new RegExp(`<edge from-layer="(\\d+)" from-port="(\\d+)" to-layer="${id(name)}"`).exec(xml)!;
    return [layer, port];
  };
  expect([from('first'), from('second'), from('third')]).toEqual([[id('split'), '3'], [id('split'), '2'], [id('square'), '2']]);
  expect(await failureOf(replace('[split.outPort(1), split.outPort(0)]'), halves)).toMatchObject({ code: 'MO4004', text: expect.stringContaining('replaceOp() gives nothing for output 2, which has consumers') });
});

test('F-09 T-36 T-39 T-41 generic transformations run once with the graph, and not when disabled', async () => {
  for (const phase of ['front', 'middle', 'back'] as const) {
    const files = { [`${phase}/a.js`]: transformation(phase, (graph) => [graph.phase, graph.nodes().filter((node) => node.get('op') === 'ReLU').length]) };
    expect(await run(files, three)).toEqual([[phase, 3]]);
    expect(await run(files, three, { disabled_transforms: 'Probe' })).toEqual([]);
  }
});

test('T-37 T-38 M-07 patterns of the middle phase name tensors', async () => {
  const middle = (nodes: string, edges: string) => ({ 'middle/a.js': module(`export class A extends mo.MiddleReplacementPattern {
    pattern() { return { nodes: ${nodes}, edges: ${edges} }; }
    replacePattern(graph, match) { out([match.a.name, match.data?.kind, match.data?.get('shape')]); } }`) });
  expect(await run(middle("{ a: { op: 'ReLU' }, b: { op: 'Sigmoid' } }", "[['a', 'b']]"), three)).toEqual([]);
  expect(await run(middle("{ a: { op: 'ReLU' }, data: { kind: 'data' }, b: { op: 'Sigmoid' } }", "[['a', 'data'], ['data', 'b']]"), three))
    .toEqual([0, 1, 2].map((i) => [`r${i}`, 'data', [2, 3]]));
});

test('T-40 a MiddleReplacementPattern in back/ runs in the back phase', async () => {
  expect(await run({ 'back/a.js': module("export class A extends mo.MiddleReplacementPattern { pattern() { return { nodes: { d: { kind: 'data', value: null } }, edges: [] }; } replacePattern(graph, { d }) { out([graph.phase, d.kind]); } }") }, three))
    .toContainEqual(['back', 'data']);
});

test('T-43 bases are not run, subclasses of subclasses are', async () => {
  expect(await run({ 'front/a.js': module("export { FrontReplacementPattern } from '@mo/wasm/extension';\nclass Base extends mo.FrontReplacementPattern { findAndReplacePattern() { out(this.constructor.name); } }\nexport class A extends Base {}\nexport class B extends Base {}") }))
    .toEqual(['B', 'A']);
});

test('a match of which a node has been removed is skipped with a warning', async () => {
  const outcome = await convertWith({ 'front/a.js': module(`export class A extends mo.FrontReplacementPattern {
    pattern() { return { nodes: { a: { op: (op) => op === 'ReLU' || op === 'Sigmoid' }, b: { op: (op) => op === 'ReLU' || op === 'Sigmoid' } }, edges: [['a', 'b']] }; }
    replacePattern(graph, { a, b }) { b.outPort(0).getConnection().setSource(a.outPort(0)); graph.removeNode(b); } }`) }, three);
  expect(outcome.warnings.join()).toMatch(/removed|overlap/);
});

test('an async method is refused', async () => {
  const { text } = await failureOf({ 'front/a.js': module('export class A extends mo.FrontReplacementPattern { async findAndReplacePattern() {} }') });
  expect(text).toContain('cannot be async');
});

const config = (...entries: object[]) => ({ transformations_config: JSON.stringify(entries) }) as object;

test('F-09 a general transformation of the configuration file gets its attributes', async () => {
  const files = { 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'MyGeneral';
    transformGraph(graph, attributes) { out([graph.phase, attributes]); } }`) };
  expect(await run(files, diamond, config({ id: 'MyGeneral', match_kind: 'general', custom_attributes: { b: [1, { c: 'deep' }], a: 2 } })))
    .toEqual([['front', { b: [1, { c: 'deep' }], a: 2 }]]);
  expect(await run(files)).toEqual([]);
});

const points = {
  id: 'MyPoints', match_kind: 'points', instances: { start_points: ['sig'], end_points: ['sig'] }, custom_attributes: { beta: 1 },
  inputs: [[{ node: 'sig$', port: 0 }]], outputs: [{ node: 'sig$', port: 0 }],
};

test('F-09 T-28 a sub-graph of the configuration file is seen as a match', async () => {
  const files = { 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'MyPoints';
    replaceSubGraph(graph, match) {
      const name = ([node, port]) => [node.name, port];
      out([match.customAttributes, match.scope, match.matchedNodes().map((n) => n.name), match.inputsCount(), match.outputsCount(),
        match.inputNodes(0).map(name), name(match.singleInputNode(0)), name(match.outputNode(0)), match.nodeByPattern('si.$')?.name, match.nodeByPattern('none')]);
    } }`) };
  expect(await run(files, diamond, config(points))).toEqual([
    [{ beta: 1 }, '', ['sig'], 1, 1, [['sig', 0]], ['sig', 0], ['sig', 0], 'sig', null],
  ]);
});

test('T-28 match[alias] gives a node of a sub-graph of the configuration file', async () => {
  const files = { 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'MyPoints';
    replaceSubGraph(graph, match) {
      const { sig, relu } = match;
      out([sig.name, match['sig'] === sig, relu === undefined, 'sig' in match, 'relu' in match, 'scope' in match, match.matchedNodes().length]);
    } }`) };
  expect(await run(files, diamond, config(points))).toEqual([['sig', true, true, true, false, true, 1]]);
});

test('T-28 the alias in a scope is what follows it', async () => {
  const scoped: Model = { ...three, nodes: three.nodes.map((node, index) => ({ ...node, name: `block_${index >> 1}/unit+1/${node.op}` })) };
  const files = { 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'MyScope';
    replaceSubGraph(graph, match) { out([match['unit+1/Relu'].name, match['unit+1/Sigmoid'].name, match['unit1/Relu'] ?? null, match.Relu ?? null]); } }`) };
  const entry = (...instances: string[]) => config({ id: 'MyScope', match_kind: 'scope', instances, inputs: [[{ node: 'Relu$', port: 0 }]], outputs: [{ node: 'Sigmoid$', port: 0 }] });
  const expected = ['0', '2'].map((block) => [`block_${block}/unit+1/Relu`, `block_${block}/unit+1/Sigmoid`, null, null]);
  expect(await run(files, scoped, entry('block_0', 'block_2/'))).toEqual(expected);
});

test('T-29 generateSubGraph of a configuration class is wired', async () => {
  const { xml } = await convertWith({ 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'MyPoints';
    generateSubGraph(graph, match) { return { tanh: mo.ops.create(graph, 'Tanh', { name: 'made' }) }; } }`) }, diamond, config(points));
  expect(xml).toMatch(/name="made" type="Tanh"/);
  expect(typesIn(xml)).not.toContain('Sigmoid');
});

const branch = (op: string): Model => ({ nodes: [{ op, name: `in_${op}`, inputs: ['x'], outputs: ['b'] }], weights: [], inputs: [], outputs: [{ name: 'b', shape: [2, 3] }] });
const branches: Model = {
  nodes: [
    { op: 'Greater', name: 'positive', inputs: ['c', 'zero'], outputs: ['condition'] },
    { op: 'If', name: 'if', inputs: ['condition'], outputs: ['y'], attributes: { then_branch: branch('Relu'), else_branch: branch('Sigmoid') } },
  ],
  weights: [{ name: 'zero', shape: [1], data: Float32Array.of(0) }],
  inputs: [{ name: 'x', shape: [2, 3] }, { name: 'c', shape: [1] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};

test('T-09 bodies are visited too, unless runNotRecursively', async () => {
  const visits = (statics: string) => run({ 'front/a.js': module(`export class A extends mo.FrontReplacementPattern { ${statics}
    findAndReplacePattern(graph) { out(graph.getOpNodes().map((node) => node.get('op')).filter((op) => ['If', 'ReLU', 'Sigmoid'].includes(op))); } }`) }, branches);
  for (const recursive of ['', 'static runNotRecursively = false;']) expect(await visits(recursive)).toEqual([['If'], ['ReLU'], ['Sigmoid']]);
  expect(await visits('static runNotRecursively = true;')).toEqual([['If']]);
  expect(readFileSync(join(root, 'docs/extending.md'), 'utf8')).toMatch(/^\| `runNotRecursively` \| .*; without it, or with `false`, these, too \|$/m);
});

test('a body is a graph in an attribute', async () => {
  expect(await seen('front', (graph) => {
    const owner = graph.node['if']!;
    const bodies = ['then_branch', 'else_branch', 'then_body', 'else_body', 'then_graph', 'else_graph'].filter((name) => owner.has(name)).map((name) => owner.get<any>(name));
    return bodies.map((body) => [body.phase, body === graph, body.getOpNodes({ op: 'ReLU' }).length]);
  }, branches)).toEqual([['front', false, 1], ['front', false, 0]]);
});

test('a graph is no attribute of a node that is in it', async () => {
  expect(await seen('front', (graph) => {
    const owner = graph.node['if']!;
    const body = owner.get<any>('then_graph') ?? owner.get<any>('then_branch');
    const refused = (set: () => void) => { try { set(); return ''; } catch (error) { return (error as Error).message; } };
    return [refused(() => owner.set('other', graph)), refused(() => body.nodes()[0].set('other', body))];
  }, branches)).toEqual([expect.stringContaining('the graph of the model is no body'), expect.stringContaining('a body cannot have itself in it')]);
});

test('J-27 a general transformation gets the custom attributes as they stand in the configuration', async () => {
  const attributes = { classes: 20, coords: 4, num: 2, do_softmax: 0, text: 'a', list: [1, [2.5, null]], nested: { yes: true } };
  const files = { 'front/general.js': `
    import { FrontReplacementFromConfigFileGeneral, log } from '@mo/wasm/extension';
    export class General extends FrontReplacementFromConfigFileGeneral {
      static replacementId = 'mine';
      transformGraph(graph, given) { log.warn('General=' + JSON.stringify(given)); }
    }` };
  const outcome = await convertWith(files, undefined, config({ id: 'mine', match_kind: 'general', custom_attributes: attributes }));
  expect(reports(outcome, 'General')).toEqual([attributes]);
});

test('T-16 T-42 bases with members of their own, all from one module', async () => {
  const api = await import('../../dist/extension/api.js');
  const bases = Object.entries(api).filter(([name]) => /Replacement|Transformation$/.test(name)).map(([name]) => name).sort();
  expect(bases).toEqual(['BackReplacementPattern', 'FrontReplacementFromConfigFileGeneral', 'FrontReplacementFromConfigFileSubGraph',
    'FrontReplacementOp', 'FrontReplacementPattern', 'FrontReplacementSubgraph', 'MiddleReplacementPattern', 'Transformation']);
  const missing = await failureOf({ 'front/a.js': `
    import { FrontReplacementOp } from '@mo/wasm/extension';
    export class NoOp extends FrontReplacementOp { replaceOp() {} }` });
  expect(missing).toMatchObject({ code: 'MO4004', text: expect.stringContaining('NoOp') });
});

const BASES = {
  FrontReplacementPattern: ['front', 'findAndReplacePattern(graph) { RUN }'],
  FrontReplacementSubgraph: ['front', 'findAndReplacePattern(graph) { RUN }'],
  FrontReplacementOp: ['front', "static op = 'Sigmoid'; replaceSubGraph(graph) { RUN }"],
  FrontReplacementFromConfigFileGeneral: ['front', "static replacementId = 'NAME'; transformGraph(graph) { RUN }"],
  FrontReplacementFromConfigFileSubGraph: ['front', "static replacementId = 'NAMEPoints'; replaceSubGraph(graph) { RUN }"],
  MiddleReplacementPattern: ['middle', 'findAndReplacePattern(graph) { RUN }'],
  BackReplacementPattern: ['back', 'findAndReplacePattern(graph) { RUN }'],
};

type Shared = 'enabled' | 'id' | 'runNotRecursively' | 'forceCleanUp' | 'forceShapeInference' | 'graphCondition' | 'runBefore' | 'runAfter';
/** The shipped types declare them for each base. */
type Declared = { [Base in keyof typeof BASES]: Pick<(typeof Api)[Base], Shared> };
const bases = Object.entries(BASES) satisfies [string, string[]][] as [keyof Declared, string[]][];

test.each(bases)('T-01 %s has the members that all classes share', async (base, [phase, members]) => {
  const variants = {
    Plain: '', Off: 'static enabled = false;', Refused: 'static graphCondition = [() => false];', ById: "static id = 'by id';", Last: 'static runAfter = LAST;',
    First: 'static runBefore = FIRST;', Cleans: 'static forceCleanUp = true;', Infers: 'static forceShapeInference = true;', Once: 'static runNotRecursively = true;',
  };
  const own = Object.keys(variants);
  const others = (name: string) => JSON.stringify(own.filter((one) => one !== name && !['First', 'Last'].includes(one)));
  const files = { [`${phase}/all.js`]: module(own.map((name) => `export class ${name} extends mo.${base} {
    ${variants[name as keyof typeof variants].replace('LAST', others(name)).replace('FIRST', others(name))} ${members!.replaceAll('RUN', `out('${name}')`).replaceAll('NAME', name)} }`).join('\n')) };
  const entries = own.flatMap((name) => [{ id: name, match_kind: 'general', custom_attributes: {} }, { ...points, id: `${name}Points` }]);
  const ran = await run(files, diamond, { ...config(...entries), disabled_transforms: 'by id' });
  expect(ran[0]).toBe('First');
  expect(ran.at(-1)).toBe('Last');
  expect([...ran].sort()).toEqual(['Cleans', 'First', 'Infers', 'Last', 'Once', 'Plain']);
});

test('T-11 T-12 I-21 forceShapeInference infers the nodes that need it, and no others', async () => {
  const op = (name: string) => `export class ${name} extends mo.Op { static op = '${name}'; static type = '${name}'; static enabled = true; static inPortsCount = 1;
    static infer(node) { out('${name}'); node.outPort(0).data.setShape(node.inPort(0).data.getShape()); } }`;
  const model: Model = {
    ...diamond,
    nodes: ['Marked', 'Other'].map((name, index) => ({ op: name, domain: 'com.acme', name, inputs: [index ? 'm' : 'x'], outputs: [index ? 'y' : 'm'] })),
  };
  const calls = (statics: string) => run({
    'ops/both.js': module(op('Marked') + op('Other')),
    'front/mark.js': module(`export class Mark extends mo.FrontReplacementPattern { ${statics} static runBefore = ['Look'];
      findAndReplacePattern(graph) { for (const node of graph.nodes()) node.set('need_shape_inference', node.name === 'Marked'); } }`),
    'front/look.js': module("export class Look extends mo.FrontReplacementPattern { findAndReplacePattern() { out('Look'); } }"),
  }, model);
  expect((await calls('')).slice(0, 1)).toEqual(['Look']);
  expect((await calls('static forceShapeInference = true;')).slice(0, 2)).toEqual(['Marked', 'Look']);
});

const ANCHORS = ['LoadFinish', 'FrontStart', 'FrontFinish', 'PreMiddleStart', 'MiddleStart', 'MiddleFinish', 'PostMiddleStart', 'BackStart', 'BackFinish'];
/** For each phase the transformation with which it may begin, and the one before which it has to end. */
const BOUNDS = { front: ['LoadFinish', 'PartialInfer'], middle: ['FrontFinish', 'PostMiddleStart'], layout: ['MiddleFinish', 'BackStart'], back: ['ApplyPermutation', ''] };

test('T-18 T-19 anchors change nothing, and everything lies between those of its phase', async () => {
  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  const rows = listedTransforms(['m.onnx'], place).filter(([position]) => /^\d/.test(position!));
  const at = (name: string) => {
    const found = rows.findIndex((row) => row[3] === name);
    expect(found, name).not.toBe(-1);
    return found;
  };
  expect(rows.map((row) => row[3]).filter((name) => ANCHORS.includes(name!))).toEqual(ANCHORS);
  for (const [index, [, phase, , name]] of rows.entries()) {
    const [from, to] = BOUNDS[phase as keyof typeof BOUNDS];
    expect(index > at(from!) || name === from, `${name} after ${from}`).toBe(true);
    expect(!to || index < at(to), `${name} before ${to}`).toBe(true);
  }
  const dump = 'out(graph.nodes().map((node) => [node.id, node.get("op"), node.attributeNames(), [...node.inPorts().values()].map((port) => port.getSource()?.node.id ?? null)]))';
  for (const [phase, base, last, anchor, next] of [
    ['front', 'Front', 'LoadFinish', 'FrontStart', 'FrontFinish'], ['middle', 'Middle', 'CheckForCycle', 'PreMiddleStart', 'MiddleStart'],
    ['middle', 'Middle', 'MiddleStart', 'MiddleFinish', 'PostMiddleStart'], ['back', 'Back', 'ApplyPermutation', 'BackStart', 'BackFinish'],
  ]) {
    const around = await run({ [`${phase}/a.js`]: module(`
      export class Before extends mo.${base}ReplacementPattern { static runAfter = ['${last}']; static runBefore = ['${anchor}']; findAndReplacePattern(graph) { ${dump} } }
      export class After extends mo.${base}ReplacementPattern { static runAfter = ['${anchor}']; static runBefore = ['${next}']; findAndReplacePattern(graph) { ${dump} } }`) });
    expect(around).toHaveLength(2);
    expect(around[1]).toEqual(around[0]);
  }
});

const silu: Model = {
  ...diamond,
  nodes: [{ op: 'Sigmoid', name: 'sig', inputs: ['x'], outputs: ['s'] }, { op: 'Mul', name: 'mul', inputs: ['x', 's'], outputs: ['y'] }],
};

test('X-09 T-08 built-in transformations are named by the folders that extensions have', async () => {
  const types = async (disabled_transforms: string) => typesIn((await convertWith({}, silu, { disabled_transforms })).xml);
  expect(await types('')).toEqual(['Parameter', 'Swish', 'Result']);
  expect(await types('extensions.front.SwishFusion.SwishFusion')).toEqual(['Parameter', 'Sigmoid', 'Multiply', 'Result']);
  expect(await failureOf({}, silu, { disabled_transforms: 'extensions.middle.SwishFusion.SwishFusion' })).toMatchObject({ code: 'MO4003' });
});

const opsSeen = module(`export class A extends mo.MiddleReplacementPattern {
  findAndReplacePattern(graph) { out(graph.getOpNodes().map((node) => node.get('op')).filter((op) => ['Loop', 'TensorIterator', 'ReLU', 'Sigmoid'].includes(op)).sort()); } }`);

test('A-32 T-09 transformations run in the bodies of Loop and TensorIterator', async () => {
  const step: Model = {
    nodes: [
      { op: 'Relu', name: 'in_body', inputs: ['slice'], outputs: ['r'] },
      { op: 'Add', name: 'state', inputs: ['before', 'r'], outputs: ['after'] },
    ],
    weights: [],
    inputs: [{ name: 'before', shape: [3] }, { name: 'slice', shape: [3] }],
    outputs: [{ name: 'after', shape: [3] }],
  };
  const scan: Model = {
    nodes: [
      { op: 'Scan', name: 'scan', inputs: ['start', 'x'], outputs: ['last'], attributes: { body: step, num_scan_inputs: 1 } },
      { op: 'Sigmoid', name: 'sig', inputs: ['last'], outputs: ['y'] },
    ],
    weights: [],
    inputs: [{ name: 'start', shape: [3] }, { name: 'x', shape: ['n', 3] }],
    outputs: [{ name: 'y', shape: [3] }],
  };
  const turn: Model = {
    nodes: [
      { op: 'Relu', name: 'in_body', inputs: ['before'], outputs: ['after'] },
      { op: 'Identity', name: 'same', inputs: ['go'], outputs: ['on'] },
    ],
    weights: [],
    inputs: [{ name: 'i', shape: [], type: INT64 }, { name: 'go', shape: [], type: BOOL }, { name: 'before', shape: [2, 3] }],
    outputs: [{ name: 'on', shape: [], type: BOOL }, { name: 'after', shape: [2, 3] }],
  };
  const loop: Model = {
    ...diamond,
    nodes: [
      { op: 'Loop', name: 'loop', inputs: ['trips', '', 'x'], outputs: ['last'], attributes: { body: turn } },
      { op: 'Sigmoid', name: 'sig', inputs: ['last'], outputs: ['y'] },
    ],
    inputs: [{ name: 'x', shape: [2, 3] }, { name: 'trips', shape: [], type: INT64 }],
  };
  for (const [model, owner] of [[scan, 'TensorIterator'], [loop, 'Loop']] as const) {
    expect(await run({ 'middle/a.js': opsSeen }, model)).toEqual([['Sigmoid', owner].sort(), ['ReLU']]);
    const set = (value: boolean) => ({ 'middle/a.js': opsSeen.replace('ReplacementPattern {', `$& static runNotRecursively = ${value};`) });
    expect(await run(set(false), model)).toEqual([['Sigmoid', owner].sort(), ['ReLU']]);
    expect(await run(set(true), model)).toEqual([['Sigmoid', owner].sort()]);
    const { xml } = await convertWith({ 'middle/a.js': transformation('middle', (graph, { ops }) => {
      for (const old of graph.getOpNodes({ op: 'ReLU' })) {
        const made = ops.create(graph, 'Tanh', { name: 'made' }, [old.inPort(0).getSource()!]);
        old.outPort(0).getConnection()!.setSource(made.outPort(0));
      }
    }, 'Probe').replace('static runNotRecursively = true;', '') }, model);
    expect(xml).toMatch(new RegExp(`type="${owner}"[^]*<body>[^]*type="Tanh"[^]*</body>`));
    expect(xml).not.toContain('type="ReLU"');
  }
});
