/** INT8 and INT4 on the page: the bytes of the native converter, and the choice of the format with the size that each gives. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { nativeFiles, root, runNative, temporaryFolder } from '../js/support.js';
import { choose, openOptions, page, saved, shown, usePage, weightsAs } from './support.js';

usePage();

const script = join(root, 'tests/weights/cases.py');
const models: Record<string, string[]> = JSON.parse(execFileSync(join(root, '.venv/bin/python'), [script, temporaryFolder(), 'bert', 'convolutions'], { encoding: 'utf8' }));

const MODES: [name: string, words: string[], fields: Record<string, string | boolean>][] = [
  ['bert', ['--weight-format', 'int8'], { weight_format: 'int8' }],
  ['bert', ['--weight-format', 'int4', '--sym', '--group-size', '64'], { weight_format: 'int4', sym: true, group_size: '64' }],
  ['convolutions', ['--weight-format', 'int8', '--sym'], { weight_format: 'int8', sym: true }],
];

it.each(MODES)('%s with %s has the bytes of the native converter', async (name, words, fields) => {
  const [path] = models[name]!;
  await openOptions();
  for (const [field, value] of Object.entries(fields)) {
    const place = page.locator(`#options [name=${field}]`);
    if (typeof value === 'boolean') await place.setChecked(value);
    else await place.fill(value);
  }
  await page.setInputFiles('#files', path!);
  await shown('done');
  const native = nativeFiles(path!, words, 'model');
  expect(native.xml).toMatch(/element_type="[ui][48]"/);
  expect(await saved()).toMatchObject(native);
});

const FORMATS = ['fp32', 'fp16', 'int8', 'int4'] as const;
const option = (name: string) => page.locator(`#options [name=${name}]`);
const line = () => page.locator('#command-mo').innerText();
const chosen = () => page.locator('#weights :checked').inputValue();
const sizes = () => page.locator('#weights .size').allTextContents();
/** What the page says of so many bytes. */
const inWords = (bytes: number) => (bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : bytes >= 1e5 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e3).toFixed(1)} KB`);
const natively = (path: string, ...words: string[]): number[] => {
  const { stdout } = runNative([path, '--info', '--weight_sizes', '--json', ...words], '.');
  return Object.values((JSON.parse(stdout) as { weight_sizes: Record<string, number> }).weight_sizes);
};

describe('the size of the weights', () => {
  it('is known for each format before anything is converted, and is that of the .bin', async () => {
    const [path] = models['bert']!;
    expect(await sizes()).toEqual(['', '', '', '']);
    await page.check('#look');
    await page.setInputFiles('#files', path!);
    await shown('ready');
    const known = natively(path!).map(inWords);
    await expect.poll(sizes, { timeout: 20_000 }).toEqual(known);
    expect(new Set(known).size).toBe(4);
    for (const [index, format] of FORMATS.entries()) {
      await weightsAs(format);
      await page.locator('#again').click();
      await shown('done');
      await expect.poll(() => page.locator('#done .download-size').allTextContents()).toContain(known[index]);
      await expect.poll(sizes, { timeout: 20_000 }).toEqual(known);
    }
  });

  it('follows the other options of weights, and goes with the model', async () => {
    const [path] = models['bert']!;
    await page.check('#look');
    await page.setInputFiles('#files', path!);
    await weightsAs('int4');
    await openOptions();
    await option('sym').check();
    await option('group_size').fill('32');
    const known = natively(path!, '--weight-format', 'int4', '--sym', '--group-size', '32').map(inWords);
    await expect.poll(sizes, { timeout: 20_000 }).toEqual(known);
    expect(known).not.toEqual(natively(path!).map(inWords));
    await page.setInputFiles('#files', models['convolutions']![0]!);
    await expect.poll(sizes, { timeout: 20_000 }).toEqual(natively(models['convolutions']![0]!).map(inWords));
  });

  it('is not said of a model that cannot be converted', async () => {
    await page.check('#look');
    await choose('conv.onnx');
    await expect.poll(async () => (await sizes()).every((size) => size !== ''), { timeout: 20_000 }).toBe(true);
    await option('input_shape').fill('[1,4,32,32]');
    await expect.poll(sizes, { timeout: 20_000 }).toEqual(['', '', '', '']);
  });
});

describe('the choice of the format', () => {
  it('is that of both options, and follows them', async () => {
    expect(await chosen()).toBe('fp16');
    const lines = { fp32: 'mo model.onnx --compress_to_fp16=False', fp16: 'mo model.onnx', int8: 'mo model.onnx --weight_format int8', int4: 'mo model.onnx --weight_format int4' };
    for (const format of FORMATS) {
      await weightsAs(format);
      expect(await line()).toBe(lines[format]);
    }
    for (const [text, format] of [['mo a.onnx --weight-format fp32', 'fp32'], ['mo a.onnx --data_type FP32', 'fp32'], ['mo a.onnx --weight-format int8 --sym', 'int8'], ['mo a.onnx', 'fp16']] as const) {
      await page.fill('#line', text);
      await page.click('#take-line');
      await expect.poll(chosen).toBe(format);
    }
  });

  it('takes the options with it that do not fit the new one', async () => {
    await weightsAs('int4');
    await openOptions();
    await option('sym').check();
    await option('group_size').fill('64');
    await option('ignored_scope').fill('a');
    await option('all_layers').check();
    await weightsAs('int8');
    expect(await line()).toBe('mo model.onnx --weight_format int8 --sym --ignored_scope a');
    await weightsAs('fp16');
    expect(await line()).toBe('mo model.onnx');
  });

  it('is made with the keyboard', async () => {
    await page.locator('#weights :checked').focus();
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toBe('int8');
    expect(await line()).toBe('mo model.onnx --weight_format int8');
    await expect.poll(() => page.getByRole('radio', { name: /^INT8/ }).isChecked()).toBe(true);
    expect(await page.getByRole('group', { name: 'Size of the weights' }).count()).toBe(1);
  });
});
