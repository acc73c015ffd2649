/** A network of Caffe and its weights, on the page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { caffeNetwork, caffeWeights } from '../js/caffe_writer.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

const folder = folderWith({ 'deploy.prototxt': caffeNetwork, 'net.caffemodel': caffeWeights, 'solver.prototxt': 'net: "train_val.prototxt"\nbase_lr: 0.01\n' });
const [network, weights, solver] = ['deploy.prototxt', 'net.caffemodel', 'solver.prototxt'].map((name) => join(folder, name)) as [string, string, string];
const wanted = () => nativeFiles(weights, ['--input_proto', network], 'net');
const card = async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ');

it.each([
  ['the network first', [network, weights]],
  ['the weights first', [weights, network]],
  ['a solver among them', [solver, network, weights]],
])('both files are one model, %s', async (_, files) => {
  await dropPaths(...files);
  await shown('done');
  await expect.poll(card).toContain('Format Caffe');
  await expect.poll(card).toContain('All operations are supported.');
  expect(await taken()).toMatchObject({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['deploy.prototxt'] });
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(wanted());
  expect(names).toEqual(['net.xml', 'net.bin']);
});

it.each([
  ['weights', weights, network],
  ['a network', network, weights],
])('%s alone say what is missing, and what comes later completes the model', async (_, first, second) => {
  await dropPaths(first);
  await shown('failed');
  await dropPaths(second);
  await shown('done');
  expect(await taken()).toMatchObject({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['deploy.prototxt'] });
  expect((await saved()).bin).toBe(wanted().bin);
});

it('an archive of both is converted', async () => {
  const archive = zip([{ path: 'net/deploy.prototxt', content: caffeNetwork }, { path: 'net/net.caffemodel', content: Buffer.from(caffeWeights) }]);
  await dropPaths(join(folderWith({ 'net.zip': archive }), 'net.zip'));
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('a solver alone is called by its name', async () => {
  await dropPaths(solver);
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('a solver says how to train, and has no layers');
});
