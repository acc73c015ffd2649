/** The page as people use it. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { FORMATS } from '../../dist/library/shared/formats.js';
import { writeOnnx } from '../js/onnx_writer.js';
import { hash, nativeFiles, root, runNode, temporaryFolder } from '../js/support.js';
import { choose, context, drop, dropPaths, model, models, openOptions, page, saved, shown, usePage, weightsAs } from './support.js';

usePage();

it('names the formats that are read', async () => {
  expect((await page.locator('#empty').innerText()).replaceAll('\u00a0', ' ')).toContain(FORMATS.filter(({ reads }) => reads).map(({ title }) => title).join(' · '));
});

describe('a model', () => {
  it('R-15 is converted where it is dropped, to the bytes of the other hosts, and both files can be saved', async () => {
    await page.fill('[name=model_name]', 'same');
    await drop('conv.onnx');
    await shown('done');
    const files = await saved();
    expect(files).toEqual({ ...nativeFiles(model('conv.onnx')), names: ['same.xml', 'same.bin'] });
    const folder = temporaryFolder();
    runNode(['conv.onnx', '-n', 'same', '-o', folder], models);
    expect(files.xml).toBe(readFileSync(join(folder, 'same.xml'), 'utf8'));
    expect(files.bin).toBe(hash(readFileSync(join(folder, 'same.bin'))));
  });

  it('comes with its side files', async () => {
    await page.fill('[name=model_name]', 'same');
    await weightsAs('fp32');
    await choose('weights.bin', 'external.onnx');
    await shown('done');
    expect(await saved()).toMatchObject(nativeFiles(model('external.onnx'), ['--compress_to_fp16=False']));
  });

  it('may lie in a folder', async () => {
    const folder = temporaryFolder();
    for (const name of ['external.onnx', 'weights.bin']) copyFileSync(model(name), join(folder, name));
    await page.setInputFiles('#folder', folder);
    await shown('done');
    expect(await page.locator('#done-title').textContent()).toBe('external.onnx');
  });

  it('has the first of many names of a tensor, and the others behind it', async () => {
    await dropPaths(join(root, 'tests/tf/recorded/saved/tf2_module'));
    await shown('done');
    const first = page.locator('#done tbody th').filter({ hasText: 'first' });
    expect(await first.innerText()).toMatch(/^first\s+7 more names$/);
    await first.locator('summary').click();
    expect(await first.innerText()).toContain('StatefulPartitionedCall_1/Identity:0');
    expect(await page.locator('#done tbody th').first().innerText()).toBe('x\nalso serving_default_x:0, x:0');
  });

  it('may be a folder, which the core judges', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'variables'));
    for (const path of ['saved_model.txt', 'variables/a.index']) writeFileSync(join(folder, path), 'x');
    await page.setInputFiles('#folder', folder);
    await shown('failed');
    expect(await page.locator('#failed-title').textContent()).toBe(basename(folder));
    const text = await page.locator('#failed').textContent();
    for (const part of ['MO6007', `"${basename(folder)}" is a directory, want a model file`]) expect(text).toContain(part);
    await choose('conv.onnx');
    await shown('done');
  });

  it('is summed up', async () => {
    await choose('conv.onnx');
    await shown('done');
    const done = page.locator('#done');
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
    for (const text of ['Converted in', 'image', '[?,3,32,32]', 'result', 'Convolution', 'conv.xml', 'conv.bin', 'OpenVINO'])
      expect(await done.textContent()).toContain(text);
    expect(await page.locator('#command').innerText()).toBe('npx @mo/wasm conv.onnx');
  });

  it('W-06 is converted again with other options', async () => {
    await choose('conv.onnx');
    await shown('done');
    await page.fill('[name=input_shape]', '[4,3,32,32]');
    await page.fill('[name=model_name]', 'four');
    await page.click('#again');
    await page.getByText('Save .xml').waitFor();
    await expect.poll(() => page.locator('#done').textContent()).toContain('[4,16,32,32]');
    expect(await page.locator('#done').textContent()).toContain('four.bin');
  });

  it('W-01 W-05 is converted with static_shape and without transformations, as by the command', async () => {
    const path = join(temporaryFolder(), 'net.onnx');
    writeFileSync(path, writeOnnx({
      nodes: [
        { op: 'Shape', name: 'shape', inputs: ['y'], outputs: ['s'] }, { op: 'Reshape', name: 'reshape', inputs: ['x', 's'], outputs: ['r'] },
        { op: 'Sigmoid', name: 'sig', inputs: ['r'], outputs: ['g'] }, { op: 'Mul', name: 'mul', inputs: ['r', 'g'], outputs: ['z'] },
      ],
      weights: [], inputs: [{ name: 'x', shape: [2, 3] }, { name: 'y', shape: [3, 2] }], outputs: [{ name: 'z', shape: [3, 2] }],
    }));
    await page.setInputFiles('#files', path);
    await shown('done');
    const plain = (await saved()).xml;
    expect(plain).toMatch(/type="ShapeOf"[^]*type="Swish"/);
    await openOptions();
    await page.check('[name=static_shape]');
    await page.fill('[name=disabled_transforms]', 'SwishFusion');
    await page.click('#again');
    await expect.poll(() => page.locator('#done .operations').first().textContent()).toMatch(/Sigmoid/);
    await page.locator('#done .stale').waitFor({ state: 'hidden' });
    const { xml } = await saved();
    expect(xml).not.toMatch(/type="(ShapeOf|Swish)"/);
    expect(xml).toBe(nativeFiles(path, ['--static_shape', '--disabled_transforms', 'SwishFusion'], 'net').xml);
  });
});

describe('an error', () => {
  it('names all operations that are not supported, and the page stays usable', async () => {
    await choose('unknown.onnx');
    await shown('failed');
    const text = await page.locator('#failed').textContent();
    for (const part of ['MO2001', '2 errors', '/frob_1', '/frob_2', 'com.acme.Frobnicate', 'teach it with an extension'])
      expect(text).toContain(part);
    await choose('conv.onnx');
    await shown('done');
  });

  it.each([['truncated.onnx', 'MO1004'], ['garbage.onnx', 'MO1002'], ['empty.onnx', 'MO1001']])('of %s is %s', async (name, code) => {
    await drop(name);
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain(code);
    expect(await page.locator('#alert').textContent()).toContain(code);
  });

  it('of a missing file is mended by bringing it', async () => {
    await page.fill('[name=model_name]', 'same');
    await choose('external.onnx');
    await shown('failed');
    expect(await page.locator('.missing').textContent()).toContain('weights.bin');
    await drop('weights.bin');
    await shown('done');
    expect(await saved()).toMatchObject(nativeFiles(model('external.onnx')));
  });

  it('says so when no file is a model', async () => {
    await choose('weights.bin', 'conv.onnx').then(() => shown('done'));
    await drop('weights.bin', 'weights.bin');
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6005');
  });
});

describe('cancelling', () => {
  it('works with Escape', async () => {
    await choose('long.onnx');
    await shown('working');
    await page.keyboard.press('Escape');
    await shown('empty');
    expect(await page.locator('#status').textContent()).toBe('Cancelled.');
  });
});

describe('the page', () => {
  it('works without a network once it has loaded', async () => {
    await context.setOffline(true);
    await choose('conv.onnx');
    await shown('done');
  });

  it('has a name for everything that the keyboard reaches', async () => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a, input, textarea, select, progress')]
        .filter((element) => !(element.ariaLabel ?? element.innerText.trim())
          && !(element as HTMLInputElement).labels?.length && !element.hasAttribute('aria-labelledby'))
        .map((element) => element.outerHTML));
    expect(nameless).toEqual([]);
  });

  it('lets the keyboard choose a file first, behind the head of the page', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('language');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose files…');
  });
});
