/** The built page in Chromium, served with the headers that it is meant to have. */
import { copyFileSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/serve.mjs';
import { hash, modelFolder, nativeFiles, root, runNode, temporaryFolder } from '../js/support.js';

const models = modelFolder();
const model = (name: string) => join(models, name);

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the server was asked for, and what the page complained of. */
let requests: string[];
let complaints: string[];

beforeAll(async () => {
  server = await serve(undefined, 0);
  server.on('request', ({ url }) => requests.push(url ?? ''));
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

beforeEach(async () => {
  requests = [];
  complaints = [];
  context = await browser.newContext({ acceptDownloads: true });
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'networkidle' });
  await expect.poll(() => page.workers().length).toBe(2);
  requests = [];
});

afterEach(async () => {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
  await context.close();
});

const choose = (...names: string[]) => page.setInputFiles('#files', names.map(model));
const shown = (section: 'empty' | 'working' | 'done' | 'failed') => page.locator(`#${section}`).waitFor({ state: 'visible' });

/** Drops files as a file manager does. */
async function drop(...names: string[]): Promise<void> {
  const files = names.map((name) => ({ name, content: readFileSync(model(name)).toString('base64') }));
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, content } of files)
      transfer.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name));
    return transfer;
  }, files);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.locator('#overlay').waitFor({ state: 'visible' });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

/** Saves both files, and says what is in them. */
async function saved(): Promise<{ xml: string; bin: string; names: string[] }> {
  const save = async (extension: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(`Save .${extension}`).click()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const xml = await save('xml');
  const bin = await save('bin');
  return { xml: xml.content.toString(), bin: hash(bin.content), names: [xml.name, bin.name] };
}

describe('a model', () => {
  it('is converted where it is dropped, to the bytes of the other hosts', async () => {
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
    await page.uncheck('[name=compress_to_fp16]');
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

  it('is summed up', async () => {
    await choose('conv.onnx');
    await shown('done');
    const done = page.locator('#done');
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
    for (const text of ['Converted in', 'image', '[?,3,32,32]', 'result', 'Convolution', 'conv.xml', 'conv.bin', 'OpenVINO'])
      expect(await done.textContent()).toContain(text);
    expect(await page.locator('#command').innerText()).toBe('npx @mo/wasm conv.onnx');
  });

  it('is converted again with other options', async () => {
    await choose('conv.onnx');
    await shown('done');
    await page.fill('[name=input_shape]', '[4,3,32,32]');
    await page.fill('[name=model_name]', 'four');
    await page.click('#again');
    await page.getByText('Save .xml').waitFor();
    await expect.poll(() => page.locator('#done').textContent()).toContain('[4,16,32,32]');
    expect(await page.locator('#done').textContent()).toContain('four.bin');
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

  it('is told when no file is a model', async () => {
    await choose('weights.bin', 'conv.onnx').then(() => shown('done'));
    await drop('weights.bin', 'weights.bin');
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6005');
  });
});

describe('cancelling', () => {
  it('ends the worker within 100 ms, and the next conversion starts at once', async () => {
    await choose('long.onnx');
    await page.locator('#working').waitFor({ state: 'visible' });
    await expect.poll(() => page.locator('#phase').textContent()).not.toBe('Starting');
    const [worker] = page.workers();
    const gone = new Promise((resolve) => worker!.once('close', resolve));
    const clicked = await page.evaluate(() => {
      document.getElementById('cancel')!.click();
      return Date.now();
    });
    await gone;
    expect(Date.now() - clicked).toBeLessThan(100);
    await shown('empty');
    await choose('conv.onnx');
    await shown('done');
  });

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

  it('has a field for every option of a conversion', async () => {
    const options = readFileSync(join(root, 'wasm/options.ts'), 'utf8').matchAll(/^ {2}(\w+)\?:/gm);
    const fields = await page.$$eval('#options [name]', (inputs) => inputs.map((input) => input.getAttribute('name')));
    expect(fields.sort()).toEqual(Array.from(options, ([, name]) => name).sort());
  });

  it('has a name for everything that the keyboard reaches', async () => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a, input, progress')]
        .filter((element) => !(element.ariaLabel ?? element.innerText.trim())
          && !(element as HTMLInputElement).labels?.length && !element.hasAttribute('aria-labelledby'))
        .map((element) => element.outerHTML));
    expect(nameless).toEqual([]);
  });

  it('lets the keyboard choose a file first', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose files…');
  });
});
