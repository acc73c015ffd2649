/** Skeletons of MXNet's symbols: without weights and names, with the same operators and shapes. */
import { expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { readArrays, writeArrays } from '../../web/skeleton/mxnet/arrays.js';
import { mxnetSkeleton } from '../../web/skeleton/mxnet/skeleton.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode'];
const SYMBOL = {
  nodes: [
    { op: 'null', name: 'zorgblat', attrs: { __shape__: '(0, 3)', __author__: 'wibblenode' }, inputs: [] }, { op: 'null', name: 'quuxcorp_weight', inputs: [] },
    { op: 'FullyConnected', name: 'quuxcorp', attrs: { num_hidden: '4', no_bias: 'True', __lr__: 'fnordic' }, inputs: [[0, 0, 0], [1, 0, 0]] },
    { op: 'Activation', name: 'fnordic', attrs: { act_type: 'relu' }, inputs: [[2, 0, 0]] },
    { op: 'Custom', name: 'fnordic2', attrs: { op_type: 'mine', mode: 'wibblenode', size: '(3, 3)' }, inputs: [[3, 0, 0]] },
  ],
  arg_nodes: [0, 1], heads: [[4, 0, 0]], attrs: { mxnet_version: ['int', 10901] },
};
const ARRAYS = writeArrays([{ name: 'arg:quuxcorp_weight', type: 0, dims: [4, 3] }, { name: 'aux:zorgblat_mean', type: 2, dims: [5000, 7] }]);

const skeletonOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const [main, ...others] = Object.entries(files).map(([path, content]) => ({ path, file: new Blob([content as BlobPart]) }));
  return mxnetSkeleton({ main: main!, files: others, messages: [] }, new Anonymous(new Set(), new Set()));
};

it.each([['arrays first', ['a.params', 'a-symbol.json']], ['symbol first', ['a-symbol.json', 'a.params']]])('has no names and no numbers: %s', async (_, order) => {
  const given: Record<string, string | Uint8Array> = { 'a.params': ARRAYS, 'a-symbol.json': JSON.stringify(SYMBOL) };
  const made = await skeletonOf(Object.fromEntries(order.map((name) => [name, given[name]!])));
  if (!('files' in made)) throw new Error('one file');
  expect(made.files.map(({ path }) => path)).toEqual(['skeleton-0000.params', 'skeleton-symbol.json']);
  for (const { content } of made.files) for (const secret of SECRETS) expect(Buffer.from(content).includes(secret)).toBe(false);
  const symbol = JSON.parse(Buffer.from(made.files[1]!.content).toString());
  expect(symbol.nodes.map(({ op, attrs, inputs }: (typeof SYMBOL.nodes)[0]) => [op, attrs, inputs])).toEqual([
    ['null', { __shape__: '(0, 3)' }, []], ['null', undefined, []], ['FullyConnected', { num_hidden: '4', no_bias: 'True' }, [[0, 0, 0], [1, 0, 0]]],
    ['Activation', { act_type: 'relu' }, [[2, 0, 0]]], ['Custom', { op_type: 'mine', mode: 'text', size: '(3, 3)' }, [[3, 0, 0]]],
  ]);
  expect(symbol.heads).toEqual([[4, 0, 0]]);
  const arrays = await readArrays(new Blob([made.files[0]!.content as BlobPart]));
  expect(arrays.map(({ type, dims }) => [type, dims])).toEqual([[0, [4, 3]], [2, [5000, 7]]]);
  expect(arrays[0]!.name).toBe(`arg:${symbol.nodes[1].name}`);
  // A large array takes no bytes.
  expect(made.files[0]!.content.length).toBeLessThan(500);
});

it('is the symbol alone where there are no arrays', async () => {
  expect(await skeletonOf({ 'a-symbol.json': JSON.stringify(SYMBOL) })).toMatchObject({ name: 'skeleton-symbol.json' });
});

it('asks for the symbol', async () => {
  await expect(skeletonOf({ 'a.params': ARRAYS })).rejects.toMatchObject({ messages: [{ code: 'MO1012' }] });
});

it.each([0, 8, 30, 100, 150])('reads no more of arrays than there is: %i bytes', async (size) => {
  expect(await readArrays(new Blob([ARRAYS.slice(0, size) as BlobPart]))).toEqual([]);
});
