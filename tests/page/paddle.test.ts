/** A program of PaddlePaddle and its parameters, on the page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { paddleJson, paddleParameters, paddleProgram } from '../js/paddle_writer.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

const PROGRAM = Buffer.from(paddleProgram), PARAMETERS = Buffer.from(paddleParameters);
const folder = folderWith({ 'inference.pdmodel': PROGRAM, 'inference.pdiparams': PARAMETERS });
const [model, parameters] = ['inference.pdmodel', 'inference.pdiparams'].map((name) => join(folder, name)) as [string, string];
const wanted = () => nativeFiles(model, ['--input_weights', parameters], 'inference');

it.each([
  ['the program first', [model, parameters]],
  ['the parameters first', [parameters, model]],
])('both files are one model, %s', async (_, files) => {
  await dropPaths(...files);
  await shown('done');
  await expect.poll(async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ')).toContain('Format PaddlePaddle');
  expect(await taken()).toMatchObject({ Model: ['inference.pdmodel'], 'Data of inference.pdmodel': ['inference.pdiparams'] });
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(wanted());
  expect(names).toEqual(['inference.xml', 'inference.bin']);
});

it.each([
  ['a program', model, parameters],
  ['parameters', parameters, model],
])('%s alone say what is missing, and what comes later completes the model', async (_, first, second) => {
  await dropPaths(first);
  await shown('failed');
  await dropPaths(second);
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('a folder as it was unpacked is converted', async () => {
  await dropPaths(folder);
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('a folder with a file for each parameter is one model', async () => {
  await dropPaths(join(folderWith({ 'old/__model__': PROGRAM, 'old/w': PARAMETERS }), 'old'));
  await shown('done');
  const { bin, names } = await saved();
  expect(bin).toBe(wanted().bin);
  expect(names).toEqual(['old.xml', 'old.bin']);
});

it('an archive as it was downloaded is converted', async () => {
  const archive = zip([{ path: 'det_infer/inference.pdmodel', content: PROGRAM }, { path: 'det_infer/inference.pdiparams', content: PARAMETERS }]);
  await dropPaths(join(folderWith({ 'det_infer.zip': archive }), 'det_infer.zip'));
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('a hint with a line of Python fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const pickle = Buffer.from('\x80\x02}q\x00X\x1b\x00\x00\x00StructuredToParameterName@@q\x01}q\x02s.', 'latin1');
  await dropPaths(join(folderWith({ 'm.pdparams': pickle }), 'm.pdparams'));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('paddle.jit.save');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

it('says how pictures are prepared, as inference.yml beside the program does', async () => {
  const settings = Buffer.from("PreProcess:\n  transform_ops:\n  - NormalizeImage: null\nPostProcess:\n  character_dict: ['<img src=x>']\n");
  const archive = zip([{ path: 'a/inference.pdmodel', content: PROGRAM }, { path: 'a/inference.pdiparams', content: PARAMETERS }, { path: 'a/inference.yml', content: settings }]);
  await dropPaths(join(folderWith({ 'a.zip': archive }), 'a.zip'));
  await shown('done');
  await expect.poll(async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' '))
    .toContain('Preparation of pictures inference.yml --mean_values [123.675,116.28,103.53] --scale_values [58.395,57.12,57.375] Dictionary character_dict');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('a folder of PaddlePaddle 3 is one model, whose parameters and settings are found beside the program', async () => {
  const files = {
    'inference.json': Buffer.from(paddleJson), 'inference.pdiparams': PARAMETERS, 'config.json': Buffer.from('{"mode": "paddle", "program": "x"}'),
    'inference.yml': Buffer.from('PreProcess:\n  transform_ops:\n  - NormalizeImage: null\n'),
  };
  await dropPaths(folderWith(files));
  await shown('done');
  const card = async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ');
  await expect.poll(card).toContain('Format PaddlePaddle');
  await expect.poll(card).toContain('Preparation of pictures inference.yml --mean_values [123.675,116.28,103.53]');
  const { bin, names } = await saved();
  expect(bin).toBe(wanted().bin);
  expect(names).toEqual(['inference.xml', 'inference.bin']);
});
