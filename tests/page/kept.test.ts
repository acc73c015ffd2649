/** The options are kept between visits, on this machine only. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

import { root, temporaryFolder } from '../js/support.js';
import { choose, context, folderWith, load, open, page, shown, usePage, weightsAs } from './support.js';

usePage();

const KEY = 'mo.options.1';
const field = (name: string) => page.locator(`#options [name=${name}]`);
const kept = () => page.evaluate((key) => localStorage.getItem(key), KEY);
const forget = () => page.getByRole('button', { name: 'Forget' });
/** The values that differ from a form nobody has touched. */
const filled = async () => Object.fromEntries(await page.$$eval('#options [name]:not([type=radio])', (fields) => (fields as HTMLInputElement[]).flatMap((field): [string, string | boolean][] => {
  if (field.type === 'checkbox') return field.checked === field.defaultChecked ? [] : [[field.name, field.checked]];
  return field.value === '' ? [] : [[field.name, field.value]];
})));
const keep = (text: string) => page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [KEY, text]);

describe('options', () => {
  it('that are habits come back until they are forgotten; those of a model, files and extensions do not', async () => {
    expect(await forget().isVisible()).toBe(false);
    await field('input_shape').fill('[1,3,32,32]');
    await weightsAs('fp32');
    await field('model_name').fill('mine');
    await page.check('#look');
    const config = JSON.stringify([{ id: 'Nothing', match_kind: 'general', custom_attributes: {} }]);
    const folder = folderWith({ 'my.json': config, 'my_ext/front/one.js': 'export {};' });
    await page.setInputFiles('#folder', folder);
    await page.locator('#extensions li').waitFor();
    expect(JSON.parse((await kept())!)).toEqual({ options: 'compress_to_fp16=False', look: true });
    await open('');
    expect(await filled()).toEqual({ compress_to_fp16: false });
    expect(await page.locator('#look').isChecked()).toBe(true);
    expect(await page.locator('#extensions').isVisible()).toBe(false);
    expect(await page.locator('#command-mo').innerText()).toBe('mo model.onnx --compress_to_fp16=False');
    expect(await page.locator('#kept').isVisible()).toBe(true);
    await forget().click();
    expect([await filled(), await kept(), await page.locator('#look').isChecked()]).toEqual([{}, null, false]);
    expect(await page.locator('#status').textContent()).toContain('nothing is saved');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('model_name');
    await open('');
    expect(await filled()).toEqual({});
  });

  it('of a link count more, and are kept only once they are changed', async () => {
    await weightsAs('fp32');
    const before = await kept();
    await open('#input_shape=[1]&static_shape=True');
    expect([await filled(), await kept()]).toEqual([{ input_shape: '[1]', static_shape: true }, before]);
    await open('#options');
    expect(await filled()).toEqual({ compress_to_fp16: false });
    await open('#input_shape=[1]');
    await field('input_shape').fill('[1,2]');
    expect(await kept()).toBeNull();
    await page.fill('#line', 'mo a.onnx --batch 4 --compress_to_fp16=False');
    await page.click('#take-line');
    await expect.poll(kept).toContain('compress_to_fp16=False');
  });

  it('that somebody else has put there do no harm', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    for (const [text, values] of [
      ['', {}], ['{', {}], ['null', {}], ['[]', {}], ['"x"', {}], ['{"options":7,"look":"yes"}', {}], [`{"options":"batch=${'1'.repeat(1 << 18)}"}`, {}],
      ['{"options":"__proto__=1&constructor=2&unknown=3&transformations_config=[]&compress_to_fp16=perhaps&model_name=x"}', {}],
      [JSON.stringify({ options: new URLSearchParams({ input_shape: markup, compress_to_fp16: 'False' }).toString() }), { compress_to_fp16: false }],
    ] as const) {
      await keep(text);
      await page.reload({ waitUntil: 'networkidle' });
      expect(await filled(), text).toEqual(values);
      expect(await page.locator('#look').isChecked()).toBe(false);
      await page.evaluate(() => history.replaceState(null, '', location.pathname));
    }
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await open('');
  });

  it('are not kept where the browser refuses, and all else works', async () => {
    await context.addInitScript(() => Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } }));
    await open('');
    await field('input_shape').fill('[4,3,32,32]');
    await choose('conv.onnx');
    await shown('done');
    await forget().click();
    expect(await filled()).toEqual({});
  });

  it('are kept by the page as one file', async () => {
    const path = join(temporaryFolder(), 'mo.html');
    copyFileSync(join(root, 'build/mo.html'), path);
    const visit = () => load(pathToFileURL(path).href);
    await visit();
    await page.check('#look');
    await weightsAs('fp32');
    await page.goto('about:blank');
    await visit();
    expect(await filled()).toEqual({ compress_to_fp16: false });
    await choose('conv.onnx');
    await shown('ready');
    await expect.poll(() => page.locator('#card').innerText()).toContain('All operations are supported.');
    await page.locator('#card').getByRole('button', { name: 'Convert' }).click();
    await shown('done');
  });
});
