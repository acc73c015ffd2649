/** Group W of the specification: options and errors of the library, which both command lines share. */
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, MoError } from '../../dist/library/node/node.js';
import { convertWith, typesIn } from './extension_support.js';
import { writeOnnx, type Model } from './onnx_writer.js';
import { listing, modelFolder, runNative, runNode, temporaryFolder } from './support.js';

/** Reshapes x to the shape of y, which the model computes. */
const reshaped: Model = {
  nodes: [
    { op: 'Shape', name: 'shape', inputs: ['y'], outputs: ['s'] },
    { op: 'Reshape', name: 'reshape', inputs: ['x', 's'], outputs: ['r'] },
    { op: 'Add', name: 'add', inputs: ['r', 'y'], outputs: ['z'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }, { name: 'y', shape: [3, 2] }],
  outputs: [{ name: 'z', shape: [3, 2] }],
};

test('W-01 I-03 I-04 shapes of inputs are folded with static_shape only', async () => {
  expect(typesIn((await convertWith({}, reshaped)).xml)).toEqual(['Parameter', 'Parameter', 'ShapeOf', 'Reshape', 'Add', 'Result']);
  expect(typesIn((await convertWith({}, reshaped, { static_shape: true })).xml)).toEqual(['Parameter', 'Parameter', 'Const', 'Reshape', 'Add', 'Result']);
});

test('W-06 F-02 shapes may be given for all inputs, in their order', async () => {
  const { report, bin } = await convert(writeOnnx(reshaped), { input_shape: [[4, 3], [6, 2]] });
  await bin.close();
  expect(report.inputs.map(({ name, shape }) => [name, shape])).toEqual([['x', '[4,3]'], ['y', '[6,2]']]);
});

test('F-01 L-10 a named dimension is a dynamic one, and an error with static_shape', async () => {
  const named: Model = { ...reshaped, inputs: [{ name: 'x', shape: ['N', 3] }, { name: 'y', shape: [3, 2] }] };
  const { report, bin } = await convert(writeOnnx(named));
  await bin.close();
  expect(report.inputs[0]!.shape).toBe('[?,3]');
  const refused = await convert(writeOnnx(named), { static_shape: true }).catch((error: unknown) => error as MoError);
  expect(refused).toMatchObject({ code: 'MO6008', message: expect.stringContaining('x') });
  const given = await convert(writeOnnx(named), { static_shape: true, input_shape: [[2, 3], [3, 2]] });
  expect(given.report.inputs[0]!.shape).toBe('[2,3]');
  await given.bin.close();
});

const models = modelFolder();

test.each<[string, string[]]>([
  ['garbage.onnx', []],
  ['truncated.onnx', []],
  ['empty.onnx', []],
  ['unknown.onnx', []],
  ['conv.onnx', ['--input_shape', '[1,4,32,32]']],
  ['conv.onnx', ['--input_shape', '[1,3,32,32],[1]']],
])('W-08 %s with %j ends each command line with status 1 and the message of the library', async (model, args) => {
  const options = args.length > 0 ? { input_shape: args[1]! } : {};
  const error = await convert(join(models, model), options).then(() => undefined, (reason: unknown) => reason);
  if (!(error instanceof MoError)) throw new Error('the conversion succeeded');
  const { code, text } = error.messages.find(({ severity }) => severity === 'error')!;
  for (const run of [runNode, runNative]) {
    const folder = temporaryFolder();
    const outcome = run([join(models, model), '-o', folder, ...args], '.');
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(code);
    expect(outcome.stderr).toContain(text);
    expect(listing(folder)).toEqual([]);
  }
});
