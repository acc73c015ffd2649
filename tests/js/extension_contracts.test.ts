/** A node that an extension has extracted is checked against its operation's contract; former names go on working. */
import { expect, test } from 'vitest';

import { convertWith, failureOf, fooNet, seen, type Files } from './extension_support.js';
import type { Model } from './onnx_writer.js';

const extractor = (body: string, op = 'Foo'): Files => ({ [`front/onnx/${op.toLowerCase()}_ext.js`]: `
  import { FrontExtractorOp, ops } from '@mo/wasm/extension';
  export class ${op}Extractor extends FrontExtractorOp {
    static op = '${op}';
    static enabled = true;
    static extract(node) { ${body} return true; }
  }` });

test('an attribute that the operation does not have is reported with those that it has', async () => {
  expect(await failureOf(extractor("ops.updateNodeStat('Elu', node, { alpha: 1, beta: 2 });"), fooNet)).toMatchObject({
    code: 'MO2009', node: 'foo', op: 'Foo', text: expect.stringContaining('beta of Elu'), hint: expect.stringContaining('Elu has alpha'),
  });
});

test('a missing attribute, one of another type and a missing input are reported', async () => {
  expect(await failureOf(extractor("ops.updateNodeStat('LeakyReLU', node);"), fooNet)).toMatchObject({ code: 'MO2003', node: 'foo' });
  expect(await failureOf(extractor("ops.updateNodeStat('Elu', node, { alpha: 'much' });"), fooNet)).toMatchObject({
    code: 'MO2010', node: 'foo', text: expect.stringContaining('alpha of Elu is no float'),
  });
  expect(await failureOf(extractor("node.set('op', 'PReLU');"), fooNet)).toMatchObject({ code: 'MO2006', node: 'foo' });
});

test('defaults are there, and what the framework left behind is not', async () => {
  const files = extractor("ops.updateNodeStat('Gelu', node);");
  expect(await seen('front', (graph) => {
    const node = graph.node['foo']!;
    return [node.get('approximation_mode'), node.get('axis'), node.get('strides')];
  }, fooNet, files)).toEqual(['ERF', null, null]);
});

test('an operation of the extension has the attributes that it is given', async () => {
  const files = {
    'ops/foo.js': `
      import { Op } from '@mo/wasm/extension';
      export class Elu extends Op {
        static op = 'Elu'; static type = 'MyElu';
        static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
      }`,
    ...extractor("ops.updateNodeStat('Elu', node, { anything: 'goes' });"),
  };
  expect((await convertWith(files, fooNet)).xml).toContain('type="MyElu"');
});

const clip: Model = {
  nodes: [
    { op: 'Selu', name: 'selu', inputs: ['x'], outputs: ['s'] },
    { op: 'Relu', name: 'relu', inputs: ['s'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};

test('a former name finds and makes the operation that it meant', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const found = graph.getOpNodes({ op: 'Selu' }).map((node) => node.get('op'));
    const made = ops.create(graph, 'Clamp', { name: 'made', min: 0, max: 6 });
    const inputs = ops.create(graph, 'Clamp', { name: 'inputs', in_ports_count: 3 });
    const out = [found, made.get('op'), inputs.get('op')];
    graph.removeNodes([made, inputs]);
    return out;
  }, clip)).toEqual([['AttributedSelu'], 'AttributedClamp', 'Clamp']);
});

test('a pattern with a former name matches', async () => {
  const files = { 'front/replace.js': `
    import { FrontReplacementSubgraph, ops } from '@mo/wasm/extension';
    export class Replace extends FrontReplacementSubgraph {
      static enabled = true;
      pattern() { return { nodes: { selu: { op: 'Selu' }, relu: { op: 'ReLU' } }, edges: [['selu', 'relu']] }; }
      replaceSubGraph(graph, { selu }) {
        const made = ops.create(graph, 'Clamp', { name: 'cut', min: 0, max: 6 }, [selu.inPort(0).getSource()]);
        selu.outPort(0).getConnection().setSource(made.outPort(0));
      }
    }` };
  expect((await convertWith(files, clip)).xml).toMatch(/type="Clamp"[\s\S]*<data min="0" max="6" \/>/);
});

test('a former name of an attribute reads and sets it', async () => {
  const files = extractor("ops.updateNodeStat('DepthToSpace', node, { blocksize: 1 });");
  expect(await seen('front', (graph) => {
    const node = graph.node['foo']!;
    return [node.get('blocksize'), node.get('block_size')];
  }, fooNet, files)).toEqual([1, 1]);
});
