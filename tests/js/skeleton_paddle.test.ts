/** Skeletons of PaddlePaddle's programs: without weights and names, and with the same failure or the same layers. */
import { convert, inspect, type Model } from '@mo/wasm';
import { expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { writeParameters } from '../../web/skeleton/paddle/parameters.js';
import { paddleSkeleton } from '../../web/skeleton/paddle/skeleton.js';
import { concat, field, fixed } from '../../web/skeleton/wire.js';
import { operator, program, variable } from './paddle_writer.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode'];
const SECRET = new Uint8Array(new Float32Array([0.7239]).buffer);

const callstack = concat([field(1, 'op_callstack'), field(2, 5), field(8, '/home/wibblenode/train.py')]);
const floats = concat([field(1, 'numbers'), field(2, 4), ...Array.from({ length: 20 }, () => fixed(7, SECRET))]);
/** relu(x + w) + v, and what else there is. */
const model = (...more: readonly Uint8Array[]) => program(
  variable('zorgblat', [-1, 64]), variable('quuxcorp.w', [64], true), variable('quuxcorp.v', [64, 64], true), variable('fnordic a', []), variable('fnordic b', []), variable('fnordic c', []),
  operator('elementwise_add', { X: 'zorgblat', Y: 'quuxcorp.w' }, 'fnordic a', callstack), operator('relu', { X: 'fnordic a' }, 'fnordic b'),
  operator('elementwise_add', { X: 'fnordic b', Y: 'quuxcorp.v' }, 'fnordic c', floats), ...more,
);
const WEIGHTS = writeParameters([{ name: 'a', type: 5, dims: [64, 64] }, { name: 'b', type: 5, dims: [64] }]);

async function skeletonOf(content: Uint8Array) {
  const failed = { main: { path: 'zorgblat.pdmodel', file: new Blob([content as BlobPart]) }, files: [], messages: [] };
  const made = await paddleSkeleton(failed, new Anonymous(new Set(), new Set()));
  return 'files' in made ? made.files : [{ path: made.name, content: made.content }];
}
const types = (xml: string) => [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type).filter((type) => type !== 'Const' && type !== 'Parameter' && type !== 'Convert').sort();
const modelOf = (given: readonly { path: string; content: Uint8Array }[]): Model => {
  const [main, ...files] = given.map(({ path, content }) => ({ path, file: new Blob([content as BlobPart]) }));
  return { main: main!, files };
};

it('has no names, no weights and no paths of the machine', async () => {
  const files = await skeletonOf(model());
  expect(files.map(({ path }) => path)).toEqual(['skeleton.pdmodel', 'skeleton.pdiparams']);
  for (const { content } of files) {
    for (const secret of SECRETS) expect(Buffer.from(content).includes(secret)).toBe(false);
    expect(Buffer.from(content).includes(Buffer.from(SECRET))).toBe(false);
  }
  expect(files[1]!.content.length).toBeLessThan(400);
});

it('converts to the same layers, with inputs for large weights', async () => {
  const [own, made] = await Promise.all([
    convert(modelOf([{ path: 'm.pdmodel', content: model() }, { path: 'm.pdiparams', content: WEIGHTS }])), convert(modelOf(await skeletonOf(model()))),
  ]);
  expect(types(made.xml)).toEqual(types(own.xml));
  expect(made.report.inputs.map(({ shape }) => shape)).toEqual(['[?,64]', '[64,64]']);
});

it('fails as the model does', async () => {
  const files = await skeletonOf(model(operator('frobnicate', { X: 'fnordic c' }, 'fnordic d')));
  const { messages } = await inspect(modelOf(files));
  expect(messages.map(({ code, op }) => [code, op])).toEqual([['MO2001', 'frobnicate']]);
});
