/** Custom layers of Caffe in the package, natively and in Node: the same bytes, the same messages. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { CaffePythonFrontExtractorOp } from '../../dist/extension/api.js';
import { fiveExtensions, fiveLayers, fiveMapping } from './caffe_writer.js';
import { folder, type Files } from './extension_support.js';
import { hash, listing, root, runNative, runNode, temporaryFolder } from './support.js';

function modelIn(files: Files): string {
  const path = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Exit code, messages and files of both commands; both are the same. */
function both(model: string, args: string[]) {
  const [native, node] = [runNative, runNode].map((run) => {
    const out = join(temporaryFolder(), 'out');
    const { code, stderr } = run(['net.prototxt', ...args, '-o', out, '--log_level', 'WARNING'], model);
    const files = code === 0 ? listing(out).map((name) => [name, hash(readFileSync(join(out, name)))]) : [];
    return { code, stderr: stderr.replaceAll(out, 'OUT'), files, xml: code === 0 ? readFileSync(join(out, 'net.xml'), 'utf8') : '' };
  });
  expect(node).toEqual(native);
  return native!;
}

/** Type and attributes of each layer whose name begins with `layer`. */
function layersOf(xml: string): string[] {
  return Array.from(xml.matchAll(/<layer id="\d+" name="(layer\d)" type="(\w+)"[^>]*>\s*(?:<data ([^>]*?) ?\/>)?/g), ([, name, type, data = '']) =>
    `${name} ${type} ${type === 'MaxPool' || type === 'Parameter' ? '' : data}`.trim());
}
const wanted = ['layer1 Parameter', 'layer2 Own2 a="1"', 'layer3 Mapped a="3" b="4"', 'layer4 MaxPool', 'layer5 Own5 a="5"'];

test('K-15 A-40 K-04 the sample of five layers: mapping, extensions and standard layers, in both commands', () => {
  const model = modelIn({ 'net.prototxt': fiveLayers, 'map.xml': fiveMapping });
  const { xml, stderr } = both(model, ['-k', 'map.xml', '--extensions', folder(fiveExtensions)]);
  expect(layersOf(xml)).toEqual(wanted);
  expect(stderr).toBe('');
});

test('K-06 without a provider both commands say the same', () => {
  const model = modelIn({ 'net.prototxt': fiveLayers, 'CustomLayersMapping.xml': fiveMapping });
  const { 'front/caffe/shapes.js': _, ...others } = fiveExtensions;
  const { code, stderr } = both(model, ['--extensions', folder(others)]);
  expect(code).toBe(1);
  expect(stderr).toContain('MO4014');
});

test.each<[string, Files, string]>([
  ['as another name', { 'front/caffe/a.js': 'export const shapes = () => [[1, 2]];' }, ''],
  ['beside a helper that another module imports', { 'front/caffe/a.js': "import { two } from './b.js'; export const shapes = () => [two()];", 'front/caffe/b.js': 'export const two = () => [1, 2];' }, ''],
  ['as one of several functions', { 'front/caffe/a.js': 'export const x = () => 1; export const CaffeShapeProvider = () => [[1, 2]];' }, ''],
  ['twice', { 'front/caffe/a.js': 'export default () => [[1, 2]];', 'front/caffe/b.js': 'export default () => [[1, 2]];' }, 'two shape providers for Caffe'],
  ['for another framework', { 'front/onnx/a.js': 'export default () => [[1, 2]];' }, 'MO4014'],
])('K-17 a provider, %s', (_, files, failure) => {
  const net = fiveLayers.split('\n').slice(0, 2).join('\n') + '\nlayer { name: "m" type: "Mapped" bottom: "one" top: "two" }\n';
  const { code, stderr } = both(modelIn({ 'net.prototxt': net, 'CustomLayersMapping.xml': fiveMapping }), ['--extensions', folder(files)]);
  expect(code).toBe(failure ? 1 : 0);
  if (failure) expect(stderr).toContain(failure);
});

test('K-16 parseParamStr reads what Python would', () => {
  const read = (text: string) => CaffePythonFrontExtractorOp.parseParamStr(text);
  expect(read('')).toEqual({});
  expect(read("'a': 1, 'b': -2.5e-3, 'c': True, 'd': None")).toEqual({ a: 1, b: -0.0025, c: true, d: null });
  expect(read("{'a': 'it''s', }".replace("''", "\\'"))).toEqual({ a: "it's" });
  expect(read('{"a": {"b": (1, 2), "c": (3,), "d": (4)}, 5: [[], {}]}')).toEqual({ a: { b: [1, 2], c: [3], d: 4 }, 5: [[], {}] });
  expect(read('feat_stride: 16 # pixels\nratios: [.5, 1, 2]\nname: conv5_3')).toEqual({ feat_stride: 16, ratios: [0.5, 1, 2], name: 'conv5_3' });
  expect(read("'__proto__': 1, 'constructor': 2")).toEqual(JSON.parse('{"__proto__": 1, "constructor": 2}'));
  for (const bad of ['a', '{', "{'a': 1", "'a': [1", "'a': ]", "'a': 1}", "{'a': 1 'b': 2}", `'a': ${'['.repeat(1000)}`]) expect(() => read(bad)).toThrow('param_str');
});

test('O-15 K-16 of param_str an extractor takes what the supportedAttrs of its operation name', () => {
  const extension = (attributes: string) => folder({ 'front/caffe/boxes.js': `import { CaffePythonFrontExtractorOp, Op } from '@mo/wasm/extension';
    export class Boxes extends Op {
      static op = 'Boxes'; static type = 'Boxes'; static inPortsCount = 1;
      static supportedAttrs() { return ['stride', ['aspect', 'ratios'], ['size', (node) => node.get('stride')], 'absent']; }
      static backendAttrs() { return ['stride', 'ratios', 'size', 'absent', 'other']; }
      static infer(node) { node.outPort(0).data.setShape([5]); }
    }
    export class BoxesExtractor extends CaffePythonFrontExtractorOp {
      static op = 'my.layers.Boxes'; static enabled = true;
      static extract(node) { Boxes.updateNodeStat(node, this.parseParamStr(node${attributes})); return true; }
    }` });
  const param = "'stride': 16, 'ratios': [0.5, 2], 'size': 3, 'other': 1";
  const model = modelIn({ 'net.prototxt': `${fiveLayers.split('\n').slice(0, 2).join('\n')}
    layer { name: "layer6" type: "Python" bottom: "one" top: "boxes" python_param { module: "my.layers" layer: "Boxes" param_str: "${param}" } }` });
  const taken = (attributes: string) => layersOf(both(model, ['--extensions', extension(attributes)]).xml).at(-1);
  expect(taken(', Boxes')).toBe('layer6 Boxes stride="16" ratios="0.5,2"');
  expect(taken('')).toBe('layer6 Boxes stride="16" ratios="0.5,2" size="3" other="1"');
});

test('K-03 K-19 the documentation lists the layers that have a built-in extractor', () => {
  const list = readFileSync(join(root, 'docs/operators-caffe.md'), 'utf8');
  for (const layer of ['Convolution', 'InnerProduct', 'Softmax']) expect(list).toContain(layer);
});
