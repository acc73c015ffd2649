/** A program of PyTorch on the page: a zip that is a model, not an archive of models. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { packaged, pytorchArchive, pytorchProgram, several } from '../js/pytorch_writer.js';
import { nativeFiles } from '../js/support.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

it('is converted as the native command does it, with its names', async () => {
  const path = join(folderWith({ 'net.pt2': pytorchArchive() }), 'net.pt2');
  await dropPaths(path);
  await shown('done');
  const card = (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ');
  for (const part of ['Format PyTorch', 'PyTorch 2.15.0', '1 output']) expect(card).toContain(part);
  expect(await taken()).toEqual({}); // one file: nothing in it is listed
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(path, [], 'net'));
  expect(names).toEqual(['net.xml', 'net.bin']);
  expect(xml).toContain('names="logits,y"');
  expect(xml).not.toContain('secret');
});

it('that was packed again is converted, too', async () => {
  const path = join(folderWith({ 'net.pt2': pytorchArchive(pytorchProgram(), [], 8) }), 'net.pt2');
  await dropPaths(path);
  await shown('done');
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(path, [], 'net'));
  expect(names).toEqual(['net.xml', 'net.bin']);
});

it('of several in one file each is a model', async () => {
  const path = join(folderWith({ 'both.pt2': several() }), 'both.pt2');
  await dropPaths(path);
  await shown('done');
  for (const name of ['decoder', 'encoder']) expect(await page.locator('main').innerText()).toContain(`both.pt2/${name}`);
});

it('with an operator that nobody knows says which, and in which module', async () => {
  await dropPaths(join(folderWith({ 'net.pt2': pytorchArchive(pytorchProgram('frobnicate.default')) }), 'net.pt2'));
  await shown('failed');
  const text = await page.locator('#failed').innerText();
  for (const part of ['MO2001', 'aten.frobnicate', 'block.act']) expect(text).toContain(part);
});

it('of AOTInductor is named, with the line that exports a program', async () => {
  await dropPaths(join(folderWith({ 'net.pt2': packaged() }), 'net.pt2'));
  await shown('failed');
  const text = await page.locator('#failed').innerText();
  for (const part of ['AOTInductor', 'torch.export.save']) expect(text).toContain(part);
});
