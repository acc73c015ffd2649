/** Options belong to the model that they were given for, and a result that is not true any more cannot be saved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { nativeFiles } from '../js/support.js';
import { choose, folderWith, forgetRequests, model, open, page, saved, shown, usePage, weightsAs } from './support.js';

usePage();

const field = (name: string) => page.locator(`#options [name=${name}]`);
const title = () => page.locator('#done-title').textContent();
const converted = async (name: string) => {
  await choose(name);
  await expect.poll(title).toBe(name);
};
const withOptions = () => page.locator('#done .with-options').allInnerTexts();
const stale = () => page.locator('#done .stale').isVisible();
const fresh = async (shape: string) => {
  await expect.poll(() => page.locator('#done table').first().innerText()).toContain(shape);
  await expect.poll(stale).toBe(false);
};
/** Conversions take at least so long from now on, so that they are not done again by themselves. */
const slowDown = () => page.evaluate(() => {
  const now = performance.now.bind(performance);
  performance.now = () => 20 * now();
});

describe('options', () => {
  it('of one model do not stay for the next, and come back with it; habits stay', async () => {
    await converted('conv.onnx');
    await weightsAs('fp32');
    await field('input_shape').fill('[2,3,32,32]');
    await fresh('[2,3,32,32]');
    expect(await withOptions()).toEqual([expect.stringContaining('--input_shape [2,3,32,32]')]);
    await converted('dense.onnx');
    expect(await field('input_shape').inputValue()).toBe('');
    expect(await withOptions()).toEqual(['With your options: --compress_to_fp16=False']);
    await converted('conv.onnx');
    expect(await field('input_shape').inputValue()).toBe('[2,3,32,32]');
    await fresh('[2,3,32,32]');
    expect(await saved()).toMatchObject(nativeFiles(model('conv.onnx'), ['--input_shape', '[2,3,32,32]', '--compress_to_fp16=False'], 'conv'));
  });

  it('come back at the next visit, for this model only, under whatever name it comes', async () => {
    await converted('conv.onnx');
    await field('input_shape').fill('[2,3,32,32]');
    await fresh('[2,3,32,32]');
    await page.evaluate(() => history.replaceState(null, '', location.pathname));
    await open('');
    expect(await field('input_shape').inputValue()).toBe('');
    await converted('dense.onnx');
    expect(await withOptions()).toEqual([]);
    const folder = folderWith({ 'other name.onnx': readFileSync(model('conv.onnx')) });
    await page.setInputFiles('#files', join(folder, 'other name.onnx'));
    await fresh('[2,3,32,32]');
  });

  it('that stay in the address after a reload are those of their model', async () => {
    await converted('conv.onnx');
    await field('input_shape').fill('[2,3,32,32]');
    await fresh('[2,3,32,32]');
    await expect.poll(() => page.url()).toContain('input_shape');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload({ waitUntil: 'networkidle' });
    forgetRequests();
    expect(await field('input_shape').inputValue()).toBe('[2,3,32,32]');
    await converted('dense.onnx');
    expect(await field('input_shape').inputValue()).toBe('');
  });

  it('that are given before a model comes are for that, as those of a link and a pasted line', async () => {
    await field('input_shape').fill('[3,3,32,32]');
    await converted('conv.onnx');
    await fresh('[3,3,32,32]');
    await page.fill('#line', 'mo other.onnx --input_shape [5,3,32,32]');
    await page.click('#take-line');
    await expect.poll(() => field('input_shape').inputValue()).toBe('[5,3,32,32]');
    const folder = folderWith({ 'other.onnx': Buffer.concat([readFileSync(model('conv.onnx')), Buffer.from([0x32, 0x00])]) });
    await page.setInputFiles('#files', join(folder, 'other.onnx'));
    await fresh('[5,3,32,32]');
  });

  it('of the last model are offered to one that could take them, and taken with one press', async () => {
    await converted('conv.onnx');
    await field('input_shape').fill('[2,3,32,32]');
    await fresh('[2,3,32,32]');
    await converted('dense.onnx');
    await page.locator('#card .more').waitFor();
    expect(await page.locator('#card .card-last').isVisible()).toBe(false);
    const folder = folderWith({ 'twin.onnx': Buffer.concat([readFileSync(model('conv.onnx')), Buffer.from([0x32, 0x00])]) });
    await page.setInputFiles('#files', join(folder, 'twin.onnx'));
    await expect.poll(title).toBe('twin.onnx');
    await expect.poll(() => page.locator('#card .card-last').innerText()).toContain('--input_shape [2,3,32,32]');
    await page.getByRole('button', { name: 'Use them here, too' }).click();
    await fresh('[2,3,32,32]');
    expect(await page.locator('#card .card-last').isVisible()).toBe(false);
  });
});

describe('a result of other options', () => {
  it('is made again by itself if that takes no time, while the user stays where he is', async () => {
    await converted('conv.onnx');
    await field('input_shape').focus();
    await page.keyboard.type('[4,3,32,32]', { delay: 20 });
    await fresh('[4,3,32,32]');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('input_shape');
    expect(await saved()).toMatchObject(nativeFiles(model('conv.onnx'), ['--input_shape', '[4,3,32,32]'], 'conv'));
    await field('input_shape').fill('[4,3');
    await expect.poll(() => field('input_shape').getAttribute('aria-invalid')).toBe('true');
    expect(await stale()).toBe(true);
    expect(await page.locator('#failed').isVisible()).toBe(false);
    await field('input_shape').fill('[4,3,32,32]');
    await expect.poll(stale).toBe(false);
  });

  it('that takes long is marked, and is saved only when it is made again', async () => {
    await slowDown();
    await converted('conv.onnx');
    await weightsAs('fp32');
    await page.locator('#done .stale').waitFor();
    expect(await page.locator('#done .stale').innerText()).toContain('Made with other options. Convert again before you save.');
    expect(await page.locator('#done [data-save]').evaluateAll((parts) => parts.map((part) => (part as HTMLElement).inert))).toEqual([true, true]);
    await page.waitForTimeout(1500);
    expect(await stale()).toBe(true);
    await weightsAs('fp16');
    await expect.poll(stale).toBe(false);
    await weightsAs('fp32');
    await page.locator('#done .stale').getByRole('button', { name: 'Convert again' }).click();
    await expect.poll(stale).toBe(false);
    expect(await saved()).toMatchObject(nativeFiles(model('conv.onnx'), ['--compress_to_fp16=False'], 'conv'));
  });

  it('of several models is marked in their list', async () => {
    await slowDown();
    await choose('conv.onnx', 'dense.onnx');
    const states = () => page.locator('#models .model-state').allTextContents();
    await expect.poll(states).toEqual(['Converted', 'Converted']);
    await weightsAs('fp32');
    expect(await states()).toEqual(['Made with other options', 'Made with other options']);
    expect(await page.locator('#models a').count()).toBe(0);
    expect(await page.locator('#models .save').isVisible()).toBe(false);
    await page.click('#again');
    await expect.poll(states).toEqual(['Converted', 'Converted']);
    expect(await page.locator('#models a').count()).toBe(4);
  });
});

it('Enter in a field of the card converts', async () => {
  await page.check('#look');
  await choose('conv.onnx');
  await shown('ready');
  await page.locator('#card').getByLabel('Shape').fill('[2,3,32,32]');
  await page.keyboard.press('Enter');
  await shown('done');
  await fresh('[2,3,32,32]');
});
