/** The example that the page brings: one click converts it, and the names of formats are there while files are dragged. */
import { expect, it } from 'vitest';

import { sampleModel } from '../../scripts/make-sample.mjs';
import { page, shown, usePage } from './support.js';

usePage();

it('is converted with one click, and saved with the next', async () => {
  await page.click('#example');
  await shown('done');
  expect(await page.locator('#done-title').innerText()).toBe('example.onnx');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save .tar' }).click()]);
  expect(download.suggestedFilename()).toBe('example.tar');
});

it('is a model of a few kilobytes', () => {
  expect(sampleModel(8, 16).length).toBeLessThan(8 << 10);
});

it('is converted with the keyboard, and the command names it', async () => {
  await page.locator('#example').focus();
  await page.keyboard.press('Enter');
  await shown('done');
  expect(await page.locator('#command-mo').innerText()).toContain('example.onnx');
});

it('names the formats while files are dragged over the page', async () => {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'model.onnx'));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
  });
  const text = await page.locator('#overlay').innerText();
  for (const format of ['ONNX', 'TensorFlow', 'TensorFlow\u00a0Lite', 'Caffe', 'PaddlePaddle', 'MXNet', 'Kaldi']) expect(text).toContain(format);
});
