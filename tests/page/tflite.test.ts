/** Models of TensorFlow Lite, and detection models of TensorFlow with their configuration, on the page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { detectionModel } from '../js/recorded.js';
import { nativeFiles } from '../js/support.js';
import { floats, liteModel, litePicture } from '../js/tflite_writer.js';
import { dropPaths, folderWith, page, saved, shown, usePage } from './support.js';

usePage();

const card = async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ');

it('a .tflite that is dropped is described, converted as natively, and saved', async () => {
  const path = join(folderWith({ 'picture.tflite': litePicture() }), 'picture.tflite');
  await dropPaths(path);
  await shown('done');
  await expect.poll(card).toContain('Format TensorFlow Lite');
  await expect.poll(card).toContain('All operations are supported.');
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(path, [], 'picture'));
  expect(names).toEqual(['picture.xml', 'picture.bin']);
});

it('an unknown custom operator is named, with the tensor that it makes', async () => {
  const model = liteModel(
    [{ name: 'x', shape: [2, 3] }, { name: 'scaled', shape: [2, 3] }, { name: 'one', shape: [1], data: floats(1) }, { name: 'y', shape: [2, 3] }],
    [{ code: 32, custom: 'Scaled', inputs: [0], outputs: [1] }, { code: 0, inputs: [1, 2], outputs: [3] }],
    [0],
    [3],
  );
  await page.setInputFiles('#files', join(folderWith({ 'custom.tflite': model }), 'custom.tflite'));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toMatch(/Scaled[^]*scaled/);
});

it('a detection model is converted with the name of its configuration, and its pipeline.config', async () => {
  const { graph, pipeline } = await detectionModel('ssd_v1.15');
  const path = join(folderWith({ 'ssd.pb': graph }), 'ssd.pb');
  await page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => all.forEach((one) => (one.open = true)));
  await page.locator('#look').check();
  await page.setInputFiles('[name=tensorflow_object_detection_api_pipeline_config]', pipeline);
  await page.fill('[name=transformations_config]', 'ssd_support_api_v1.15.json');
  await page.setInputFiles('#files', path);
  await page.locator('#again').click();
  await shown('done');
  const options = ['--transformations_config', 'ssd_support_api_v1.15.json', '--tensorflow_object_detection_api_pipeline_config', pipeline];
  const { xml, bin } = await saved();
  expect(xml).toContain('type="DetectionOutput"');
  expect(bin).toBe(nativeFiles(path, options, 'ssd').bin);
});
