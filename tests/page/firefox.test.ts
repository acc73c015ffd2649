/** The page's main paths in Firefox. */
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { serve } from '../../scripts/serve.mjs';
import { tanhForReLU as extension } from '../js/models.js';
import { hash, listing, modelFolder, nativeFiles, root, temporaryFolder } from '../js/support.js';

const models = modelFolder();
const model = (name: string) => join(models, name);
const TIMES = { timeout: 50_000 };

let browser: Browser;
let page: Page;
let server: Server;
let address: string;
const downloads = temporaryFolder();
/** What the page complained of. */
let complaints: string[];

beforeAll(async () => {
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    timeout: 120_000,
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
      'browser.download.alwaysOpenPanel': false,
    },
  });
}, 150_000);
afterAll(() => browser?.close());

beforeEach(async () => {
  complaints = [];
  server = await serve(undefined, 0);
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  page = await browser.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
});
afterEach(async () => {
  await page.close();
  stop();
  expect(complaints).toEqual([]);
});

function stop(): void {
  server.close();
  server.closeAllConnections();
}

const text = (selector: string) => page.$eval(selector, (element) => element.textContent ?? '');
const shown = (section: string) => page.waitForSelector(`#${section}:not([hidden])`, TIMES);

async function choose(...names: string[]): Promise<void> {
  await (await page.$('input#files'))!.uploadFile(...names.map(model));
}

/** Files as from a folder that the user chooses, which the protocol cannot do; or dropped one by one. */
async function bring(how: 'choose' | 'drop', files: Record<string, Uint8Array | string>): Promise<void> {
  const contents = Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('base64')] as const);
  await page.evaluate((how, contents) => {
    const brought = contents.map(([path, content]) => {
      const file = new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], path.split('/').at(-1)!);
      return how === 'drop' ? file : Object.defineProperty(file, 'webkitRelativePath', { value: path });
    });
    if (how === 'drop') {
      const dataTransfer = new DataTransfer();
      for (const file of brought) dataTransfer.items.add(file);
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      return;
    }
    const input = document.getElementById('folder')!;
    Object.defineProperty(input, 'files', { value: brought, configurable: true });
    input.dispatchEvent(new Event('change'));
  }, how, contents);
}

/** Saves both files; the text of the one, and the hash of the other. */
async function saved(): Promise<{ xml: string; bin: string }> {
  const links = await page.$$eval('#done a[download]', (links) => links.map((link) => (link as HTMLAnchorElement).download));
  const contents = new Map<string, Buffer>();
  for (const name of links) {
    const before = new Set(listing(downloads));
    const [ending] = /\.\w+$/.exec(name)!;
    await page.$$eval('#done a[download]', (links, ending) => links.find((link) => (link as HTMLAnchorElement).download.endsWith(ending))!.dispatchEvent(new MouseEvent('click')), ending);
    // A name that is there already gets a number. The file is empty until its content, which is written beside it, is complete.
    const come = () => listing(downloads).filter((other) => !before.has(other) && other.endsWith(ending)).map((other) => join(downloads, other));
    await expect.poll(() => come().filter((path) => statSync(path).size > 0).length, TIMES).toBe(1);
    contents.set(ending, readFileSync(come()[0]!));
  }
  return { xml: contents.get('.xml')!.toString(), bin: hash(contents.get('.bin')!) };
}

it('a chosen model is converted to the bytes of the other hosts', async () => {
  await page.goto(address);
  await page.type('[name=model_name]', 'same');
  await choose('conv.onnx');
  await shown('done');
  expect(await saved()).toEqual(nativeFiles(model('conv.onnx')));
});

it('a dropped model with its data, and one that lacks them', async () => {
  await page.goto(address);
  await bring('drop', { 'external.onnx': readFileSync(model('external.onnx')) });
  await shown('failed');
  expect(await text('.missing')).toContain('weights.bin');
  await bring('drop', { 'weights.bin': readFileSync(model('weights.bin')) });
  await shown('done');
  expect(await text('#done-title')).toBe('external.onnx');
});

it('the folder of a SavedModel is one model', async () => {
  await page.goto(address);
  const recorded = join(root, 'tests/tf/recorded/saved/tf2_module');
  const names = ['saved_model.pb', 'variables/variables.index', 'variables/variables.data-00000-of-00001'];
  await bring('choose', Object.fromEntries(names.map((name) => [`scores/${name}`, readFileSync(join(recorded, name))])));
  await shown('done');
  expect(await text('#done-title')).toBe('scores');
  const native = nativeFiles(recorded, [], 'scores');
  expect(await saved()).toEqual({ xml: native.xml, bin: native.bin });
});

it('an operation that is not supported is named, and an extension takes part', async () => {
  await page.goto(address);
  await choose('unknown.onnx');
  await shown('failed');
  expect(await text('#failed')).toContain('com.acme.Frobnicate');
  await bring('choose', { 'c/conv.onnx': readFileSync(model('conv.onnx')), 'c/my_ext/front/onnx/tanh.js': extension });
  await shown('done');
  expect(await text('#done .operations')).toContain('Tanh');
});

it('an endless extension ends with Cancel', async () => {
  await page.goto(address);
  const loop = `import { FrontReplacementPattern } from '@mo/wasm/extension';
export default class Loop extends FrontReplacementPattern { findAndReplacePattern() { for (;;); } }`;
  await bring('choose', { 'c/conv.onnx': readFileSync(model('conv.onnx')), 'c/my_ext/front/loop.js': loop });
  await page.waitForFunction(() => document.getElementById('phase')!.textContent === 'Front', TIMES);
  await page.keyboard.press('Escape');
  await shown('empty');
});

it('the page opens and converts while its server is away', async () => {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  stop();
  await page.reload();
  await choose('conv.onnx');
  await shown('done');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

it('the page as one file converts, with extensions too', async () => {
  const path = join(temporaryFolder(), 'mo.html');
  copyFileSync(join(root, 'build/mo.html'), path);
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => performance.getEntriesByName('mo-ready').length > 0, TIMES);
  await page.type('[name=model_name]', 'same');
  await choose('conv.onnx');
  await shown('done');
  expect(await saved()).toEqual(nativeFiles(model('conv.onnx')));
  await page.locator('::-p-text(View graph)').click();
  await page.waitForFunction(() => performance.getEntriesByName('mo-graph-result-all').length > 0, TIMES);
  await page.locator('.graph-list [role=option]:nth-child(2)').click();
  await page.waitForFunction(() => document.querySelector('.graph-details')!.textContent!.includes('Became, in IR'), TIMES);
  await page.keyboard.press('Escape');
  await bring('choose', { 'c/dense.onnx': readFileSync(model('dense.onnx')), 'c/conv.onnx': readFileSync(model('conv.onnx')), 'c/my_ext/front/onnx/tanh.js': extension });
  await page.locator('::-p-text(Convert 2 models)').click();
  await page.waitForFunction(() => document.querySelectorAll('#models .model-state').length === 2, TIMES);
  await expect.poll(() => page.$$eval('#models .model-state', (states) => states.map(({ textContent }) => textContent)), TIMES).toEqual(['Converted', 'Converted']);
  expect(await text('#extensions')).toContain('my_ext/front/onnx/tanh.js');
});
