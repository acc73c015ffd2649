/** Group A of the specification: the examples of docs/examples/extensions, converted exactly as they are printed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

import { convert, MoError, type Options } from '../../dist/library/node/node.js';
import { FORMATS } from '../../dist/library/shared/formats.js';
import { readExtensions } from '../../dist/library/node/extension-folder.js';
import { listedTransforms, transformation, reports, typesIn, type Files, type Outcome } from './extension_support.js';
import { customProposal } from './mxnet_writer.js';
import { hash, nativeFiles, root, runNode, temporaryFolder } from './support.js';

const examples = join(root, 'docs/examples');
const folderOf = (example: string) => join(examples, 'extensions', example);
const textOf = (example: string, path: string) => readFileSync(join(folderOf(example), path), 'utf8');
let models: string;

beforeAll(() => {
  models = temporaryFolder();
  const made = spawnSync(join(root, '.venv/bin/python'), [join(examples, 'make_models.py'), models], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
});

const filesIn = (folder: string): Files => Object.fromEntries(readExtensions(folder)[0]!.files);

/** The example's modules, and more. */
const filesOf = (example: string, more: Files = {}): Files => ({ ...filesIn(folderOf(example)), ...more });

async function converted(model: string, extensions?: Files | string, options: Options = {}): Promise<Outcome> {
  const given = extensions === undefined ? options : { ...options, extensions };
  const { xml, bin, warnings } = await convert(join(models, model.includes('.') ? model : `${model}.onnx`), given);
  await bin.close();
  return { xml, warnings: warnings.map(({ text }) => text) };
}

const example = (name: string, model = name, options: Options = {}) => converted(model, folderOf(name), options);
const types = async (outcome: Promise<Outcome>) => typesIn((await outcome).xml);

async function failure(outcome: Promise<unknown>) {
  const error = await outcome.then(() => undefined, (thrown: unknown) => thrown);
  if (!(error instanceof MoError)) throw new Error('the conversion succeeded');
  return error.messages.find(({ severity }) => severity === 'error')!;
}

/** A layer of the IR: its text from its name on. */
const layer = (xml: string, name: string): string => new RegExp(`<layer [^>]*name="${name}"[\\s\\S]*?</layer>`).exec(xml)?.[0] ?? 'none';

type Body = Parameters<typeof transformation>[1];

/** What `body` sees after the example's transformation of that class, or somewhere in the phase. */
async function after(name: string, model: string, className: string, body: Body, phase: 'front' | 'middle' | 'back' = 'front'): Promise<any> {
  const probe = transformation(phase, body, 'Probe', className && `static runAfter = ['${className}'];`);
  return reports(await converted(model, filesOf(name, { [`${phase}/probe.js`]: probe })))[0];
}

/** What `body` sees before and after the example's front transformation of that class. */
async function around(name: string, model: string, className: string, body: Body): Promise<[any, any]> {
  const outcome = await converted(model, filesOf(name, {
    'front/before.js': transformation('front', body, 'Before', `static runBefore = ['${className}'];`),
    'front/after.js': transformation('front', body, 'After', `static runAfter = ['${className}'];`),
  }));
  return [reports(outcome, 'Before')[0], reports(outcome, 'After')[0]];
}

/** Built-in transformations that do what an example does. Examples are converted without them, or they would prove nothing. */
const TWINS: Readonly<Record<string, string>> = {
  swish: 'SwishFusion', mish: 'MishFusion,SoftplusFusion', l2_norm: 'L2NormToNorm', relu_reorder: 'ShufflenetReLUReorder', normalize_l2: 'NormalizeToNormalizeL2',
};
const alone = (name: string): Options => ({ disabled_transforms: TWINS[name]! });
const kinds = (list: string[]) => list.filter((type) => !['Const', 'Parameter', 'Result'].includes(type));

test.each<[string, string, string[], string[]]>([
  ['swish', 'swish', ['Swish'], ['Multiply', 'Negative', 'Exp', 'Add', 'Divide']],
  ['mish', 'mish', ['Mish', 'ReLU'], ['SoftPlus', 'Tanh', 'Multiply', 'ReLU']],
  ['mish', 'mish_swapped', ['Mish', 'ReLU'], ['SoftPlus', 'Tanh', 'Multiply', 'ReLU']],
  ['mish', 'mish_written_out', ['Mish', 'ReLU'], ['Exp', 'Add', 'Log', 'Tanh', 'Multiply', 'ReLU']],
  ['l2_norm', 'l2_norm', ['NormalizeL2'], ['Power', 'ReduceSum', 'Sqrt', 'Maximum', 'Divide']],
  ['relu_reorder', 'relu_reorder', ['Convolution', 'ShuffleChannels', 'ReLU', 'Convolution'], ['Convolution', 'ReLU', 'ShuffleChannels', 'Convolution']],
])('A-01 A-11 A-12 A-15 A-24 A-27 U-01 U-03 example %s changes %s by itself: without it and its built-in twin the model stays', async (name, model, rewritten, plain) => {
  expect(kinds(await types(example(name, model, alone(name))))).toEqual(rewritten);
  expect(kinds(await types(converted(model, undefined, alone(name))))).toEqual(plain);
});

/** The IR, without the list of what was disabled, and its weights. */
async function irOf(model: string, extensions: string | undefined, options: Options): Promise<[xml: string, weights: string]> {
  const { xml, bin } = await convert(join(models, model), { ...options, ...(extensions === undefined ? {} : { extensions }) });
  const weights = hash(new Uint8Array(await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()));
  await bin.close();
  return [xml.replace(/\t*<conversion_parameters(?: \/>|>[^]*?<\/conversion_parameters>)\n/, ''), weights];
}

test.each(['swish', 'mish', 'l2_norm', 'relu_reorder'])('U-01 example %s in the place of its built-in twin gives the same bytes', async (name) => {
  const builtIn = await irOf(`${name}.onnx`, undefined, {});
  expect(await irOf(`${name}.onnx`, folderOf(name), alone(name))).toEqual(builtIn);
  expect(await irOf(`${name}.onnx`, undefined, alone(name))).not.toEqual(builtIn);
});

test.each([
  ['constant_extractor', 'constant_extractor.onnx', 'return this.enabled;'], ['constant_extractor', 'constant_extractor.pbtxt', 'return this.enabled;'],
  ['softmax_op', 'softmax_op.onnx', 'const shape = '],
])('U-01 the extractor or operation of example %s, for %s, wins over the built-in one, and gives the same bytes', async (name, model, line) => {
  const throwing = Object.entries(filesOf(name)).map(([path, text]) => [path, text.replace(line, `throw new Error('mine'); ${line}`)] as const);
  await expect(converted(model, Object.fromEntries(throwing))).rejects.toThrow('mine');
  expect(await irOf(model, folderOf(name), {})).toEqual(await irOf(model, undefined, {}));
});

test('A-01 U-03 A-41 x / (1 + exp(-(beta * x))) becomes Swish', async () => {
  const { xml } = await example('swish', 'swish', alone('swish'));
  expect(typesIn(xml)).toEqual(['Parameter', 'Const', 'Swish', 'Result']);
  expect(layer(xml, 'y')).toMatch(/type="Swish" version="opset4"/);
});

test('A-41 the guide shows the three cases, each with the code of its example', () => {
  const cases = guide.split(/^## /m).find((section) => section.startsWith('The three cases'))!.split(/^\*\*/m).slice(1);
  const shown = cases.map((text) => {
    const [, name] = /\(examples\/extensions\/(\w+)\/\)/.exec(text)!;
    const blocks = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, block]) => block!);
    return [name, blocks.length > 0 && blocks.every((block) => Object.values(filesOf(name!)).some((file) => file.includes(block)))];
  });
  expect(shown).toEqual([['cube', true], ['swish', true], ['custom_op', true]]);
});

test('A-41 U-02 an unknown operation is rewritten into known ones', async () => {
  expect(await failure(converted('cube'))).toMatchObject({ code: 'MO2001' });
  const { xml } = await example('cube');
  expect(typesIn(xml)).toEqual(['Parameter', 'Multiply', 'Multiply', 'Result']);
  expect(layer(xml, 'y')).toContain('names="y"');
});

test('A-41 U-04 an operation of nobody gets its own section in the IR', async () => {
  expect(await failure(converted('custom_op'))).toMatchObject({ code: 'MO2001' });
  const { xml } = await example('custom_op');
  expect(layer(xml, 'y')).toMatch(/type="SoftThreshold" version="my_opset">\s*<data threshold="0.25" shrink-mode="soft" rank="2" \/>/);
});

test('A-41 U-04 E-19 the same operation in a TensorFlow graph', async () => {
  expect(await failure(converted('custom_op.pbtxt'))).toMatchObject({ code: 'MO2001' });
  const { xml } = await example('custom_op', 'custom_op.pbtxt');
  expect(layer(xml, 'y')).toMatch(/type="SoftThreshold" version="my_opset">\s*<data threshold="0.25" shrink-mode="soft" rank="2" \/>/);
});

const inception = (file: string): Options => ({ transformations_config: textOf('inception_block', file) });

test('A-02 each scope becomes one InceptionBlock', async () => {
  const { xml } = await example('inception_block', 'inception_block', inception('updated.json'));
  expect(typesIn(xml)).toEqual(['Parameter', 'ReLU', 'InceptionBlock', 'InceptionBlock', 'InceptionBlock', 'Sigmoid', 'Result']);
  for (const scope of ['b', 'c', 'd'])
    expect(layer(xml, `Mixed_5${scope}/InceptionBlock`)).toContain('<data channels="10" attr1_key="attr1_value" attr2_key="123456" />');
  expect(await failure(example('inception_block', 'inception_block', inception('inception_block.json')))).toMatchObject({ code: 'MO6041' });
});

test('A-38 the update adds inputs and outputs to the template', async () => {
  const { updateConfig } = await import('../../dist/library/node/node.js');
  const updated = JSON.parse(await updateConfig(join(models, 'inception_block.onnx'), textOf('inception_block', 'inception_block.json')));
  expect(updated).toEqual(JSON.parse(textOf('inception_block', 'updated.json')));
  expect(updated[0].inputs).toHaveLength(1);
  expect(updated[0].inputs[0]).toHaveLength(4);
  expect(updated[0].inputs[0]).toContainEqual({ node: 'Branch_3/AvgPool_0a_3x3/AvgPool$', port: 0 });
  expect(updated[0].outputs).toEqual([{ node: 'concat$', port: 0 }]);
});

test('A-02 A-38 the same scopes of a TensorFlow graph, with channels last', async () => {
  const { updateConfig } = await import('../../dist/library/node/node.js');
  const updated = await updateConfig(join(models, 'inception_block.pbtxt'), textOf('inception_block', 'inception_block.json'));
  expect(JSON.parse(updated)).toEqual(JSON.parse(textOf('inception_block', 'updated.json')));
  const { xml } = await example('inception_block', 'inception_block.pbtxt', { transformations_config: updated });
  expect(typesIn(xml)).toEqual(['Parameter', 'ReLU', 'InceptionBlock', 'InceptionBlock', 'InceptionBlock', 'Sigmoid', 'Result']);
});

test('A-03 F-05 the attribute k of TopK becomes an input', async () => {
  expect(await around('topk_normalize', 'topk_normalize', 'TopKAttributeToInput', (graph) => {
    const topk = graph.getOpNodes({ op: 'TopKONNX' })[0]!;
    const sources = [...topk.inPorts().values()].map((port) => port.getSource()!.node);
    return [topk.get('k', null), sources.map((node) => node.get('op')), sources.slice(1).map((node) => Array.from((node.get('value') as any).get({ asNumbers: true })))];
  })).toEqual([[5, ['Parameter'], []], [null, ['Parameter', 'Const'], [[5]]]]);
});

test('A-04 F-06 Flatten from another axis than 0 and 1 computes its shape', async () => {
  const { xml } = await example('flatten_to_reshape', 'flatten_2');
  expect(typesIn(xml)).toEqual(expect.arrayContaining(['ShapeOf', 'StridedSlice', 'ReduceProd', 'Concat', 'Reshape']));
  const fixed = await example('flatten_to_reshape', 'flatten_2', { input_shape: [2, 3, 4, 5] });
  expect(layer(fixed.xml, 'y')).toMatch(/<output>[\s\S]*<dim>6<\/dim>\s*<dim>20<\/dim>/);
  expect(typesIn(fixed.xml)).toContain('ReduceProd');
});

test('A-05 Flatten from axis 0 and 1 has a constant shape', async () => {
  for (const [axis, shape] of [[0, [1, -1]], [1, [0, -1]]] as const) {
    expect(await types(example('flatten_to_reshape', `flatten_${axis}`))).toEqual(['Parameter', 'Const', 'Reshape', 'Result']);
    expect(await after('flatten_to_reshape', `flatten_${axis}`, 'FlattenToReshape', (graph) =>
      Array.from((graph.getOpNodes({ op: 'Const' })[0]!.get('value') as any).get({ asNumbers: true })))).toEqual(shape);
  }
});

test('A-06 an own Reshape infers shapes and values', async () => {
  const seen = await after('reshape_op', 'reshape_op', '', (graph) => graph.getOpNodes({ op: 'Shaped' }).map((node) => {
    const { data } = node.outPort(0);
    return [node.name, data.getShape(), data.getValue()?.get().length ?? null];
  }), 'middle');
  expect(seen).toEqual(expect.arrayContaining([['y', [null, 3, null], null]]));
  const { xml } = await example('reshape_op');
  expect(typesIn(xml)).not.toContain('Shaped');
  expect(xml, 'the constant that was reshaped').toMatch(/name="matrix\w*" type="Const" version="opset1">\s*<data [^>]*shape="6,\s*6"/);
});

test('A-07 the class Softmax is the operation', async () => {
  const { xml } = await example('softmax_op');
  expect(layer(xml, 'y')).toMatch(/type="SoftMax" version="opset1">\s*<data axis="1" \/>/);
  const facts = await after('softmax_op', 'softmax_op', 'FrontStart', (graph, { ops }) => {
    const Softmax = ops.classByName('SoftMax') as any;
    const node = new Softmax(graph).createNode();
    const seen = [Softmax.op, Softmax.enabled, Softmax.type, Softmax.version, node.get('axis'), node.inPorts().size, node.outPorts().size, Softmax.supportedAttrs(),
      Object.hasOwn(Softmax, 'infer') && node.get('infer') === Softmax.infer];
    graph.removeNode(node);
    return seen;
  });
  expect(facts).toEqual(['SoftMax', false, 'SoftMax', 'opset1', 1, 1, 1, ['axis'], true]);
});

test('A-08 attributes of pooling are written by name, by another name and by function', async () => {
  const { xml } = await example('pooling_attributes');
  expect(layer(xml, 'y')).toContain('<data strides="2,2" kernel="3,3" pads_begin="1,2" pads_end="2,2" pool-method="avg" exclude-pad="true" rounding_type="floor" />');
  const files = filesOf('pooling_attributes', { 'front/set.js': transformation('front', (graph) => {
    const pool = graph.getOpNodes({ op: 'AverageWindow' })[0]!;
    pool.set('pad', [[0, 0], [0, 0], [1, 2], [3, 4]]);
    pool.set('auto_pad', 'explicit');
  }) });
  expect((await converted('pooling_attributes', files)).xml).toMatch(/pads_begin="1,3" pads_end="2,4".* auto_pad="explicit"/);
});

test('A-10 the extractor of Constant gives type and value', async () => {
  expect(await after('constant_extractor', 'constant_extractor', 'FrontStart', (graph) => {
    const order = graph.node['order']!;
    return [order.get('data_type'), Array.from((order.get('value') as any).get({ asNumbers: true })), order.attributeNames().sort()];
  })).toEqual(['i64', [1, 3, 2], ['data_type', 'value']]);
});

test('A-09 E-16 E-19 the extractor of Const in TensorFlow gives shape, value and type', async () => {
  const facts = (graph: Parameters<Parameters<typeof transformation>[1]>[0]) => {
    const pair = graph.node['pair']!;
    return [pair.get('shape'), Array.from((pair.get('value') as any).get()), pair.get('data_type'), pair.attributeNames().sort()];
  };
  expect(await after('constant_extractor', 'constant_extractor.pbtxt', 'FrontStart', facts)).toEqual([[2], [1.5, -2], 'f32', ['data_type', 'shape', 'value']]);
  expect(await types(example('constant_extractor', 'constant_extractor.pbtxt'))).toEqual(['Parameter', 'Const', 'Add', 'Result']);
});

test('A-11 A-14 x * Tanh(SoftPlus(x)) becomes Mish under its name', async () => {
  const { xml } = await example('mish', 'mish', alone('mish'));
  expect(typesIn(xml)).toEqual(['Parameter', 'Mish', 'ReLU', 'Result']);
  expect(layer(xml, 'y')).toMatch(/type="Mish" version="opset4"/);
});

test('A-14 the multiplication is named /TBR before it goes', async () => {
  const files = filesOf('mish');
  files['front/mish_fusion.js'] = files['front/mish_fusion.js']!.replace('static forceCleanUp = true;', '');
  files['front/probe.js'] = transformation('front', (graph) => graph.getOpNodes({ op: 'Mul' }).map(({ name }) => name), 'Probe', "static runAfter = ['FuseMish'];");
  expect(reports(await converted('mish', files))).toEqual([['y/TBR']]);
});

test('A-12 the order of the factors does not matter', async () => {
  expect(await types(example('mish', 'mish_swapped', alone('mish')))).toEqual(['Parameter', 'Mish', 'ReLU', 'Result']);
});

test('A-13 a factor that is another tensor stays', async () => {
  expect(await types(example('mish', 'mish_other', alone('mish')))).toEqual(['Parameter', 'Parameter', 'SoftPlus', 'Tanh', 'Multiply', 'ReLU', 'Result']);
});

test('A-15 SoftPlus is fused before Mish', async () => {
  expect(await types(example('mish', 'mish_written_out', alone('mish')))).toEqual(['Parameter', 'Mish', 'ReLU', 'Result']);
  const listed = runNode(['--list_transforms', '--extensions', folderOf('mish')], '.').stdout;
  expect(listed.indexOf('FuseSoftplus')).toBeGreaterThan(0);
  expect(listed.indexOf('FuseSoftplus')).toBeLessThan(listed.indexOf('FuseMish'));
});

test('A-16 A-17 Pack becomes Unsqueezes and a Concat', async () => {
  const { xml } = await example('pack');
  const list = typesIn(xml);
  expect([list.filter((type) => type === 'Unsqueeze').length, list.filter((type) => type === 'Concat').length, list.includes('Pack')]).toEqual([3, 1, false]);
  expect(layer(xml, 'y')).toMatch(/type="Concat"[\s\S]*<data axis="0" \/>[\s\S]*<output>[\s\S]*<dim>3<\/dim>\s*<dim>2<\/dim>\s*<dim>2<\/dim>/);
  expect(xml).toContain('name="y/Unsqueeze" type="Unsqueeze"');
  const axes = await after('pack', 'pack', 'PackToConcat', (graph) =>
    graph.getOpNodes({ op: 'Unsqueeze' }).map((node) => Array.from((node.inPort(1).getSource()!.node.get('value') as any).get({ asNumbers: true }))));
  expect(axes).toEqual([[0], [0], [0]]);
});

test('A-16 A-17 so does Pack of TensorFlow', async () => {
  const { xml } = await example('pack', 'pack.pbtxt');
  const list = typesIn(xml);
  expect(['Unsqueeze', 'Concat', 'Pack'].map((type) => list.filter((other) => other === type).length)).toEqual([3, 1, 0]);
  expect(layer(xml, 'y')).toMatch(/type="Concat"[\s\S]*<data axis="0" \/>[\s\S]*<output>[\s\S]*<dim>3<\/dim>\s*<dim>2<\/dim>\s*<dim>2<\/dim>/);
  const names = await after('pack', 'pack.pbtxt', 'PackToConcat', (graph) => graph.getOpNodes({ op: 'Unsqueeze' }).map((node) =>
    [node.name.replace(/_\d$/, ''), Array.from((node.inPort(1).getSource()!.node.get('value') as any).get({ asNumbers: true }))]));
  expect(names).toEqual([1, 2, 3].map(() => ['y/Unsqueeze', [0]]));
});

test('A-17 the Pack is named /TBR before it goes, and the Concat has its name', async () => {
  const files = filesOf('pack', { 'front/probe.js': transformation('front', () => (globalThis as any).packed, 'Probe', "static runAfter = ['PackToConcat'];") });
  files['front/pack.js'] = files['front/pack.js']!.replace('return concat;', 'globalThis.packed = [node.name, concat.name];\n    return concat;');
  expect(reports(await converted('pack.pbtxt', files))).toEqual([['y/TBR', 'y']]);
});

test('A-18 the attribute of Squeeze becomes an input', async () => {
  expect(await after('squeeze_normalize', 'squeeze_normalize', 'SqueezeDimsToInput', (graph) => {
    const squeeze = graph.getOpNodes({ op: 'AttributedSqueeze' })[0]!;
    return [squeeze.has('axes'), squeeze.inPort(1).getSource()!.node.name, squeeze.id];
  })).toEqual([false, 'y/Dims', 'y']);
});

test('A-18 X-06 transformations in front/ do the same with TensorFlow', async () => {
  expect(await after('squeeze_normalize', 'squeeze_normalize.pbtxt', 'SqueezeDimsToInput', (graph) => {
    const squeeze = graph.getOpNodes({ op: 'AttributedSqueeze' })[0]!;
    return [squeeze.has('axes'), Array.from((squeeze.inPort(1).getSource()!.node.get('value') as any).get({ asNumbers: true }))];
  })).toEqual([false, [0, 2]]);
  expect(kinds(await types(example('mish', 'mish.pbtxt', alone('mish'))))).toEqual(['Mish', 'ReLU']);
  expect(kinds(await types(converted('mish.pbtxt', undefined, alone('mish'))))).toEqual(['SoftPlus', 'Tanh', 'Multiply', 'ReLU']);
});

test('A-19 Squeeze with two inputs stays, and the debug log says so', async () => {
  const [before, now] = await around('squeeze_normalize', 'squeeze_input', 'SqueezeDimsToInput', (graph) => graph.nodes().map((node) =>
    [node.name, node.get('op'), node.attributeNames(), [...node.inPorts().values()].map((port) => port.getSource()?.node.name ?? null)]));
  expect(before).toContainEqual(['y', 'AttributedSqueeze', expect.any(Array), ['x', 'axes']]);
  expect(now).toEqual(before);
  const { code, stderr } = runNode([join(models, 'squeeze_input.onnx'), '--extensions', folderOf('squeeze_normalize'), '--output_dir', temporaryFolder(), '--log_level', 'DEBUG'], '.');
  expect(code).toBe(0);
  expect(stderr).toContain('[ DEBUG ]  y has its dimensions as an input');
});

test('A-20 Squeeze without dimensions is an error that names it', async () => {
  const { node, text, file, hint } = await failure(example('squeeze_normalize', 'squeeze_nothing'));
  expect([node, file, hint]).toEqual(['y', 'squeeze_normalize/front/squeeze_dims_to_input.js', 'give it axes']);
  expect(text).toMatch(/: SqueezeDimsToInput\.\w+ \(squeeze_normalize\/front\/squeeze_dims_to_input\.js:19\): y says nowhere/);
});

test('J-18 what stands between points becomes one DetectionOutput', async () => {
  const { xml, warnings } = await example('ssd_points', 'ssd_points', { transformations_config: textOf('ssd_points', 'ssd_support_api_v1.15.json') });
  expect(typesIn(xml).filter((type) => type === 'Result')).toHaveLength(1);
  expect(typesIn(xml)).not.toContain('Sqrt');
  expect(layer(xml, 'detections')).toMatch(/version="opset8">\s*<data code_type="caffe.PriorBoxParameter.CENTER_SIZE" .*clip_before_nms="false" clip_after_nms="true"/);
  expect(warnings).toEqual([]);
});

test('A-21 A-22 the configurations of the examples are those of the documents', () => {
  expect(JSON.parse(textOf('yolo_region', 'yolo_v1_tiny.json'))).toEqual([
    { id: 'TFYOLO', match_kind: 'general', custom_attributes: { classes: 20, coords: 4, num: 2, do_softmax: 0 } },
  ]);
  expect(JSON.parse(textOf('ssd_points', 'ssd_support_api_v1.15.json'))).toEqual([{
    custom_attributes: {
      code_type: 'caffe.PriorBoxParameter.CENTER_SIZE', pad_mode: 'caffe.ResizeParameter.CONSTANT', resize_mode: 'caffe.ResizeParameter.WARP',
      clip_before_nms: false, clip_after_nms: true,
    },
    id: 'ObjectDetectionAPISSDPostprocessorReplacement',
    include_inputs_to_sub_graph: true,
    include_outputs_to_sub_graph: true,
    instances: {
      end_points: ['detection_boxes', 'detection_scores', 'num_detections'],
      start_points: ['Postprocessor/Shape', 'Postprocessor/scale_logits', 'Postprocessor/Tile', 'Postprocessor/Reshape_1', 'Postprocessor/Cast_1'],
    },
    match_kind: 'points',
  }]);
  for (const path of ['ssd_points/ssd_support_api_v1.15.json', 'yolo_region/yolo_v1_tiny.json']) {
    const [example, file] = path.split('/') as [string, string];
    const builtIn: object[] = JSON.parse(readFileSync(join(root, 'core/front/config/built_in/tf', file), 'utf8'));
    expect(builtIn, 'what detectors are converted with').toContainEqual(JSON.parse(textOf(example, file))[0]);
  }
});

test('A-22 RegionYolo stands before each result', async () => {
  const { xml } = await example('yolo_region', 'yolo_region', { transformations_config: textOf('yolo_region', 'yolo_v1_tiny.json') });
  expect(typesIn(xml)).toEqual(['Parameter', 'Const', 'Convolution', 'RegionYolo', 'Result']);
  expect(layer(xml, 'region_input/YoloRegion')).toContain('<data coords="4" classes="20" num="2" axis="1" end_axis="-1" do_softmax="false" mask="0,1" />');
  expect(layer(xml, 'region_input/YoloRegion')).toMatch(/<output>[\s\S]*<dim>1<\/dim>\s*<dim>50<\/dim>\s*<dim>4<\/dim>\s*<dim>4<\/dim>/);
  expect(await types(example('yolo_region'))).not.toContain('RegionYolo');
});

test('A-22 each output of a TensorFlow graph gets one, whose axis the change of layout leaves', async () => {
  const [input, ...convolution] = readFileSync(join(models, 'yolo_region.pbtxt'), 'utf8').split('\n');
  writeFileSync(join(models, 'two_regions.pbtxt'), [input, ...convolution, ...convolution.map((text) => text.replaceAll('region_input', 'other'))].join('\n'));
  const { xml } = await example('yolo_region', 'two_regions.pbtxt', { transformations_config: textOf('yolo_region', 'yolo_v1_tiny.json') });
  expect(typesIn(xml).filter((type) => ['RegionYolo', 'Result'].includes(type)).sort()).toEqual(['RegionYolo', 'RegionYolo', 'Result', 'Result']);
  for (const name of ['region_input', 'other']) {
    expect(layer(xml, `${name}/YoloRegion`)).toContain('<data coords="4" classes="20" num="2" axis="1" end_axis="-1" do_softmax="false" mask="0,1" />');
    expect(layer(xml, `${name}/YoloRegion`)).toMatch(/<output>[\s\S]*<dim>1<\/dim>\s*<dim>50<\/dim>\s*<dim>4<\/dim>\s*<dim>4<\/dim>/);
  }
});

test('J-29 a class for the configuration runs after those that it names', () => {
  const order = listedTransforms(['--extensions', folderOf('yolo_region')]).map((row) => row[3]);
  const at = (name: string) => order.indexOf(name);
  for (const eraser of ['NoOpEraser', 'StandaloneConstEraser']) {
    expect(at(eraser)).toBeGreaterThan(0);
    expect(at('YoloRegionAtResults')).toBeGreaterThan(at(eraser));
  }
});

test('A-23 operations without effect and lonely constants are erased', async () => {
  expect(await types(example('erasers'))).toEqual(['Parameter', 'Const', 'ReLU', 'Add', 'Result']);
  expect(await failure(converted('erasers'))).toMatchObject({ code: 'MO2001' });
  expect(await after('erasers', 'erasers', 'EraseStandaloneConsts', (graph) => graph.getOpNodes({ op: 'Const' }).map(({ name }) => name))).toEqual(['w']);
});

test('A-24 B-05 ReLU moves behind the shuffle', async () => {
  const order = (list: string[]) => list.filter((type) => !['Const', 'Parameter', 'Result'].includes(type));
  expect(order(await types(example('relu_reorder', 'relu_reorder', alone('relu_reorder'))))).toEqual(['Convolution', 'ShuffleChannels', 'ReLU', 'Convolution']);
});

test('A-25 B-04 the axis of Gather becomes an input', async () => {
  const { xml } = await example('gather_normalize');
  expect(layer(xml, 'y')).toMatch(/type="Gather" version="opset8"[\s\S]*<input>[\s\S]*id="2"/);
  expect(typesIn(xml)).not.toContain('Take');
  expect(await after('gather_normalize', 'gather_normalize', 'TakeToGather', (graph) => {
    const gather = graph.getOpNodes({ op: 'Gather' })[0]!;
    return [gather.inPorts().size, Array.from(gather.inPort(2).data.getValue()!.get({ asNumbers: true }))];
  }, 'back')).toEqual([3, [1]]);
});

test('A-26 T-08 a transformation is switched by its full name', async () => {
  expect(layer((await example('normalize_l2', 'normalize_l2', alone('normalize_l2'))).xml, 'y')).toMatch(/type="NormalizeL2" version="opset1"/);
  const builtIn = 'extensions.back.NormalizeToNormalizeL2.NormalizeToNormalizeL2';
  expect(layer((await example('normalize_l2', 'normalize_l2', { disabled_transforms: 'to_normalize_l2' })).xml, 'y'), 'by the built-in one').toMatch(/type="NormalizeL2"/);
  const off = { disabled_transforms: `normalize_l2.back.normalize_to_l2.NormalizeToL2,${builtIn}` };
  expect(await failure(example('normalize_l2', 'normalize_l2', off))).toMatchObject({ code: 'MO5001', node: 'y' });
  expect(await failure(example('normalize_l2', 'normalize_l2', { disabled_transforms: `to_normalize_l2,${builtIn}` }))).toMatchObject({ code: 'MO5001' });
});

test('A-27 a division by the L2 norm becomes NormalizeL2', async () => {
  const { xml } = await example('l2_norm', 'l2_norm', alone('l2_norm'));
  expect(typesIn(xml)).toEqual(['Parameter', 'Const', 'NormalizeL2', 'Result']);
  expect(layer(xml, 'y')).toContain('eps_mode="max"');
});

test('A-28 a cycle is an error, a graph without one stays', async () => {
  expect(typesIn((await example('check_for_cycle')).xml)).toEqual(['Parameter', 'ReLU', 'Sigmoid', 'Add', 'Result']);
  const knot = transformation('middle', (graph) => graph.node['a']!.inPort(0).setSource(graph.node['b']!.outPort(0)), 'Knot', "static runBefore = ['CheckForLoops', 'CheckForCycle'];");
  const { text } = await failure(converted('check_for_cycle', filesOf('check_for_cycle', { 'middle/knot.js': knot })));
  expect(text).toMatch(/depends on its own result|cycle/);
});

test('A-30 Split has data, an axis and as many outputs as parts', async () => {
  expect(await after('split_sum', 'split_sum', 'SplitSumToAdd', (graph) => {
    const split = graph.getOpNodes({ op: 'Split' })[0]!;
    return [[...split.inPorts().keys()], [...split.outPorts().keys()], split.get('num_splits')];
  })).toEqual([[0, 1], [0, 1, 2], 3]);
});

test('A-31 A-36 A-37 the operations of the samples exist, with their ports', () => {
  const { stderr } = runNode([join(models, 'operations.onnx'), '--extensions', folderOf('operations'), '--output_dir', temporaryFolder(), '--log_level', 'INFO'], '.');
  for (const line of ['Const opset1: 0 in, 1 out', 'Parameter opset1: 0 in, 1 out', 'ReLU opset1: 1 in, 1 out', 'Split opset1: 2 in, 1 out', 'Result opset1: 1 in, 0 out',
    'Concat opset1', 'Unsqueeze opset1', 'Squeeze opset1', 'Mish opset4', 'Mul opset1', 'Tanh opset1', 'SoftPlus opset4',
    'ShapeOf opset3', 'ReduceProd opset1', 'Reshape opset1', 'Gather opset', 'Transpose opset1', 'TopK opset'])
    expect(stderr).toContain(`[ INFO ]  ${line}`);
});

test('A-36 X-09 the classes that the samples import from mo/ops/ are found by their operations', async () => {
  const lost = transformation('front', (_graph, { Op, ops }) =>
    ['Const', 'Concat', 'Unsqueeze', 'Squeeze', 'Mish', 'Result', 'RegionYolo', 'Mul', 'Tanh', 'SoftPlus'].filter((name) => {
      const found = ops.classByName(name);
      return found?.op !== name || !(found.prototype instanceof Op);
    }));
  expect(reports(await converted('operations', { 'front/lost.js': lost }))).toEqual([[]]);
});

test('A-37 targets of rewrites, made by their classes, are in the IR with a version of an operation set', async () => {
  const { xml } = await converted('operations', { 'front/a.js': transformation('front', (graph, { ops, int64Array, tensor }) => {
    const make = (op: string, inputs: readonly any[], attributes = {}) => new (ops.classByName(op) as any)(graph, { name: `made/${op}`, ...attributes }).createNode(inputs);
    const ints = (...elements: number[]) => ops.constant(graph, int64Array(elements));
    const scalar = (value: number) => ops.constant(graph, tensor('i64', [], [BigInt(value)]));
    const x = graph.node['y']!.inPort(0).getSource()!;
    const sizes = make('Gather', [make('ShapeOf', [x]), ints(1, 0), scalar(0)]);
    const flat = make('Reshape', [make('Transpose', [x, ints(1, 0)]), make('ReduceProd', [sizes, ints(0)], { keep_dims: true })], { special_zero: false });
    const top = make('TopK', [flat, scalar(2)], { axis: 0, mode: 'max', sort: 'value' });
    graph.node['y']!.inPort(0).setSource(top.outPort(0));
  }) });
  const made = Array.from(xml.matchAll(/name="made\/(\w+)" type="(\w+)" version="(opset\d+)"/g), ([, op, type]) => [op!, type!]);
  expect(made.sort()).toEqual(['Gather', 'ReduceProd', 'Reshape', 'ShapeOf', 'TopK', 'Transpose'].map((op) => [op, op]));
});

/** The modules that the documents import. */
const MODULES = ['graph.graph', 'graph.port', 'graph.connection', 'ops.op', 'ops.activation_ops', 'ops.concat', 'ops.const', 'ops.result', 'ops.unsqueeze', 'ops.reshape',
  'ops.softmax', 'ops.pooling', 'ops.regionyolo', 'front.extractor', 'front.onnx.extractors.utils', 'front.tf.extractors.utils', 'front.common.replacement',
  'front.common.partial_infer.utils', 'front.subgraph_matcher', 'front.tf.graph_utils', 'front.tf.replacement', 'front.Softplus_fusion', 'front.no_op_eraser',
  'front.standalone_const_eraser', 'middle.replacement', 'back.replacement', 'utils.error'].map((name) => `mo.${name}`);

test('U-07 X-12 the table of old module names has each of them, and what it names is there', async () => {
  const text = /^### Modules\n([\s\S]*?)^### /m.exec(readFileSync(join(root, 'docs/extending.md'), 'utf8'))![1]!;
  const rows = Array.from(text.matchAll(/^\| (`.*?) \| (.*) \|$/gm), ([, names, here]) => [names!, here!] as const);
  const named = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);
  expect(rows.flatMap(([names]) => named(names)).sort()).toEqual([...MODULES, 'onnx', 'onnx.numpy_helper'].sort());
  const api = await import('../../dist/extension/api.js') as unknown as Record<string, Record<string, unknown>>;
  const types = readFileSync(join(root, 'dist/extension/api.d.ts'), 'utf8');
  for (const [names, here] of rows) {
    const links = Array.from(here.matchAll(/\]\(([^)]+)\)/g), ([, target]) => target!);
    for (const target of links) expect(existsSync(join(root, 'docs', target)), target).toBe(true);
    for (const name of named(here.replace(/;.*runAfter.*/, ''))) {
      const [exported, member] = name.split('.');
      expect(exported! in api || new RegExp(`export type [^;]*\\b${exported}\\b`).test(types), name).toBe(true);
      if (member) expect(api[exported!]![member], name).toBeTypeOf('function');
    }
    expect(named(here).length + links.length > 0 || here.startsWith('comes with'), names).toBe(true);
  }
  const files = guide.slice(guide.indexOf('### Operations and files'));
  for (const name of ['mo/graph/graph.py', 'port.py', 'connection.py', 'mo/ops/', 'extensions/middle/', 'extensions/back/', 'extensions/load/<FRAMEWORK>/loader.py',
    'mo/front/<FRAMEWORK>/extractor.py', 'mo/pipeline/common.py', 'MishFusion', 'Pack', 'SqueezeNormalize', 'TopKNormalize', 'flattenONNX_to_reshape', 'YoloRegionAddon', 'NoOpEraser',
    'StandaloneConstEraser', 'L2NormToNorm', 'CheckForCycle', 'ShufflenetReLUReorder', 'GatherNormalizer', 'NormalizeToNormalizeL2', 'ApplyPermutations', 'LayoutChangeForConstantShapePaths'])
    expect(files).toContain(`\`${name}\``);
});

test('E-20 extractors of other frameworks are registered and rest', async () => {
  expect(await example('other_frameworks')).toMatchObject({ warnings: [] });
});

test('V-01 the guide for custom operations of MXNet', async () => {
  const model = join(models, 'custom-symbol.json');
  writeFileSync(model, customProposal());
  const { xml } = await converted('custom-symbol.json', folderOf('other_frameworks'), { compress_to_fp16: true });
  for (const part of ['type="Proposal"', 'feat_stride="16"', 'post_nms_topn="8"']) expect(layer(xml, 'proposals')).toContain(part);
  expect(xml).toBe(nativeFiles(model, ['--extensions', folderOf('other_frameworks')], 'custom-symbol').xml);
});

test('every base class has an example, every example a test', () => {
  const names = readdirSync(join(examples, 'extensions')).sort();
  const texts = names.flatMap((name) => Object.values(filesOf(name))).join('\n');
  for (const base of ['Op', 'FrontExtractorOp', 'CaffePythonFrontExtractorOp', 'MXNetCustomFrontExtractorOp', 'FrontReplacementPattern', 'FrontReplacementSubgraph',
    'FrontReplacementOp', 'FrontReplacementFromConfigFileSubGraph', 'FrontReplacementFromConfigFileGeneral', 'MiddleReplacementPattern', 'BackReplacementPattern'])
    expect(texts).toContain(`extends ${base} {`);
  const here = readFileSync(join(root, 'tests/js/examples.test.ts'), 'utf8');
  for (const name of names) expect(here).toMatch(new RegExp(`(example|folderOf|after|around)\\('${name}'`));
});

const guide = readFileSync(join(root, 'docs/extending.md'), 'utf8');

test('every code block of the guide is part of a file, and every link leads somewhere', () => {
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(js|mjs|ts|json|cpp|def|sh)$/.test(path));
  const texts = files.map((path) => readFileSync(join(examples, path), 'utf8'));
  const blocks = Array.from(guide.matchAll(/^```\w+\n([\s\S]*?)^```$/gm), ([, text]) => text!);
  expect(blocks.length).toBeGreaterThan(20);
  for (const block of blocks) expect(texts.some((text) => text.includes(block)), block).toBe(true);
  for (const [, target] of guide.matchAll(/\]\(([^)#:]+)\)/g)) expect(existsSync(join(root, 'docs', target!)), target).toBe(true);
});

test('U-12 the guide ends with links to the documents that it rests on', () => {
  const further = guide.slice(guide.indexOf('## Further reading')).replace(/\n +/g, ' ');
  for (const line of [
    /The IR and its operation sets: .*\]\(https:\S+\/openvino-ir-format\.html\).*\]\(https:\S+\/operation-sets\.html\)/, /Converting models: .*\]\(https:\S+\/model-preparation\.html\)/,
    /Models in the runtime: .*\]\(https:\S+\/model-representation\.html\)/, /Operations for the runtime: .*\]\(https:\S+openvino-extensibility\S+\.html\)/,
    /Python layers of Caffe, ports and connections, extensions in Python: .*\]\(https:\S+Customize_Model_Optimizer\.html\)/,
  ]) expect(further).toMatch(new RegExp(`^- ${line.source}`, 'm'));
});

test('every JavaScript block of the text on migration is part of an example, all examples of the documentation occur, and every link leads somewhere', () => {
  const text = readFileSync(join(root, 'docs/migrate-extensions.md'), 'utf8');
  const names = readdirSync(join(examples, 'extensions'));
  const files = names.flatMap((name) => Object.values(filesOf(name)));
  const blocks = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(12);
  for (const block of blocks) expect(files.some((file) => file.includes(block)), block).toBe(true);
  const own = ['cube', 'swish', 'operations', 'split_sum']; // not in Model Optimizer's documentation
  for (const name of names) if (!own.includes(name)) expect(text).toContain(`](examples/extensions/${name}/)`);
  for (const [, target] of text.matchAll(/\]\(([^)#:]+)[^)]*\)/g)) expect(existsSync(join(root, 'docs', target!)), target).toBe(true);
});

test('U-08 U-09 U-10 U-11 notices stand first, representation and pipeline before the interface', () => {
  const headings = Array.from(guide.matchAll(/^## (.*)$/gm), ([, heading]) => heading);
  expect(headings.slice(0, 2)).toEqual(['The model in memory', 'The way of a model']);
  expect(headings.indexOf('Operations')).toBeGreaterThan(1);
  for (const notice of ['This mechanism is the old one', 'It exposes the converter\'s internals', 'Where it is the right place']) {
    expect(guide.indexOf(notice)).toBeGreaterThan(0);
    expect(guide.indexOf(notice)).toBeLessThan(guide.indexOf('## The model in memory'));
  }
  const old = /\*\*This mechanism is the old one\.\*\*[^]*?\n\n/.exec(guide)![0].replace(/\n> /g, ' ');
  expect(old).toMatch(/New extensions .* \[frontend extensions\]\(https:\S+\/frontend-extensions\.html\)/);
  expect(/\*\*It exposes the converter's internals\.\*\*[^]*?\n\n/.exec(guide)![0].replace(/\n> /g, ' ')).toMatch(/can break a conversion .* may change in any version; the parts marked "low level" here change first/);
  const place = /\*\*Where it is the right place\.\*\*[^]*?\n\n/.exec(guide)![0].replace(/\n> /g, ' ');
  expect(place).toMatch(/ONNX, TensorFlow, TensorFlow Lite or PaddlePaddle is missing .* read the \[general guide to extensibility\]\(https:\S+openvino-extensibility\.html\) first/);
  expect(place).toContain('OpenVINO itself no longer converts TensorFlow models in this way');
  const served = /^> \*\*Where it is the right place\.\*\* Operations of (.*) and (\w+) models can be extended here/.exec(`> ${place}`)!;
  expect([...served[1]!.split(', '), served[2]].sort()).toEqual(FORMATS.filter(({ reads }) => reads).map(({ title }) => title).sort());
});

test('the program and the types of the guide work', async () => {
  const folder = temporaryFolder();
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(examples, 'typescript'), '--outDir', folder], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
  expect(await types(converted('operations', filesIn(folder)))).toEqual(['Parameter', 'Mish', 'Result']);
  const run = spawnSync(process.execPath, [join(examples, 'convert.mjs'), join(models, 'operations.onnx'), folder], { cwd: folder, encoding: 'utf8' });
  expect(run.stdout).toContain('Mish: 1');
  expect(readFileSync(join(folder, 'operations.xml'), 'utf8')).toContain('type="Mish"');
});
