/**
 * Group N of the specification in a model of ONNX: its layout is NCHW, but an extension may say that an operation has its
 * channels last. Only this operation changes its layout.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convertWith, diamond, failureOf, listedTransforms, reports, seen, transformation, typesIn, type Api, type Files } from './extension_support.js';
import { seeded, writeOnnx, type Model, type Node } from './onnx_writer.js';
import { temporaryFolder } from './support.js';

/** The operation LastConv {rank, strides, pads}: a convolution with channels last, its weights in the order of IR. */
const lastConv: Files = { 'front/onnx/last_conv_ext.js': `
  import { FrontExtractorOp, onnxAttr, ops } from '@mo/wasm/extension';
  export class LastConvExtractor extends FrontExtractorOp {
    static op = 'LastConv';
    static enabled = true;
    static extract(node) {
      const axes = [...Array(onnxAttr(node, 'rank', 'i')).keys()];
      ops.updateNodeStat('Conv', node, {
        strides: onnxAttr(node, 'strides', 'ints'), pads: onnxAttr(node, 'pads', 'ints'),
        batch_dims: [0], channel_dims: axes.slice(-1), spatial_dims: axes.slice(1, -1),
      });
      return true;
    }
  }` };

/** y = relu(LastConv(x, w)), then `more`, which reads r and makes y. */
function convolution(shape: number[], weights: number[], stride: number, pad: number, more: Node[] = [], moreWeights: Model['weights'] = []): Model {
  const axes = shape.length - 2;
  const attributes = { rank: shape.length, strides: Array(axes).fill(stride), pads: Array(2 * axes).fill(pad) };
  return {
    nodes: [
      { op: 'LastConv', domain: 'com.acme', name: 'conv', inputs: ['x', 'w'], outputs: ['c'], attributes },
      { op: 'Relu', name: 'relu', inputs: ['c'], outputs: [more.length ? 'r' : 'y'] },
      ...more,
    ],
    weights: [{ name: 'w', shape: weights, data: seeded(weights.reduce((a, b) => a * b)) }, ...moreWeights],
    inputs: [{ name: 'x', shape }],
    outputs: [{ name: 'y', shape: [] }],
  };
}
const photo = convolution([1, 224, 224, 3], [64, 3, 7, 7], 2, 3);
const video = convolution([1, 8, 224, 300, 3], [4, 3, 1, 1, 1], 1, 0);

/** Input and output of the convolution, and what the ReLU reads. */
const shapes = (graph: Api.Graph) => {
  const [conv] = graph.getOpNodes({ op: 'Convolution' });
  const relu = graph.getOpNodes({ op: 'ReLU' })[0]!;
  return [conv!.inPort(0).data.getShape(), conv!.outPort(0).data.getShape(), relu.inPort(0).data.getShape()];
};

test('I-19 M-06 N-01 N-06 N-13 a convolution is inferred with channels last, and has them at dimension 1 in the back phase', async () => {
  expect(await seen('middle', shapes, photo, lastConv)).toEqual([[1, 224, 224, 3], [1, 112, 112, 64], [1, 112, 112, 64]]);
  expect(await seen('back', shapes, photo, lastConv)).toEqual([[1, 3, 224, 224], [1, 64, 112, 112], [1, 112, 112, 64]]);
});

test('N-07 so has one with five dimensions', async () => {
  expect(await seen('middle', shapes, video, lastConv)).toEqual([[1, 8, 224, 300, 3], [1, 8, 224, 300, 4], [1, 8, 224, 300, 4]]);
  expect(await seen('back', shapes, video, lastConv)).toEqual([[1, 3, 8, 224, 300], [1, 4, 8, 224, 300], [1, 8, 224, 300, 4]]);
});

test('N-08 N-10 Transposes are inserted around it, and its neighbours keep their layout', async () => {
  const product = [{ op: 'MatMul', name: 'product', inputs: ['r', 'm'], outputs: ['y'] }];
  const model = convolution([1, 8, 10, 3], [4, 3, 3, 3], 1, 1, product, [{ name: 'm', shape: [4, 6], data: seeded(24) }]);
  const { xml } = await convertWith({
    ...lastConv,
    'back/orders.js': transformation('back', (graph) => graph.getOpNodes({ op: 'Transpose' })
      .map((node) => [node.name, Array.from(node.inPort(1).data.getValue()!.get({ asNumbers: true }))]), 'Orders'),
  }, model).then((outcome) => {
    expect(reports(outcome, 'Orders')).toEqual([[['conv/input_transpose', [0, 3, 1, 2]], ['conv/output_transpose', [0, 2, 3, 1]]]]);
    return outcome;
  });
  expect(typesIn(xml).filter((type) => type !== 'Const')).toEqual(['Parameter', 'Transpose', 'Convolution', 'Transpose', 'ReLU', 'MatMul', 'Result']);
  expect(xml).toMatch(/type="MatMul"[^]*?<output>[^]*?<dim>1<\/dim>\s*<dim>8<\/dim>\s*<dim>10<\/dim>\s*<dim>6<\/dim>/);
});

test('N-02 N-03 nothing changes where no operation needs it', async () => {
  const standard: Model = { ...photo, inputs: [{ name: 'x', shape: [1, 3, 224, 224] }], nodes: photo.nodes.map((node) => ({ ...node })) };
  standard.nodes[0] = { op: 'Conv', name: 'conv', inputs: ['x', 'w'], outputs: ['c'], attributes: { strides: [2, 2], pads: [3, 3, 3, 3] } };
  const links = (graph: Api.Graph) => graph.getOpNodes().map((node) => [node.name, node.get('op'), node.outPorts().get(0)?.data.getShape() ?? null,
    [...node.inPorts().values()].map((port) => port.getSource()?.node.name ?? null)]);
  const aroundTheChange = async (model: Model) => {
    const outcome = await convertWith({
      ...lastConv,
      'middle/a.js': transformation('middle', links, 'Before', "static runAfter = ['RemoveRedundantReshapes']; static runBefore = ['PostMiddleStart'];"),
      'back/a.js': transformation('back', links, 'After', "static runAfter = ['ApplyPermutations']; static runBefore = ['BackStart'];"),
    }, model);
    return [reports(outcome, 'Before'), reports(outcome, 'After')] as const;
  };
  for (const [model, count] of [[standard, 5], [diamond, 6]] as const) {
    const [before, after] = await aroundTheChange(model);
    expect(before[0]).toHaveLength(count);
    expect(after).toEqual(before);
  }
  const [before, after] = await aroundTheChange(photo);
  expect(after).not.toEqual(before);
});

/** An operation of the user's whose data may have channels last; input 1 has a number for each axis of the data. */
const pixels = (more = ''): Files => ({
  'front/onnx/pixels.js': `
    import { FrontExtractorOp, Op, ops } from '@mo/wasm/extension';
    export class Pixels extends Op {
      static op = 'Pixels'; static type = 'Pixels'; static inPortsCount = 2;
      static layout = { '*': 'spatial', batch_dims: 'inv', channel_dims: 'inv', spatial_dims: 'inv', axis: 'inv', 'input:1': 'shape' };
      static backendAttrs() { return ['axis']; }
      static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
    }
    export class PixelsExtractor extends FrontExtractorOp {
      static op = 'Pixels'; static enabled = true;
      static extract(node) {
        Pixels.updateNodeStat(node, { axis: 1, batch_dims: [0], channel_dims: [3], spatial_dims: [1, 2] });
        ${more}
        return true;
      }
    }`,
});
const onPixels: Model = {
  nodes: [
    { op: 'Shape', name: 'shape', inputs: ['x'], outputs: ['s'] },
    { op: 'Pixels', domain: 'com.acme', name: 'pixels', inputs: ['x', 's'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: ['n', 8, 10, 3] }],
  outputs: [{ name: 'y', shape: ['n', 8, 10, 3] }],
};

test('N-12 an attribute named in dim_attrs follows the change, one that is taken out does not', async () => {
  const axis = async (more?: string) => /<data axis="(\d)" \/>/.exec((await convertWith(pixels(more), onPixels)).xml)?.[1];
  expect(await axis()).toBe('2');
  expect(await axis("node.set('dim_attrs', node.get('dim_attrs').filter((name) => name !== 'axis'));")).toBe('1');
  expect(await axis("node.set('dim_attrs', []);")).toBe('1');
});

test('N-09 a Gather brings a computed shape into the layout of its reader', async () => {
  expect(await seen('back', (graph) => {
    const gather = graph.getOpNodes({ op: 'Pixels' })[0]!.inPort(1).getSource()!.node;
    return [gather.get('op'), gather.inPort(0).getSource()!.node.get('op'), Array.from(gather.inPort(1).data.getValue()!.get({ asNumbers: true }))];
  }, onPixels, pixels())).toEqual(['Gather', 'ShapeOf', [0, 3, 1, 2]]);
});

const LAYOUT = ['MarkSubgraphsWithCorrectLayout', 'InsertLayoutPropagationTransposes', 'LayoutChangeForConstantShapePaths', 'ApplyNHWCtoNCHWpermutation', 'ApplyPermutations'];

test('N-11 A-29 the five transformations have their documented names, in constraints and in switches', async () => {
  for (const name of LAYOUT) {
    const outcome = await convertWith({ 'middle/a.js': transformation('middle', () => 'ran', 'Probe', `static runBefore = ['${name}'];`) });
    expect(reports(outcome)).toEqual(['ran']);
  }
  expect(await failureOf({ 'middle/a.js': transformation('middle', () => 'ran', 'Probe', "static runBefore = ['ApplyPermutationz'];") })).toMatchObject({ code: 'MO4003' });

  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  const states = (options: string[] = [], environment = {}) => {
    const rows = listedTransforms(['m.onnx', ...options], place, environment);
    return LAYOUT.map((name) => rows.filter(([, phase, id, own]) => phase === 'layout' && (id === name || own === name)).map((row) => row[4]));
  };
  expect(states()).toEqual(LAYOUT.map(() => ['enabled']));
  for (const name of LAYOUT) expect(states(['--disabled_transforms', name])).toEqual(LAYOUT.map((one) => [one === name ? 'disabled' : 'enabled']));
  expect(states([], { MO_DISABLED_TRANSFORMS: LAYOUT.join() })).toEqual(LAYOUT.map(() => ['disabled']));
});
