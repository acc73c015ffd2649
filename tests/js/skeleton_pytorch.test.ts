/** Skeletons of PyTorch's programs: without weights and names, and with the same failure or the same layers. */
import { inflateRawSync } from 'node:zlib';
import { convert, inspect, type Model } from '@mo/wasm';
import { expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { zipOf } from '../../web/save/zip.js';
import { pytorchSkeleton } from '../../web/skeleton/pytorch/skeleton.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', '/home/'];
const SECRET = Buffer.from(new Float32Array([0.7239]).buffer);

const ints = (...numbers: readonly number[]) => numbers.map((one) => ({ as_int: one }));
const strides = (sizes: readonly number[]) => sizes.map((_, axis) => sizes.slice(axis + 1).reduce((all, one) => all * one, 1));
const meta = (sizes: readonly number[]) => ({
  dtype: 7, sizes: ints(...sizes), requires_grad: true, device: { type: 'cpu', index: null }, strides: ints(...strides(sizes)), storage_offset: { as_int: 0 }, layout: 7,
});
const tensor = (name: string) => ({ as_tensor: { name } });
const node = (target: string, inputs: Readonly<Record<string, object>>, output: string) => ({
  target: `torch.ops.${target}`, inputs: Object.entries(inputs).map(([name, arg]) => ({ name, arg, kind: 1 })), outputs: [tensor(output)],
  metadata: { stack_trace: 'File "/home/wibblenode/train.py"', nn_module_stack: "L__self__,,quuxcorp.Net;L__self__fc,L['self'].fnordic,torch.nn.Linear" },
});
const WEIGHTS = { 'fnordic.weight': [4, 3], 'fnordic.bias': [4], 'fnordic.mean': [2, 4] };
const parameter = (name: string) => ({ parameter: { arg: { name: `p_${name.replace('.', '_')}` }, parameter_name: name } });
/** linear(x)[:, 1:] + mean, a buffer that is not in the state_dict, times 0.7239. */
const program = (last = 'aten.mul.Tensor') => ({
  graph_module: {
    graph: {
      inputs: ['p_fnordic_weight', 'p_fnordic_bias', 'b_fnordic_mean', 'zorgblat'].map(tensor), outputs: [tensor('quuxcorp_out')],
      nodes: [
        node('aten.linear.default', { input: tensor('zorgblat'), weight: tensor('p_fnordic_weight'), bias: tensor('p_fnordic_bias') }, 'quuxcorp_linear'),
        node('aten.add.Tensor', { self: tensor('quuxcorp_linear'), other: tensor('b_fnordic_mean') }, 'quuxcorp_add'),
        node('aten.slice.Tensor', { self: tensor('quuxcorp_add'), dim: { as_int: 1 }, start: { as_int: 1 }, end: { as_int: 'END' } }, 'quuxcorp_slice'),
        node(last, { self: tensor('quuxcorp_slice'), other: { as_float: 0.7239 } }, 'quuxcorp_out'),
      ],
      tensor_values: {
        p_fnordic_weight: meta([4, 3]), p_fnordic_bias: meta([4]), b_fnordic_mean: meta([2, 4]), zorgblat: meta([2, 3]), quuxcorp_linear: meta([2, 4]), quuxcorp_add: meta([2, 4]),
        quuxcorp_slice: meta([2, 3]), quuxcorp_out: meta([2, 3]),
      },
      sym_int_values: {}, sym_bool_values: {},
    },
    signature: {
      input_specs: [
        parameter('fnordic.weight'), parameter('fnordic.bias'), { buffer: { arg: { name: 'b_fnordic_mean' }, buffer_name: 'fnordic.mean', persistent: false } }, { user_input: { arg: tensor('zorgblat') } },
      ],
      output_specs: [{ user_output: { arg: tensor('quuxcorp_out') } }],
    },
    module_call_graph: [{ signature: { out_spec: '[1, {"type": "quuxcorp.Output"}]' } }],
  },
  schema_version: { major: 8, minor: 20 }, range_constraints: {}, torch_version: '2.15.0', verifiers: ['TRAINING'], guards_code: ['wibblenode > 3'],
});
const encoded = (value: object) => new TextEncoder().encode(JSON.stringify(value).replace('"END"', '9223372036854775807'));
const numbers = (count: number) => new Uint8Array(new Float32Array(count).fill(0.7239).buffer);
const config = (...names: readonly (keyof typeof WEIGHTS)[]) => ({
  config: Object.fromEntries(names.map((name, at) => [name, { path_name: `weight_${at}`, is_param: true, use_pickle: false, tensor_meta: meta(WEIGHTS[name]) }])),
});
const files = (content: object): Record<string, Uint8Array> => ({
  'models/model.json': encoded(content), 'data/weights/model_weights_config.json': encoded(config('fnordic.weight', 'fnordic.bias')), 'data/weights/weight_0': numbers(12), 'data/weights/weight_1': numbers(4),
  'data/constants/model_constants_config.json': encoded(config('fnordic.mean')), 'data/constants/weight_0': numbers(8), archive_format: Buffer.from('pt2'), archive_version: Buffer.from('0'), byteorder: Buffer.from('little'),
});
const archive = (given: Readonly<Record<string, Uint8Array>>) => zipOf(
  Object.entries(given).map(([path, content]) => ({ path: `zorgblat/${path}`, download: { content: new Blob([content as BlobPart]) } })), { signal: new AbortController().signal, onBytes: () => undefined },
);

async function skeletonOf(file: Blob) {
  const made = await pytorchSkeleton({ main: { path: 'zorgblat.pt2', file }, files: [], messages: [] }, new Anonymous(new Set(), new Set()));
  if (!('files' in made)) throw new Error('one file');
  return Promise.all(made.files.map(async ({ path, content }) => ({
    path, packed: content instanceof Uint8Array ? content.length : content.content.size,
    content: content instanceof Uint8Array ? content : new Uint8Array(inflateRawSync(Buffer.from(await content.content.arrayBuffer()))),
  })));
}
const modelOf = (made: readonly { path: string; content: Uint8Array }[]): Model => ({
  main: { path: 'skeleton' }, files: made.map(({ path, content }) => ({ path: `skeleton/${path}`, file: new Blob([content as BlobPart]) })),
});
const types = (xml: string) => [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type).sort();

it('has no names, no weights and no paths of the machine', async () => {
  const made = await skeletonOf(await archive(files(program())));
  expect(made.map(({ path }) => path).sort()).toEqual([
    'archive_format', 'archive_version', 'byteorder', 'data/constants/model_7', 'data/constants/model_constants_config.json', 'data/weights/model_7', 'data/weights/model_weights_config.json', 'models/model.json',
  ]);
  for (const { content } of made) {
    for (const secret of SECRETS) expect(Buffer.from(content).includes(secret)).toBe(false);
    expect(Buffer.from(content).includes(SECRET)).toBe(false);
  }
});

it('converts to the same layers, and keeps whole numbers of 64 bits', async () => {
  const given = new Blob([await archive(files(program()))]);
  const made = await skeletonOf(given);
  expect(Buffer.from(made.find(({ path }) => path === 'models/model.json')!.content).toString()).toContain('"as_int":9223372036854775807');
  const [own, again] = await Promise.all([convert({ main: { path: 'zorgblat.pt2', file: given }, files: [] }), convert(modelOf(made))]);
  expect(types(again.xml)).toEqual(types(own.xml));
  expect(again.report.inputs.map(({ shape }) => shape)).toEqual(own.report.inputs.map(({ shape }) => shape));
  expect(again.report.outputs.map(({ shape }) => shape)).toEqual(own.report.outputs.map(({ shape }) => shape));
});

it('fails as the model does', async () => {
  const made = await skeletonOf(await archive(files(program('quux.frobnicate.default'))));
  const { messages } = await inspect(modelOf(made));
  expect(messages.map(({ code, op }) => [code, op])).toEqual([['MO2001', 'frobnicate']]);
});

it('takes the program of PyTorch 2.6 and 2.7, whose weights are pickled', async () => {
  const made = await skeletonOf(await archive({ 'serialized_exported_program.json': encoded(program()), 'serialized_state_dict.pt': Buffer.from('fnordic') }));
  expect((await convert(modelOf(made))).report.outputs.map(({ shape }) => shape)).toEqual(['[2,3]']);
});

it('takes the files of a folder', async () => {
  const side = Object.entries(files(program())).map(([path, content]) => ({ path: `net/${path}`, file: new Blob([content as BlobPart]) }));
  const made = await pytorchSkeleton({ main: { path: 'net' }, files: side, messages: [] }, new Anonymous(new Set(), new Set()));
  expect('files' in made && made.files.length).toBe(8);
});

it('needs little room for large weights', async () => {
  const large = program();
  large.graph_module.graph.tensor_values.p_fnordic_weight = meta([4096, 3000]);
  const made = await skeletonOf(await archive(files(large)));
  expect(made.find(({ path }) => path === 'data/weights/model_7')!.content.length).toBe(4096 * 3000 * 4);
  expect(made.reduce((all, { packed }) => all + packed, 0)).toBeLessThan(4096 * 3000 / 50);
});

it.each([
  ['no archive', async () => new Blob(['zorgblat'])], ['an archive that ends early', async () => (await archive(files(program()))).slice(0, 3000)],
  ['no JSON', async () => archive({ 'models/model.json': Buffer.from('{"a":') })], ['another archive', async () => archive({ 'data.pkl': Buffer.from('a') })],
])('says that there is no program: %s', async (_, make) => {
  await expect(skeletonOf(await make())).rejects.toMatchObject({ messages: [{ code: 'MO1012' }] });
});
