/** inspect() of the library in Node: what a model is before it is converted. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, MoError, type FirstFacts } from '@mo/wasm';
import { expect, it } from 'vitest';

import { longNet } from './models.js';
import { modelFolder, root } from './support.js';

const models = modelFolder();
const path = (name: string) => join(models, name);

it.each([['--input-type=module'], ['--input-type', 'module']])('works in a program that is no file: %s %s', (...type) => {
  const program = `import { convert, inspect } from ${JSON.stringify(pathToFileURL(join(root, 'dist/library/node/node.js')).href)};
    const model = ${JSON.stringify(path('conv.onnx'))};
    const { bin } = await convert(model);
    console.log((await inspect(model)).nodes, bin.size > 0);
    await bin.close();`;
  const done = spawnSync(process.execPath, [...type.filter(Boolean), '-e', program], { encoding: 'utf8' });
  expect(done).toMatchObject({ stdout: '3 true\n', stderr: '', status: 0 });
});

it('says what a model is', async () => {
  const found = await inspect(path('conv.onnx'));
  expect(found).toMatchObject({
    name: 'conv',
    framework: 'onnx',
    format: 'ONNX',
    inputs: [{ name: 'image', names: ['image'], shape: '[?,3,32,32]', type: 'f32' }],
    outputs: [{ name: 'result', names: ['result'], shape: '[?,16,32,32]', type: 'f32' }],
    operations: { BatchNormalization: 1, Conv: 1, Relu: 1 },
    nodes: 3,
    constants: 5,
    constant_bytes: 4 * (16 * 27 + 4 * 16),
    bin_bytes: { f32: 4 * (16 * 27 + 4 * 16), fp16: 2 * (16 * 27 + 4 * 16) },
    missing_files: [],
    messages: [],
  });
  expect(found.operator_sets).toContainEqual({ domain: 'ai.onnx', version: expect.any(Number) });
});

it.each([true, false])('gives first what is known first (worker: %s)', async (worker) => {
  const first: FirstFacts[] = [];
  const { constants, constant_bytes, bin_bytes, missing_files, messages, ...same } = await inspect(path('conv.onnx'), { worker }, { onFacts: (facts) => first.push(facts) });
  expect({ constants, constant_bytes, bin_bytes, missing_files, messages }).toEqual({
    constants: 5, constant_bytes: expect.any(Number), bin_bytes: expect.any(Object), missing_files: [], messages: [],
  });
  expect(first).toEqual([same]);
});

it('ends with what its caller throws', async () => {
  const wrong = new Error('no');
  await expect(inspect(path('conv.onnx'), {}, { onFacts: () => { throw wrong; } })).rejects.toMatchObject({ message: expect.stringContaining('onFacts has failed'), cause: wrong });
});

it('names all unsupported operations, by node', async () => {
  const { messages, nodes } = await inspect(path('unknown.onnx'));
  expect(messages.map(({ severity, code, node }) => [severity, code, node])).toEqual([['error', 'MO2001', '/frob_1'], ['error', 'MO2001', '/frob_2']]);
  expect(nodes).toBe(3);
});

it('names missing files', async () => {
  const folder = modelFolder();
  rmSync(join(folder, 'weights.bin'));
  const { messages, missing_files } = await inspect(join(folder, 'external.onnx'));
  expect(missing_files).toEqual(['weights.bin']);
  expect(messages.map(({ code }) => code)).toEqual(['MO1006']);
});

it('shows the model as options change it', async () => {
  const { inputs, outputs, operations } = await inspect(path('conv.onnx'), { input_shape: [2, 3, 32, 32], output: 'c' });
  expect(inputs[0]!.shape).toBe('[2,3,32,32]');
  expect([outputs[0]!.name, operations]).toEqual(['c', { Conv: 1 }]);
});

it('takes the operations that extensions teach for known ones', async () => {
  const op = (name: string) => `import { FrontExtractorOp, Op } from '@mo/wasm/extension';
class Plain extends Op { static op = 'ReLU'; }
export default class ${name} extends FrontExtractorOp { static op = '${name}'; static enabled = true; static extract(node) { Plain.updateNodeStat(node); return true; } }\n`;
  const extensions = { 'front/onnx/one.js': op('Frobnicate'), 'front/onnx/two.js': op('Defrobnicate') };
  const { messages } = await inspect(path('unknown.onnx'), { extensions: extensions as never });
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it.each(['garbage.onnx', 'truncated.onnx', 'empty.onnx'])('refuses %s', async (name) => {
  await expect(inspect(path(name))).rejects.toBeInstanceOf(MoError);
});

it('ends with its signal', async () => {
  const reason = new Error('enough');
  const stop = new AbortController();
  const work = inspect(longNet(50_000), {}, { onProgress: () => stop.abort(reason), signal: stop.signal });
  await expect(work).rejects.toBe(reason);
});
