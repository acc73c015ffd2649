/** A format of several files on the page: nothing in the page knows it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { folderOf, nativePair, PAIR, pairOf, toy } from '../js/toy_support.js';
import { zip } from './archives.js';
import { dropPaths, page, saved, shown, taken, usePage } from './support.js';

usePage({ web: join(toy, 'web') });

const wanted = (files: Readonly<Record<string, Uint8Array>>) => nativePair([join(folderOf(files), 'net.pair')], 'net', []);
const names = (files: Readonly<Record<string, Uint8Array>>, folder = folderOf(files)) => Object.keys(files).map((name) => join(folder, name));

it('files that are dropped together, in any order, are one model', async () => {
  await dropPaths(...names(PAIR).reverse());
  await shown('done');
  expect(await taken()).toEqual({ Model: ['net.pair'], 'Data of net.pair': ['net.bias', 'net.row-0', 'net.row-1', 'net.scale'] });
  expect((await saved()).bin).toBe(wanted(PAIR).bin);
});

it('a folder, and an archive, are one model', async () => {
  await dropPaths(folderOf(PAIR));
  await shown('done');
  expect((await saved()).bin).toBe(wanted(PAIR).bin);
  const packed = folderOf({ 'pairs.zip': zip(Object.entries(pairOf('pair', 'scale')).map(([path, content]) => ({ path, content }))) });
  await dropPaths(join(packed, 'pairs.zip'));
  await expect.poll(taken, { timeout: 20_000 }).toEqual({ Model: ['pairs/net.pair'], 'Data of net.pair': ['pairs/net.scale'] });
  await shown('done');
  expect((await saved()).bin).toBe(wanted(pairOf('pair', 'scale')).bin);
});

it('a file that is missing is named, and completes the model when it comes', async () => {
  await dropPaths(...names(pairOf('pair')));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toMatch(/MO1024|scale/);
  await dropPaths(...names(pairOf('scale')));
  await shown('done');
  expect((await saved()).bin).toBe(wanted(pairOf('pair', 'scale')).bin);
});

it('several that may be meant are named', async () => {
  await dropPaths(...names({ ...pairOf('pair'), 'a.scale': PAIR['net.scale']!, 'b.scale': PAIR['net.scale']! }));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('a.scale, b.scale');
});
