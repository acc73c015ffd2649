/** Skeletons of TensorFlow's models: without weights and names, and with the same failure, at the same kind of place, or the same layers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, MoError, type Message, type Model } from '@mo/wasm';
import { describe, expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import type { Skeleton } from '../../web/skeleton/types.js';
import { OUTPUTS } from '../../web/skeleton/tf/names.js';
import { tfSkeleton } from '../../web/skeleton/tf/skeleton.js';
import { readText, writeText } from '../../web/skeleton/tf/text.js';
import { concat, field, Wire, type Field, type Range } from '../../web/skeleton/wire.js';
import { families, recordedFolder, recordedGraphs } from './recorded.js';
import { root } from './support.js';
import { T, textBytes, tfConst, tfInput, tfNode } from './tf_writer.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', 'plughtensor'];

interface Files { main: { path: string; file: Blob } | { path: string }; files: { path: string; file: Blob }[] }
interface Outcome { layers: string[]; messages: readonly Message[] }

const blob = (bytes: Uint8Array) => new Blob([bytes as BlobPart]);
const single = (bytes: Uint8Array, path = 'model.pb'): Files => ({ main: { path, file: blob(bytes) }, files: [] });
const skeletonOf = (model: Files, messages: readonly Message[] = [], names = new Anonymous(new Set(), new Set())) => tfSkeleton({ ...model, messages }, names);
const bytesOf = (skeleton: Skeleton) => Buffer.concat('content' in skeleton ? [skeleton.content] : skeleton.files.map(({ content }) => content));

function modelOf(skeleton: Skeleton): Files {
  if ('content' in skeleton) return single(skeleton.content, skeleton.name);
  const files = skeleton.files.map(({ path, content }) => ({ path: `skeleton/${path}`, file: blob(content) }));
  const [main, ...others] = files;
  return main!.path.endsWith('/saved_model.pb') ? { main: { path: 'skeleton' }, files } : { main: main!, files: others };
}

async function outcome(model: Files, options = {}): Promise<Outcome> {
  try {
    const { xml, bin } = await convert(model as Model, { worker: false, ...options });
    await bin.close();
    return { layers: [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type!).filter((type) => !/^(?:Const|Convert)$/.test(type)).sort(), messages: [] };
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    return { layers: [], messages: error.messages };
  }
}

/** What failed, and whether a node, a tensor, a file and a place in it are named. */
const seen = ({ layers, messages }: Outcome) => ({
  layers,
  failures: messages.map(({ code, op, node, tensor, file, offset, line }) => [code, op, node !== '', tensor !== '', file !== '', offset >= 0, line > 0]),
});

async function sameAs(model: Files, options = {}): Promise<{ own: Outcome; skeleton: Skeleton }> {
  const own = await outcome(model, options);
  const skeleton = await skeletonOf(model, own.messages);
  expect(seen(await outcome(modelOf(skeleton)))).toEqual(seen(own));
  return { own, skeleton };
}

describe('recorded models', () => {
  it.each(families())('%s have the outcome of their skeletons', async (family) => {
    let at = 0;
    // Those that are refused, and a part of those that are not.
    for (const [name, graph] of await recordedGraphs(family)) if (at++ % 12 === 0 || REFUSED.has(`${family}/${name}`)) await sameAs(single(graph));
  });

  const REFUSED = new Set(['frames/TensorArrayV3_split', 'tensor_lists/TensorListConcatV2_sizes', 'tensor_lists/TensorListConcatLists', 'types/Bitcast_int32_to_float']);

  it.each([...REFUSED])('%s is refused', async (name) => {
    const [family, key] = name.split('/');
    const { own } = await sameAs(single((await recordedGraphs(family!)).get(key!)!));
    expect(own.messages).not.toEqual([]);
  });
});

/** The ranges of the innermost fields of a graph that have these numbers, each field inside the one before. */
async function rangesOf(graph: Uint8Array, ...numbers: number[]): Promise<Range[]> {
  const wire = new Wire(blob(graph));
  let ranges: Range[] = [wire.whole];
  for (const number of numbers) {
    const inner: Field[] = [];
    for (const range of ranges) inner.push(...(await wire.fields(range)).filter((one) => one.number === number));
    ranges = inner;
  }
  return ranges;
}

/** Ways to make a model fail: they change a field that rangesOf() finds by the numbers `at`. */
const DAMAGE: Record<string, { at: number[]; change: (bytes: Uint8Array, range: Range) => void; codes: RegExp }> = {
  'an unknown operation': { at: [1, 2], change: (bytes, { begin }) => (bytes[begin] = 0x5a), codes: /MO2001/ },
  'a tensor that is not there': { at: [1, 3], change: (bytes, { begin }) => (bytes[begin] = 0x5a), codes: /MO1013/ },
  'a type that IR does not have': { at: [1, 5, 2, 6], change: (bytes, { begin }) => (bytes[begin] = 21), codes: /MO2005/ },
  'an attribute that is missing': { at: [1, 5, 1], change: (bytes, { begin }) => (bytes[begin] = 0x5a), codes: /MO2003/ },
  'content of another size': { at: [1, 5, 2, 8, 2, 2, 1], change: (bytes, { begin }) => (bytes[begin] = 113), codes: /MO1009/ },
};

describe.each(Object.entries(DAMAGE))('%s', (_, { at, change, codes }) => {
  it('fails as it does in the skeleton', async () => {
    const found = new Set<string>();
    for (const family of families()) {
      let index = 0;
      for (const graph of (await recordedGraphs(family)).values()) {
        const last = index++ % 24 === 5 ? (await rangesOf(graph, ...at)).at(-1) : undefined;
        if (!last || last.begin === last.end) continue;
        const bytes = Uint8Array.from(graph);
        change(bytes, last);
        const { own } = await sameAs(single(bytes));
        for (const { code } of own.messages) found.add(code);
      }
    }
    expect([...found].join()).toMatch(codes);
  });
});

const FOLDERS = ['tf2_module', 'keras2_saved', 'keras3_export', 'keras3_lstm', 'tf1_tags', 'meta_graph', 'meta_graph_partitioned', 'meta_graph_resource', 'meta_graph_v1',
  'meta_graph_v1_shards', 'meta_graph_text', 'tf1_tags_text', 'tf2_module_text'];
const modelIn = (files: { path: string; file: Blob }[]): Files => {
  const main = files.find(({ path }) => /\.meta$|graph\.pb$/.test(path)) ?? { path: files[0]!.path.split('/')[0]! };
  return { main, files: files.filter((file) => file !== main) };
};

describe.each(FOLDERS)('variables of %s', (name) => {
  const all = recordedFolder(name);

  it('are constants where they are not what fails', async () => {
    const { own, skeleton } = await sameAs(modelIn(all));
    expect(own.messages).toEqual([]);
    expect('content' in skeleton && skeleton.content.length < 60_000).toBe(true);
  });

  it.each([
    ['no data', (files: typeof all) => files.filter(({ path }) => !/\.data-/.test(path))],
    ['no checkpoint', (files: typeof all) => files.filter(({ path }) => !/\.data-|\.index$|\.ckpt$|-00000-of-/.test(path))],
    ['data that is cut off', (files: typeof all) => files.map(({ path, file }) => ({ path, file: /\.data-/.test(path) ? file.slice(0, 3) : file }))],
  ])('fail as they do in the skeleton where there is %s', async (_, change) => {
    const { own, skeleton } = await sameAs(modelIn(change(all)));
    if (!name.includes('v1')) expect(own.messages).not.toEqual([]);
    if (name === 'meta_graph') for (const secret of ['weights', 'bias', 'layer']) expect(bytesOf(skeleton).includes(secret)).toBe(false);
  });
});

it('variables that are in no checkpoint have no value in the skeleton, either', async () => {
  const [graph] = recordedFolder('checkpoint_v2').filter(({ path }) => path.endsWith('graph.pb'));
  const { own } = await sameAs({ main: graph!, files: [] });
  expect(own.messages.map(({ code }) => code)).toEqual(['MO1020', 'MO1020']);
});

it('an index without the key of a variable gives that failure again', async () => {
  const files = recordedFolder('meta_graph');
  const other = recordedFolder('tf2_module').find(({ path }) => path.endsWith('.index'))!;
  const { own, skeleton } = await sameAs(modelIn(files.map(({ path, file }) => ({ path, file: path.endsWith('.index') ? other.file : file }))));
  expect(own.messages.map(({ code }) => code)).toEqual(['MO1020', 'MO1020']);
  expect('files' in skeleton && skeleton.files.map(({ path }) => path)).toEqual(['skeleton.meta', 'skeleton.index', 'skeleton.data-00000-of-00001']);
});

/** A graph with a name in every place that may have one. */
const SECRET = tfInput('zorgblat/plughtensor', -1, 4)
  + tfConst('zorgblat/wibblenode/kernel', 'DT_FLOAT', [4, 4], Array.from({ length: 16 }, (_, at) => `float_val: ${0.1234567 + at}`).join(' '))
  + tfConst('zorgblat/wibblenode/bias', 'DT_FLOAT', [1], 'float_val: 0.7654321')
  + tfConst('fnordic/labels', 'DT_STRING', [2], 'string_val: "quuxcorp one" string_val: "zorgblat:4711"')
  + tfNode('zorgblat/wibblenode/MatMul', 'MatMul', ['zorgblat/plughtensor:0', 'zorgblat/wibblenode/kernel', '^fnordic/labels'],
    { ...T, _class: 'list { s: "loc:@zorgblat/wibblenode/kernel" }', _quuxcorp: 's: "fnordic"' })
  + tfNode('zorgblat/wibblenode/Add', 'AddV2', ['zorgblat/wibblenode/MatMul', 'zorgblat/wibblenode/bias'], T)
  + tfNode('zorgblat/call', 'PartitionedCall', ['zorgblat/wibblenode/Add'], { f: 'func { name: "__inference_quuxcorp_7" attr { key: "fnordic" value { s: "fnordic" } } }', config: 's: "plughtensor"' })
  + tfNode('zorgblat/last', 'Relu', ['zorgblat/call:0'], T)
  + 'library { function { signature { name: "__inference_quuxcorp_7" input_arg { name: "plughtensor" type: DT_FLOAT description: "fnordic" } output_arg { name: "wibblenode" type: DT_FLOAT } }'
  + ' node_def { name: "fnordic/soft" op: "Softplus" input: "plughtensor" device: "/job:quuxcorp" attr { key: "T" value { type: DT_FLOAT } } }'
  + ' ret { key: "wibblenode" value: "fnordic/soft:activations:0" } attr { key: "_fnordic" value { s: "quuxcorp" } } gradient_quuxcorp: "fnordic" } }\n';

describe('names', () => {
  const signature = 'signature_def { key: "quuxcorp" value { inputs { key: "fnordic" value { name: "zorgblat/plughtensor:0" dtype: DT_FLOAT } } '
    + 'outputs { key: "wibblenode" value { name: "zorgblat/last:0" dtype: DT_FLOAT } } method_name: "zorgblat" } }';
  const saved = `saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: "serve" tensorflow_version: "2.18.0" tensorflow_git_version: "quuxcorp" } graph_def { ${SECRET} } ${signature} }`;

  it.each([
    ['a graph as text', SECRET, 'GraphDef', 'zorgblat.pbtxt'],
    ['a graph', SECRET, 'GraphDef', 'zorgblat.pb'],
    ['a SavedModel as text', saved, 'SavedModel', 'zorgblat.pbtxt'],
    ['a SavedModel', saved, 'SavedModel', 'zorgblat.pb'],
  ] as const)('of %s, and its weights, are not in the skeleton', async (_, text, message, path) => {
    const bytes = path.endsWith('txt') ? textBytes(text) : await readText(text, message);
    const { own, skeleton } = await sameAs(single(bytes, path));
    expect(own.layers).toEqual(['Add', 'MatMul', 'Parameter', 'ReLU', 'Result', 'SoftPlus']);
    const made = bytesOf(skeleton);
    for (const secret of [...SECRETS, '4711', '0.12345', '0.7654']) expect(made.includes(secret), secret).toBe(false);
    for (const weight of [0.1234567, 1.1234567, 0.7654321]) expect(made.includes(Buffer.from(Float32Array.of(weight).buffer)), String(weight)).toBe(false);
    expect('content' in skeleton && skeleton.name).toBe(path.replace('zorgblat', 'skeleton'));
  });

  it.each(['tf2_module', 'keras2_saved', 'keras3_lstm', 'tf1_tags', 'meta_graph'])('of %s are aliases, all of them', async (name) => {
    const skeleton = await skeletonOf(modelIn(recordedFolder(name)));
    const text = await writeText(bytesOf(skeleton), name === 'meta_graph' ? 'MetaGraphDef' : 'SavedModel');
    const lines = text.split('\n').map((line) => /^\s*(\w+): "(.*)"$/.exec(line)).filter((found) => found !== null);
    const own = 's\\d+|read|Const|Assign|NoOp|SaveV2|RestoreV2|MergeV2Checkpoints|AssignVariableOp|(?:serving_default_|ReadVariableOp_?)s\\d+|ReadVariableOp(?:_\\d+)?|serving_default|__saved_model_init_op|';
    const alias = new RegExp(`^\\^?(?:${own})(?:/(?:${own}))*(?::\\w+)*$`);
    const words = /^(?:serve|train|VALID|SAME|NHWC|tensorflow\/serving\/predict|\d+\.\d+\.\d+|(?:\d+ )+(?:\d+,\d+|-)(?::-|:\d+,\d+)*)$/;
    const names = lines.filter(([, key, value]) => key !== 'op' && key !== 'tensor_content' && !(key === 'key' && /^[A-Za-z_]\w*$/.test(value!)));
    expect(names.length).toBeGreaterThan(20);
    expect(names.map(([, , value]) => value!).filter((value) => !alias.test(value) && !words.test(value))).toEqual([]);
    // Keys that are words are those of attributes.
    const keys = new Set(lines.filter(([, key]) => key === 'key').map(([, , value]) => value!));
    for (const secret of ['weights', 'picture', 'x', 'first', 'second', 'sequence']) expect(keys.has(secret), secret).toBe(false);
  });

  it('are the same in the report, in functions, too', async () => {
    const model = single(textBytes(SECRET.replace('op: "Softplus"', 'op: "Frobnicate"')), 'zorgblat.pbtxt');
    const names = new Anonymous(new Set(), new Set());
    const own = await outcome(model);
    const made = await outcome(modelOf(await skeletonOf(model, own.messages, names)));
    expect(own.messages.map(({ node }) => node)).toEqual(['zorgblat/call/fnordic/soft']);
    expect(made.messages.map(({ node }) => node)).toEqual([names.name('zorgblat/call/fnordic/soft', 'n')]);
  });

  it('of outputs are those of the core', () => {
    const rows = readFileSync(join(root, 'core/front/tf/load/outputs.def'), 'utf8').matchAll(/^TF_OUTPUTS\(\w+, "([^"]+)"/gm);
    expect([...OUTPUTS].sort()).toEqual([...new Set([...rows].flatMap(([, names]) => names!.replaceAll('*', '').split(' ')))].sort());
  });
});

describe('a setting', () => {
  const graph = (type: string, values: string) => textBytes(tfInput('x', 2) + tfConst('c', type, [], values) + tfNode('y', 'AddV2', ['x', 'c'], T));
  it.each([
    ['DT_FLOAT', 'float_val: 6', 'float_val: 6'],
    ['DT_FLOAT', 'float_val: 0.001', 'float_val: 0.0010000000474974513'],
    ['DT_FLOAT', 'float_val: -0.7654321', 'float_val: -0.5'],
    ['DT_DOUBLE', 'double_val: 1234.5678', 'double_val: 1024'],
    ['DT_HALF', 'half_val: 15360', 'half_val: 15360'],
    ['DT_BFLOAT16', 'half_val: 16000', 'half_val: 16000'],
    ['DT_INT32', 'int_val: -3', 'int_val: -3'],
    ['DT_INT32', 'tensor_content: "\\001\\002\\000\\000"', 'tensor_content: "\\001\\002\\000\\000"'],
    ['DT_BOOL', 'bool_val: true', 'bool_val: true'],
    ['DT_COMPLEX64', 'scomplex_val: 1.25 scomplex_val: 2', String.raw`tensor_content: "\000\000\240?\000\000\000@"`],
  ])('%s %s is %s', async (type, given, wanted) => {
    const text = bytesOf(await skeletonOf(single(graph(type, given), 'm.pbtxt'))).toString();
    const values = text.split('\n').map((line) => line.trim()).filter((line) => /_val|_content/.test(line));
    expect(values.join()).toBe(wanted);
  });
});

describe('a hostile file', () => {
  it.each([
    ['is cut off', 'MO1005', async (graph: Uint8Array) => single(graph.slice(0, graph.length / 2))],
    ['is no message', 'MO1005', async () => single(new Uint8Array(64).fill(0xff))],
    ['is empty', 'MO1002', async () => single(new Uint8Array())],
    ['is another model', 'MO1002', async () => single(concat([field(1, 8), field(7, 'x')]))],
    ['has more fields than graphs have', 'MO1010', async () => single(concat([field(1, field(1, 'a')), new Uint8Array(4 << 20).map((_, at) => (at % 2 ? 0 : 0x18))]))],
    ['nests texts', 'MO1011', async () => single(textBytes(`node { name: "a" ${'x {'.repeat(100_000)}`), 'm.pbtxt')],
    ['has a text that does not end', 'MO1030', async () => single(textBytes('node { name: "a'), 'm.pbtxt')],
    ['has a text without a value', 'MO1030', async () => single(textBytes('node { name: "a" op: }'), 'm.pbtxt')],
    ['has an index that is none', 'MO1005', async () => modelIn(recordedFolder('meta_graph').map(({ path, file }) => ({ path, file: path.endsWith('.index') ? blob(new Uint8Array(99)) : file })))],
  ])('that %s is an error', async (_, code, make) => {
    const model = await make([...(await recordedGraphs('matrices')).values()][0]!);
    const { messages } = await outcome(model);
    await expect(skeletonOf(model, messages)).rejects.toMatchObject({ code });
  });

  it('ends with a skeleton or an error, wherever it is damaged', async () => {
    let state = 7;
    const random = (below: number) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
    const index = Buffer.from(await recordedFolder('meta_graph').find(({ path }) => path.endsWith('.index'))!.file.arrayBuffer());
    const graphs = [...(await recordedGraphs('control_flow')).values()];
    const variable = { code: 'MO1008', node: 'layer/weights', tensor: 'layer/weights' } as Message;
    // Of each of the three kinds of models.
    const [skeletons, errors] = [[0, 0, 0], [0, 0, 0]];
    for (let round = 0; round < 600; round++) {
      const bytes = Uint8Array.from(round % 3 === 0 ? index : graphs[round % graphs.length]!);
      for (let change = 0; change <= random(3); change++) bytes[random(bytes.length)] = random(256);
      const text = round % 3 === 1 ? await writeText(bytes, 'GraphDef').catch(() => '') : '';
      if (round % 3 === 1 && text === '') continue;
      const model = round % 3 === 0 ? modelIn(recordedFolder('meta_graph').map(({ path, file }) => ({ path, file: path.endsWith('.index') ? blob(bytes) : file })))
        : round % 3 === 1 ? single(textBytes(text.slice(0, random(2) ? text.length : random(text.length))), 'm.pbtxt') : single(bytes);
      const made = await skeletonOf(model, [variable]).catch((error: unknown) => error);
      if (made instanceof Error) expect(made).toBeInstanceOf(MoError);
      (made instanceof Error ? errors : skeletons)[round % 3]!++;
    }
    expect(Math.min(...skeletons)).toBeGreaterThan(30);
    expect(Math.min(...errors)).toBeGreaterThan(30);
  });
});
