/** The browser's Back closes what lies over the page, and never takes a result away. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { choose, dropPaths, folderWith, model, page, saved, shown, usePage } from './support.js';

usePage();

const back = () => page.evaluate(() => history.back());
const forward = () => page.evaluate(() => history.forward());
const dialogs = () => page.locator('dialog').count();

it('closes the graph and the report, and the result stays', async () => {
  await choose('conv.onnx');
  await shown('done');
  for (const name of ['View graph', 'Show report']) {
    await page.getByRole('button', { name }).click();
    await expect.poll(dialogs).toBe(1);
    await back();
    await expect.poll(dialogs).toBe(0);
    await shown('done');
  }
  // What is closed in another way leaves no entry that Back would have to pass.
  await page.getByRole('button', { name: 'View graph' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.evaluate(() => (history.state as { depth: number }).depth)).toBe(1);
  await page.getByRole('button', { name: 'Show report' }).click();
  await expect.poll(dialogs).toBe(1);
  await back();
  await expect.poll(dialogs).toBe(0);
  expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
});

it('asks once more before it leaves a result that is not saved', async () => {
  const address = page.url();
  await choose('conv.onnx');
  await shown('done');
  await back();
  await expect.poll(() => page.locator('#status').textContent()).toContain('Not saved yet');
  await shown('done');
  expect(page.url()).toBe(address);
  expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
});

it('keeps the options of the form, whatever the address of the entry was', async () => {
  await page.fill('[name=input_shape]', '[2,3,32,32]');
  await expect.poll(() => page.url()).toContain('input_shape');
  await choose('conv.onnx');
  await shown('done');
  await page.fill('[name=input_shape]', '[4,3,32,32]');
  await expect.poll(() => page.url()).toContain('[4,3');
  await back();
  await expect.poll(() => page.locator('#status').textContent()).toContain('Not saved yet');
  expect(await page.locator('[name=input_shape]').inputValue()).toBe('[4,3,32,32]');
  await expect.poll(() => page.url()).toContain('[4,3');
  await forward();
  expect(await page.locator('[name=input_shape]').inputValue()).toBe('[4,3,32,32]');
});

it('closes the question which models are meant', async () => {
  const bytes = readFileSync(model('conv.onnx'));
  await dropPaths(folderWith({ 'a.onnx': bytes, 'b.onnx': bytes }));
  await page.locator('#question').waitFor({ state: 'visible' });
  await back();
  await page.locator('#question').waitFor({ state: 'hidden' });
  await shown('empty');
});
