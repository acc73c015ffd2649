/** The first minute: one click converts the example that the page brings, formats are named while files are dragged, and a failure says what to do. */
import { expect, it } from 'vitest';

import { sampleModel } from '../../scripts/make-sample.mjs';
import { choose, page, shown, usePage } from './support.js';

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
  for (const format of ['ONNX', 'TensorFlow', 'TensorFlow\u00a0Lite', 'Caffe', 'PaddlePaddle', 'MXNet', 'PyTorch', 'Kaldi']) expect(text).toContain(format);
});

it.each([[1280, 800], [390, 844]])('shows the next step of a failure on the first screen, above what the model is: %i by %i', async (width, height) => {
  await page.setViewportSize({ width, height });
  await choose('unknown.onnx');
  await shown('failed');
  await page.locator('#card').waitFor({ state: 'visible' });
  const step = (await page.locator('#failed .message-hint').first().boundingBox())!, card = (await page.locator('#card').boundingBox())!, place = (await page.locator('#failed .places').first().boundingBox())!;
  expect(step.y + step.height).toBeLessThan(height / 2);
  expect(step.y).toBeLessThan(place.y);
  expect(step.y).toBeLessThan(card.y);
});

it('uses a wide window: inputs stand beside outputs', async () => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.click('#example');
  await shown('done');
  const [inputs, outputs] = await page.locator('#done table').evaluateAll((tables) => tables.map((table) => table.getBoundingClientRect()));
  expect(inputs!.top).toBe(outputs!.top);
  expect(outputs!.left).toBeGreaterThan(inputs!.right);
  expect(await page.locator('main').evaluate((main) => main.getBoundingClientRect().width)).toBe(1600);
});
