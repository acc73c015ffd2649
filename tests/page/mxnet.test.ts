/** A symbol of MXNet and its arrays, on the page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { writeArrays } from '../../web/skeleton/mxnet/arrays.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

const SYMBOL = Buffer.from(JSON.stringify({
  nodes: [
    { op: 'null', name: 'data', inputs: [] }, { op: 'null', name: 'c_weight', inputs: [] },
    { op: 'Convolution', name: 'c', attrs: { kernel: '(1, 1)', num_filter: '4', no_bias: 'True' }, inputs: [[0, 0, 0], [1, 0, 0]] }, { op: 'relu', name: 'r', inputs: [[2, 0, 0]] },
  ],
  arg_nodes: [0, 1], heads: [[3, 0, 0]], attrs: { mxnet_version: ['int', 10901] },
}));
const ARRAYS = Buffer.from(writeArrays([{ name: 'arg:c_weight', type: 0, dims: [4, 3, 1, 1] }]));
const folder = folderWith({ 'net-symbol.json': SYMBOL, 'net-0000.params': ARRAYS });
const [symbol, arrays] = ['net-symbol.json', 'net-0000.params'].map((name) => join(folder, name)) as [string, string];
const wanted = () => nativeFiles(arrays, ['--input_symbol', symbol], 'net-0000');

it.each([
  ['the symbol first', [symbol, arrays]],
  ['the arrays first', [arrays, symbol]],
])('both files are one model, %s', async (_, files) => {
  await dropPaths(...files);
  await shown('done');
  await expect.poll(async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ')).toContain('Format MXNet');
  expect(await taken()).toMatchObject({ Model: ['net-0000.params'], 'Data of net-0000.params': ['net-symbol.json'] });
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(wanted());
  expect(names).toEqual(['net-0000.xml', 'net-0000.bin']);
});

it.each([
  ['arrays', arrays, symbol],
  ['a symbol', symbol, arrays],
])('%s alone say what is missing, and what comes later completes the model', async (_, first, second) => {
  await dropPaths(first);
  await shown('failed');
  await dropPaths(second);
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it.each(['net.mar', 'net.model'])('an archive of a model server is converted, with the shapes that it says: %s', async (name) => {
  const signature = JSON.stringify({ inputs: [{ data_name: 'data', data_shape: [0, 3, 5, 6] }] });
  const archive = zip([{ path: 'net-symbol.json', content: SYMBOL }, { path: 'net-0000.params', content: ARRAYS }, { path: 'signature.json', content: Buffer.from(signature) }]);
  await dropPaths(join(folderWith({ [name]: archive }), name));
  await shown('done');
  const { xml, bin } = await saved();
  expect(bin).toBe(wanted().bin);
  expect(xml).toContain('shape="?,3,5,6"');
});
