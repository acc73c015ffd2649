/** Group J of the specification: the transformations configuration, as those who write extensions meet it. */
import { expect, test } from 'vitest';

import { convertWith, diamond, failureOf, reports, typesIn, type Files } from './extension_support.js';
import type { Model } from './onnx_writer.js';

const module = (text: string): string => `import * as mo from '@mo/wasm/extension';\nconst out = (x) => mo.log.warn('Probe=' + JSON.stringify(x));\n${text}`;
const config = (text: unknown) => ({ transformations_config: typeof text === 'string' ? text : JSON.stringify(text) }) as object;
const subgraph = (body: string, statics = ''): Files => ({ 'front/a.js': module(`export class A extends mo.FrontReplacementFromConfigFileSubGraph { static replacementId = 'Mine'; ${statics} ${body} }`) });
const names = subgraph('replaceSubGraph(graph, match) { out(match.matchedNodes().map((node) => node.name).sort()); }');
const points = (start_points: string[], end_points: string[], more = {}) => [{ id: 'Mine', match_kind: 'points', instances: { start_points, end_points }, ...more }];
const matched = async (...given: Parameters<typeof points>) => reports(await convertWith(names, chain, config(points(...given))));

/** s -> a -> e -> b; a also gets c, a computed constant; b also gets second, an input of the model. */
const chain: Model = {
  nodes: [
    { op: 'Relu', name: 'before', inputs: ['x'], outputs: ['t0'] },
    { op: 'Relu', name: 's', inputs: ['t0'], outputs: ['t1'] },
    { op: 'Exp', name: 'c', inputs: ['w'], outputs: ['t2'] },
    { op: 'Add', name: 'a', inputs: ['t1', 't2'], outputs: ['t3'] },
    { op: 'Sigmoid', name: 'e', inputs: ['t3'], outputs: ['t4'] },
    { op: 'Mul', name: 'b', inputs: ['t4', 'second'], outputs: ['t5'] },
    { op: 'Tanh', name: 'last', inputs: ['t5'], outputs: ['y'] },
  ],
  weights: [{ name: 'w', shape: [3], data: Float32Array.of(1, 2, 3) }],
  inputs: [{ name: 'x', shape: [2, 3] }, { name: 'second', shape: [2, 3] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};

test('J-19 J-20 J-21 a match by points goes forward from the start, then backward for what it uses', async () => {
  expect(await matched(['s'], ['e'])).toEqual([['a', 'c', 'e', 's', 'w'].sort()]);
});

test('J-22 an end that is not reached is an error that names it', async () => {
  expect((await failureOf(names, chain, config(points(['s'], ['before'])))).text).toContain('before');
});

test('J-23 a match must not contain inputs of the model', async () => {
  expect((await failureOf(names, chain, config(points(['s'], ['last'])))).text).toContain('second');
});

test('J-24 the redundant keys may be there, or not', async () => {
  const both = { include_inputs_to_sub_graph: true, include_outputs_to_sub_graph: true };
  expect(await matched(['s'], ['e'], both)).toEqual(await matched(['s'], ['e']));
});

test('J-25 a start point has one input', async () => {
  const failure = await failureOf(names, chain, config(points(['b'], ['last'])));
  expect([failure.code, failure.text]).toEqual(['MO6046', "a start point has more than one data input: 'b' of the entry with id 'Mine' has 2"]);
});

const general = { id: 'Mine', match_kind: 'general' };

test.each<[string, unknown, string]>([
  ['another match_kind', [{ ...general, match_kind: 'regex' }], 'regex'],
  ['an object instead of a list', general, 'list'],
  ['no id', [{ match_kind: 'general' }], 'id'],
  ['no match_kind', [{ id: 'Mine' }], 'match_kind'],
  ['no instances of a scope', [{ id: 'Mine', match_kind: 'scope' }], 'instances'],
  ['no instances of points', [{ id: 'Mine', match_kind: 'points' }], 'instances'],
  ['a list of points', [{ id: 'Mine', match_kind: 'points', instances: ['s'] }], 'instances'],
  ['an escape that JSON does not have', '[\n{ "id": "Mine", "match_kind": "scope", "instances": [".\\*InceptionV4"] }]', 'line 2'],
])('J-03 J-04 J-05 J-06 J-07 J-19 J-31 %s is an error', async (_what, text, place) => {
  const failure = await failureOf(names, chain, config(text));
  expect(failure.code).toMatch(/^MO60[34]\d$/);
  expect(`${failure.text} ${failure.hint}`).toContain(place);
});

test('J-05 J-26 J-28 each id runs the class that has it as replacementId', async () => {
  const of = (name: string) => module(`export class ${name} extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'id${name}'; transformGraph(graph, given) { out(['${name}', graph.phase, given]); } }`);
  const files = { 'front/a.js': of('A'), 'front/b.js': of('B'), 'front/c.js': of('C') };
  const entries = ['A', 'B'].map((name) => ({ id: `id${name}`, match_kind: 'general', custom_attributes: { name } }));
  expect(reports(await convertWith(files, diamond, config(entries))).sort()).toEqual([['A', 'front', { name: 'A' }], ['B', 'front', { name: 'B' }]]);
});

/** block_1 and block_2 of a sum and a product, with two inputs and two outputs each. */
const blocks: Model = {
  nodes: [
    { op: 'Relu', name: 'first', inputs: ['x'], outputs: ['p0'] },
    { op: 'Sigmoid', name: 'second', inputs: ['x'], outputs: ['q0'] },
    ...[1, 2].flatMap((i) => [
      { op: 'Add', name: `model/block_${i}/sum`, inputs: [`p${i - 1}`, `q${i - 1}`], outputs: [`p${i}`] },
      { op: 'Mul', name: `model/block_${i}/product`, inputs: [`q${i - 1}`, `p${i - 1}`], outputs: [`q${i}`] },
    ]),
    { op: 'Sub', name: 'end', inputs: ['p2', 'q2'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};
const at = (node: string, port: number) => ({ node, port });
const inputs = [[at('sum$', 0), at('product$', 1)], [at('sum$', 1), at('product$', 0)]];
const outputs = [at('sum$', 0), at('product$', 0)];
const scope = (more = {}) => [{ id: 'Mine', match_kind: 'scope', instances: ['.*block_1', '.*block_2'], inputs, outputs, ...more }];

test('F-09 J-07 J-09 J-30 J-32 a scope matches by prefix, each instance by itself', async () => {
  const found = async (instances: string[]) => reports(await convertWith(names, blocks, config(scope({ instances }))));
  expect(await found(['.*block_1', '.*block_2'])).toEqual([1, 2].map((i) => [`model/block_${i}/product`, `model/block_${i}/sum`]));
  expect(await found(['model/block_2'])).toEqual([['model/block_2/product', 'model/block_2/sum']]);
});

test('J-08 J-15 inputs and outputs of a match are in the order of the configuration', async () => {
  const seen = (given: object) => convertWith(subgraph(`replaceSubGraph(graph, match) {
    const where = ([node, port]) => [node.name.split('/').pop(), port];
    out([match.customAttributes, [0, 1].map((i) => match.inputNodes(i).map(where).sort()), [0, 1].map((i) => where(match.outputNode(i)))]); }`), blocks, config(scope({ instances: ['.*block_1'], ...given })));
  const [first, second] = [[['product', 1], ['sum', 0]], [['product', 0], ['sum', 1]]];
  expect(reports(await seen({ custom_attributes: { text: 'a', number: 123456, no: false } })))
    .toEqual([[{ text: 'a', number: 123456, no: false }, [first, second], [['sum', 0], ['product', 0]]]]);
  expect(reports(await seen({ inputs: [...inputs].reverse(), outputs: [...outputs].reverse() }))).toEqual([[{}, [second, first], [['product', 0], ['sum', 0]]]]);
});

test('J-12 J-14 J-16 J-17 one node that replaces a scope gets its inputs and outputs in the order of the configuration', async () => {
  const files = {
    'ops/pair.js': module("export class Pair extends mo.Op { static op = 'Pair'; static type = 'Pair'; static version = 'mine'; static inPortsCount = 2; static outPortsCount = 2; static infer(node) { for (const i of [0, 1]) node.outPort(i).data.setShape(node.inPort(i).data.getShape()); } static typeInfer(node) { for (const i of [0, 1]) node.outPort(i).data.setType(node.inPort(i).data.getType()); } }"),
    ...subgraph("generateSubGraph(graph, match) { return { pair: mo.ops.create(graph, 'Pair', { name: match.scope.slice(2) + '/pair' }) }; }"),
    'middle/look.js': module(`export class Look extends mo.MiddleReplacementPattern { findAndReplacePattern(graph) {
      const sources = (name) => [0, 1].map((i) => graph.getOpNodes({ name })[0].inPort(i).getSource()).map(({ node, index }) => [node.name, index]);
      out([sources('block_1/pair'), sources('block_2/pair'), sources('end')]); } }`),
  };
  const outcome = async (given: object) => convertWith(files, blocks, config(scope(given)));
  const straight = await outcome({});
  expect(typesIn(straight.xml)).toEqual(['Parameter', 'ReLU', 'Sigmoid', 'Pair', 'Pair', 'Subtract', 'Result']);
  expect(reports(straight)).toEqual([[[['first', 0], ['second', 0]], [['block_1/pair', 0], ['block_1/pair', 1]], [['block_2/pair', 0], ['block_2/pair', 1]]]]);
  const inner = await outcome({ inputs: inputs.map((ports) => [...ports].reverse()) });
  expect(reports(inner)).toEqual(reports(straight));
  const outer = await outcome({ inputs: [...inputs].reverse() });
  expect(reports(outer)).toEqual([[[['second', 0], ['first', 0]], [['block_1/pair', 1], ['block_1/pair', 0]], [['block_2/pair', 0], ['block_2/pair', 1]]]]);
});

test('J-10 J-11 J-13 the update adds inputs and outputs and keeps the rest', async () => {
  const { updateConfig } = await import('../../dist/library/node/node.js');
  const { writeOnnx } = await import('./onnx_writer.js');
  const template = scope({ inputs: undefined, outputs: undefined, custom_attributes: { keep: [1, 'two'] } });
  expect((await failureOf(names, blocks, config(template))).code).toBe('MO6041');
  const updated = JSON.parse(await updateConfig(writeOnnx(blocks), JSON.stringify(template)));
  expect(updated).toEqual([{ ...JSON.parse(JSON.stringify(template))[0], inputs: expect.any(Array), outputs: expect.any(Array) }]);
  const sorted = (ports: { node: string; port: number }[]) => ports.map(({ node, port }) => `${node}${port}`).sort();
  expect(updated[0].inputs.map(sorted).sort()).toEqual(inputs.map(sorted).sort());
  expect(sorted(updated[0].outputs)).toEqual(sorted(outputs));
  expect(reports(await convertWith(names, blocks, config(updated)))).toHaveLength(2);
});
