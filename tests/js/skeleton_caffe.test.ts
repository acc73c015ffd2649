/** Skeletons of Caffe's networks: without weights and names, and with the same failure, or the same layers, shapes and connections. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, MoError, type Message, type Model } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { mappingOf } from '../../web/skeleton/caffe/mapping.js';
import { FILES, FILLERS, PYTHON } from '../../web/skeleton/caffe/network.js';
import { caffeSkeleton } from '../../web/skeleton/caffe/skeleton.js';
import { readFields, writeFields } from '../../web/skeleton/caffe/text.js';
import type { Skeleton } from '../../web/skeleton/types.js';
import { fiveLayers, fiveMapping } from './caffe_writer.js';
import { root, temporaryFolder } from './support.js';
import { message, type Field } from './wire.js';

interface Files { main: { path: string; file: Blob }; files: { path: string; file: Blob }[] }
interface Outcome { xml: string; messages: readonly Message[]; bytes: number }

const blob = (content: Uint8Array | string) => new Blob([content as BlobPart]);
/** A network with its weights: the weights are the model. */
const pair = (text: string, weights?: Uint8Array, others: Record<string, string> = {}): Files => {
  const [network, ...files] = Object.entries({ 'net.prototxt': text, ...others }).map(([path, content]) => ({ path, file: blob(content) }));
  return weights ? { main: { path: 'net.caffemodel', file: blob(weights) }, files: [network!, ...files] } : { main: network!, files };
};
const skeletonOf = (model: Files, messages: readonly Message[] = [], names = new Anonymous(new Set(), new Set())) => caffeSkeleton({ ...model, messages }, names);
const filesOf = (skeleton: Skeleton) => ('content' in skeleton ? [{ path: skeleton.name, content: skeleton.content }] : skeleton.files);
const textOf = (skeleton: Skeleton) => Buffer.from(filesOf(skeleton).find(({ path }) => path === 'skeleton.prototxt')!.content).toString();

function modelOf(skeleton: Skeleton): Files {
  const files = filesOf(skeleton).map(({ path, content }) => ({ path, file: blob(content) }));
  const main = files.find(({ path }) => path.endsWith('.caffemodel')) ?? files[0]!;
  return { main, files: files.filter((file) => file !== main) };
}

async function outcome(model: Files, options = {}): Promise<Outcome> {
  try {
    const { xml, bin, warnings } = await convert(model as Model, { worker: false, ...options });
    const bytes = bin.size;
    await bin.close();
    return { xml, messages: warnings, bytes };
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    return { xml: '', messages: error.messages, bytes: 0 };
  }
}

/** Layers with their types and shapes in their order, connections, and what failed and where. */
const seen = ({ xml, messages, bytes }: Outcome) => ({
  layers: Array.from(xml.matchAll(/<layer id="(\d+)" name="[^"]*" type="(\w+)"/g), ([, id, type]) => `${id} ${type}`),
  shapes: Array.from(xml.matchAll(/<\/?(?:port|input|output|body)\b[^>]*>|<dim>-?\d+/g), ([found]) => found.replaceAll(/ names="[^"]*"/g, '')),
  edges: Array.from(xml.matchAll(/<edge [^>]*>/g), ([edge]) => edge),
  bytes,
  failures: messages.map(({ code, op, node, tensor, file, offset, line }) => [code, op, node !== '', tensor !== '', file !== '', offset >= 0, line > 0]),
});

async function sameAs(model: Files, options = {}): Promise<{ own: Outcome; skeleton: Skeleton }> {
  const own = await outcome(model, options);
  const skeleton = await skeletonOf(model, own.messages);
  expect(seen(await outcome(modelOf(skeleton), options))).toEqual(seen(own));
  return { own, skeleton };
}

describe('networks of the tests', () => {
  let folder = '';
  beforeAll(() => {
    folder = temporaryFolder();
    const made = spawnSync(join(root, '.venv/bin/python'), [join(root, 'tests/caffe/write.py'), folder], { encoding: 'utf8' });
    expect(made.stderr).toBe('');
  }, 120_000);

  it('become the same IR, but for numbers and names', async () => {
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(250);
    for (const name of names) {
      const read = (ending: string) => readFileSync(join(folder, name, `net.${ending}`));
      const { own, skeleton } = await sameAs(pair(read('prototxt').toString(), read('caffemodel'))).catch((error: Error) => { throw new Error(`${name}: ${error.message}`, { cause: error }); });
      expect(own.xml, name).not.toBe('');
      for (const { content } of filesOf(skeleton)) expect(content.length, name).toBeLessThan(30_000);
    }
  }, 300_000);
});

const HEAD = 'input: "data" input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8\n';
const CONV = 'layer { name: "conv" type: "Convolution" bottom: "data" top: "c" convolution_param { num_output: 4 kernel_size: 3 } }\n';
const floats = (count: number) => new Uint8Array(Float32Array.from({ length: count }, (_, at) => 0.1234567 + at).buffer);
const blobOf = (dims: readonly number[], count = dims.reduce((all, one) => all * one, 1)) => message([[7, message(dims.map((dim): Field => [1, dim]))], [5, floats(count)]]);
const weightsOf = (layers: Record<string, Uint8Array[]>) =>
  message([[1, 'net'], ...Object.entries(layers).map(([name, blobs]): Field => [100, message([[1, name], [2, 'Any'], ...blobs.map((one): Field => [7, one])])])]);
const [W, B] = [blobOf([4, 3, 3, 3]), blobOf([4])];
const good = { conv: [W, B] };

describe('what fails, fails in the skeleton', () => {
  const layer = (type: string, more = '', bottom = 'c') => `layer { name: "l" type: "${type}" bottom: "${bottom}" top: "y" ${more} }\n`;
  it.each<[string, string, Files]>([
    ['a layer without weights', 'MO1034', pair(HEAD + CONV, weightsOf({ other: [W, B] }))],
    ['a network without its weights', 'MO1034', pair(HEAD + CONV)],
    ['weights that need a filler at random', 'MO1034', pair(HEAD + CONV.replace('kernel_size: 3', 'kernel_size: 3 weight_filler { type: "xavier" }'))],
    ['too few blobs', 'MO3002', pair(HEAD + CONV, weightsOf({ conv: [W] }))],
    ['a merged BatchNorm', 'MO3002', pair(HEAD + CONV, weightsOf({ conv: [W, B, B] }))],
    ['blobs of another size', 'MO3002', pair(HEAD + CONV, weightsOf({ conv: [W, blobOf([3])] }))],
    ['a blob with another shape', 'MO3002', pair(HEAD + CONV, weightsOf({ conv: [blobOf([4, 27]), B] }))],
    ['numbers that do not fit the shape', 'MO1009', pair(HEAD + CONV, weightsOf({ conv: [blobOf([4, 3, 3, 3], 100), B] }))],
    ['a shape without numbers', 'MO1009', pair(HEAD + CONV, weightsOf({ conv: [blobOf([4, 3, 3, 3], 0), B] }))],
    ['half a number', 'MO1005', pair(HEAD + CONV, weightsOf({ conv: [message([[5, new Uint8Array(7)]]), B] }))],
    ['raw numbers of a type that is not known', 'MO2005', pair(HEAD + CONV, weightsOf({ conv: [message([[10, 9], [12, new Uint8Array(8)]]), B] }))],
    ['an unknown layer', 'MO2001', pair(HEAD + CONV + layer('Frobnicate', 'frob_param { kind: "secret" size: 3 }'), weightsOf(good))],
    ['a layer in Python', 'MO2001', pair(HEAD + CONV + layer('Python', 'python_param { module: "own.layers" layer: "Frob" param_str: "secret" }'), weightsOf(good))],
    ['a tensor that nothing makes', 'MO1013', pair(HEAD + CONV + layer('ReLU', '', 'nothing'), weightsOf(good))],
    ['two layers that make one tensor', 'MO1014', pair(HEAD + CONV + layer('ReLU') + layer('AbsVal'), weightsOf(good))],
    ['a number that cannot be', 'MO2002', pair(HEAD + CONV + layer('Slice', 'slice_param { slice_point: 1 slice_point: 2 }'), weightsOf(good))],
    ['a text for a number', 'MO1031', pair(HEAD + CONV + layer('Softmax', 'softmax_param { axis: "secret" }'), weightsOf(good))],
    ['an enumerator that is not known', 'MO1031', pair(HEAD + CONV + layer('Pooling', 'pooling_param { pool: MIN }'), weightsOf(good))],
    ['a field that is not known', 'MO1035', pair(HEAD + CONV + layer('ReLU', 'relu_param { own: "secret" }'), weightsOf(good))],
    ['a mapping without shapes', 'MO4014', pair(fiveLayers.replaceAll(/Own\d/g, 'ReLU'), undefined, { 'CustomLayersMapping.xml': fiveMapping })],
    ['rules of both kinds', 'MO1031', pair(HEAD + CONV + layer('ReLU', 'include { stage: "secret" } exclude { phase: TRAIN }'), weightsOf(good))],
  ])('%s', async (_, code, model) => {
    const { own, skeleton } = await sameAs(model);
    expect(own.messages.map((one) => one.code)).toContain(code);
    for (const { content } of filesOf(skeleton)) expect(Buffer.from(content).includes('secret')).toBe(false);
  });

  it('weights without a network stay without one', async () => {
    const { own, skeleton } = await sameAs({ main: { path: 'net.caffemodel', file: blob(weightsOf(good)) }, files: [{ path: 'solver.prototxt', file: blob('net: "a"\nbase_lr: 1') }] });
    expect(own.messages.map(({ code }) => code)).toEqual(['MO1024']);
    expect(filesOf(skeleton).map(({ path }) => path)).toEqual(['skeleton.caffemodel']);
  });

  it('text that is none says where', async () => {
    const model = pair(`${HEAD}layer { name: "l"\n  type }`);
    const own = await outcome(model);
    expect(own.messages).toMatchObject([{ code: 'MO1030', line: 3, column: 8 }]);
    await expect(skeletonOf(model)).rejects.toThrow('line 3, column 8');
  });

  it('damaged weights have no skeleton', async () => {
    await expect(skeletonOf(pair(HEAD + CONV, weightsOf(good).subarray(0, 100)))).rejects.toThrow('MO1005');
  });
});

describe('names', () => {
  const secret = `# zorgblat was here
name: "zorgblat" state { stage: "quuxcorp" }
layer { name: "fnordic" type: "Data" top: "plughtensor" data_param { source: "/home/zorgblat/lmdb" batch_size: 2 }
  transform_param { crop_size: 8 mean_file: "zorgblat.binaryproto" mean_value: [104.1234567, 117.7654321, 123] } }
layer { name: "wibblenode" type: "Convolution" bottom: 'plugh' "tensor" top: "wib\\142le" param { name: "zorgblat_w" lr_mult: 1 } param { name: "zorgblat_b" }
  convolution_param { num_output: 4 kernel_size: 3 weight_filler { type: "gaussian" std: 0.0123456 file: "zorgblat" } }
  blobs { data: 0.7654321 data: 0.1234567 } include { stage: "quuxcorp" } }
layer { name: "wibblerelu" type: "ReLU" bottom: "wibble" top: "wibble" }
layer { name: "ro\\"i" type: "Softmax" bottom: "wibble" top: "fnordic_out" }
`;
  const model = () => pair(secret, weightsOf({ wibblenode: [W, B] }));
  const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'plugh', 'wibble', 'ro\\"i', 'lmdb', 'was here', '0.76', '0.0123456', '104.12'];

  it('and weights are not in the skeleton', async () => {
    const { own, skeleton } = await sameAs(model());
    expect(own.messages).toEqual([]);
    const made = Buffer.concat(filesOf(skeleton).map(({ content }) => content));
    for (const word of SECRETS) expect(made.includes(word), word).toBe(false);
    for (const weight of [0.1234567, 1.1234567, 0.7654321]) expect(made.includes(Buffer.from(Float32Array.of(weight).buffer)), String(weight)).toBe(false);
    expect(filesOf(skeleton).map(({ path, content }) => [path, content.length < 1500])).toEqual([['skeleton.prototxt', true], ['skeleton.caffemodel', true]]);
    expect(textOf(skeleton)).toMatch(/mean_value: \[104, 118, 123\]/);
  });

  it('are the same in the report, and in options', async () => {
    const names = new Anonymous(new Set(), new Set());
    const broken = pair(secret.replace('"Softmax"', '"Frobnicate"'), weightsOf({ wibblenode: [W, B] }));
    const own = await outcome(broken);
    const made = await outcome(modelOf(await skeletonOf(broken, own.messages, names)));
    expect(own.messages.map(({ node }) => node)).toEqual(['ro"i']);
    expect(made.messages.map(({ node }) => node)).toEqual([names.name('ro"i', 'n')]);
  });

  it('a stage that an option names has its new name', async () => {
    const names = new Anonymous(new Set(), new Set());
    const staged = pair(secret.replace('state { stage: "quuxcorp" }', ''), weightsOf({ wibblenode: [W, B] }));
    const own = await outcome(staged, { caffe_stages: 'quuxcorp' });
    const skeleton = await skeletonOf(staged, own.messages, names);
    expect(seen(await outcome(modelOf(skeleton), { caffe_stages: names.text('quuxcorp') }))).toEqual(seen(own));
    expect(own.xml).toContain('type="Convolution"');
  });

  it('of texts that the schema has are replaced, known words, or left out', () => {
    const schema = readFileSync(join(root, 'core/front/caffe/load/caffe.proto'), 'utf8');
    const texts = new Set(Array.from(schema.matchAll(/(?:optional|repeated) (?:string|bytes) (\w+) =/g), ([, name]) => name!));
    const others = ['bottom', 'input', 'layer', 'learned_net', 'module', 'name', 'not_stage', 'param', 'param_str', 'raw_data', 'stage', 'top', 'type'];
    expect([...texts].sort()).toEqual([...FILES, ...others].sort());
    const rows = readFileSync(join(root, 'core/front/caffe/extract/operators.def'), 'utf8');
    expect([...PYTHON].sort()).toEqual(Array.from(rows.matchAll(/^CAFFE_\w+\(([\w.]+), python_param/gm), ([, name]) => name!).sort());
    const fillers = readFileSync(join(root, 'core/front/caffe/load/blobs.cpp'), 'utf8').match(/is_one_of\(type, \{(.*)\}\)/)![1]!;
    for (const [, name] of fillers.matchAll(/"(\w+)"/g)) expect(FILLERS.has(name!)).toBe(true);
  });

  it('of types that the network does not have are not in the mapping', () => {
    const element = (type: string, more = '') => `<CustomLayer NativeType="${type}" hasParam="true" protoParamName='a_param' ${more}/>`;
    expect(mappingOf(`<a><!-- ${element('Own')} -->${element('Own', 'secret="x"')}${element('Secret')}</a>`, new Set(['own'])))
      .toBe('<CustomLayersMapping>\n  <CustomLayer NativeType="Own" hasParam="true" protoParamName="a_param"/>\n</CustomLayersMapping>\n');
  });
});

describe('a text', () => {
  const rewritten = async (text: string) => textOf(await skeletonOf(pair(text))).replaceAll(/\s+/g, ' ').trim();
  it.each([
    ['layer { own_param { a: 0.0078125 b: 0.3333333333 c: 0.00392156862745 d: 1.23456789e-7 e: -3 f: 0x1F g: .5 h: 2.f } }',
      'layer { own_param { a: 0.0078125 b: 0.3333333333 c: 0.00392156862745 d: 1.23e-7 e: -3 f: 0x1F g: .5 h: 2.f } }'],
    ['layer < p < a: [0.12345, 0.12346, 0.12345] > >', 'layer { p { a: [0.123, 0.1235, 0.123] } }'],
    ['layer { p { a: MAX b: true c: "secret" d: [] } }', 'layer { p { a: MAX b: true c: "" d: [] } }'],
    ['layer { [own.field] { a: 1, b: 2; } }', 'layer { [own.field] { a: 1 b: 2 } }'],
    ['layer { p { a: inf b: -inf c: nan } }', 'layer { p { a: inf b: -inf c: nan } }'],
    ['layer { python_param { module: "rpn.proposal_layer" layer: "ProposalLayer" param_str: "\'feat_stride\': 16 # secret\\n\'secret\': \'secret\', \'ratios\': [0.51234, 1]" } }',
      'layer { python_param { module: "rpn.proposal_layer" layer: "ProposalLayer" param_str: "\'feat_stride\': 16 \\n\'x\': \'x\', \'ratios\': [0.512, 1]" } }'],
    ['layer { python_param { module: "own" layer: "Own" param_str: "secret" } }', 'layer { python_param { module: "own" layer: "Own" } }'],
    ['layer { p_filler { type: "constant" value: 1 } q_filler { type: "secret" } }', 'layer { p_filler { type: "constant" value: 1 } q_filler { type: "" } }'],
  ])('%s', async (given, wanted) => {
    expect(await rewritten(given)).toBe(wanted);
  });

  it('of weights is not kept', async () => {
    const numbers = Array.from({ length: 70 }, (_, at) => `data: ${at + 0.5}`).join(' ');
    const text = await rewritten(`layer { own_param { own { ${numbers} } } }`);
    expect(text.match(/data: 0\.5/g)!.length).toBe(7);
  });

  it.each(['layer {', 'layer }', 'layer { a: }', 'layer { a: [1, }', 'layer { a 1 }', 'a: "x', 'a: \u00e9', '[a b: 1', '"a": 1', 'a: -'])('%s is refused', (text) => {
    expect(() => readFields(text)).toThrow('MO1030');
  });

  it('nests no deeper than the core reads', () => {
    expect(() => readFields('a { '.repeat(100_000))).toThrow('MO1011');
    expect(writeFields(readFields(`${'a { '.repeat(100)}${'} '.repeat(100)}`)).length).toBeGreaterThan(500);
  });
});
