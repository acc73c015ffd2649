/** The page as an app: without a network, with new versions, and opened with files by the system. */
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { launchChromium } from '../../scripts/browser.mjs';
import { addServiceWorker } from '../../scripts/page/precache.mjs';
import { serve } from '../../scripts/serve.mjs';
import { tanhForReLU as extension } from '../js/models.js';
import { hash, nativeFiles, root, temporaryFolder } from '../js/support.js';
import { zip } from './archives.js';
import { model } from './support.js';

const TIMES = { timeout: 30_000 };

let browser: Browser;
let context: BrowserContext;
let page: Page;
/** A copy of the page's files, which a test may change, and what serves them. */
let web: string;
let server: Server;
let address: string;
/** What the pages, their workers and the service worker ask for; and the URLs that reach the server. */
let asked: Request[];
let served: string[];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  [asked, served] = [[], []];
  web = temporaryFolder();
  cpSync(join(root, 'build/web'), web, { recursive: true });
  server = await serve(web, 0);
  server.on('request', ({ url }) => served.push(url!));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  context = await browser.newContext();
  context.on('request', (request) => asked.push(request));
  page = await context.newPage();
  await page.goto(address);
  await installed(page);
});
afterEach(async () => {
  await context.close();
  stop();
});

function stop(): void {
  server.close();
  server.closeAllConnections();
}

/** The service worker has all files, and the page waits for a model. */
async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // Without a controller, the service worker has not taken over the page yet.
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  });
  await started(page);
}

const started = (page: Page) => expect.poll(() => page.workers().length, TIMES).toBe(2);
const shown = (section: string) => page.locator(`#${section}`).waitFor({ state: 'visible', ...TIMES });
const title = () => expect.poll(() => page.locator('#done-title').textContent(), TIMES);
const choose = (...names: string[]) => page.setInputFiles('#files', names.map(model));
const isCheck = (url: string) => new URL(url, address).pathname === '/service-worker.js';

/** The URLs that need a network: neither those of texts and bytes in the page, nor those that the service worker answers. */
async function overNetwork(requests: Request[]): Promise<string[]> {
  const needed = await Promise.all(requests.map(async (request) => {
    if (/^(blob|data):/.test(request.url()) || isCheck(request.url())) return [];
    return !request.serviceWorker() && (await request.response())?.fromServiceWorker() ? [] : [request.url()];
  }));
  return needed.flat();
}

async function bringExtension(): Promise<void> {
  const folder = temporaryFolder();
  cpSync(model('conv.onnx'), join(folder, 'extended.onnx'));
  cpSync(join(root, 'docs/examples/extensions/mish'), join(folder, 'unused'), { recursive: true });
  writeFileSync(join(folder, 'unused/front/tanh.js'), extension);
  await page.setInputFiles('#folder', folder);
  await title().toBe('extended.onnx');
  expect(await page.locator('#done .operations').first().textContent()).toContain('Tanh');
}

async function save(ending: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(`Save .${ending}`).click()]);
  return readFileSync(await download.path());
}

it('asks for nothing after it has loaded, whatever is done', async () => {
  const all = readdirSync(join(root, 'build/web'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  // The recorder sees the page, its workers and the service worker.
  expect(new Set(await overNetwork(asked)).size).toBe(all - 1);
  [asked, served] = [[], []];
  const transfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], 'conv.onnx'));
    return transfer;
  }, readFileSync(model('conv.onnx')).toString('base64'));
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await shown('done');
  await save('xml');
  expect(hash(await save('bin'))).toBe(nativeFiles(model('conv.onnx')).bin);
  await page.fill('#line', 'mo --input_model conv.onnx --batch 4');
  await page.click('#take-line');
  await page.click('#again');
  await expect.poll(() => page.locator('#done').textContent(), TIMES).toContain('[4,3,32,32]');
  await page.fill('[name=batch]', '');
  await bringExtension();
  await page.getByRole('button', { name: 'Remove' }).click();
  await choose('unknown.onnx');
  await shown('failed');
  await page.selectOption('#language', 'zh-Hans');
  await page.getByText('关于 MO2001').first().click();
  await page.locator('.help-body').getByText('常见原因').waitFor();
  await page.selectOption('#language', 'en');
  await page.locator('.help-body').getByText('Usual causes').waitFor();
  await choose('long.onnx');
  await shown('working');
  await page.keyboard.press('Escape');
  await choose('conv.onnx', 'dense.onnx');
  await expect.poll(() => page.locator('#models .model-state').allTextContents(), TIMES).toEqual(['Converted', 'Converted']);
  expect(await overNetwork(asked)).toEqual([]);
  expect(served.filter((url) => !isCheck(url))).toEqual([]);
});

it('may ask for nothing elsewhere', async () => {
  const reached: string[] = [];
  const other: Server = await serve(web, 0);
  other.on('request', ({ url }) => reached.push(url!));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/icon.svg`;
  const refused = await page.evaluate(async (url) => {
    const directives: string[] = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => directives.push(effectiveDirective));
    const load = (element: HTMLImageElement) => new Promise((resolve) => {
      document.head.append(Object.assign(element, { onload: () => resolve('loaded'), onerror: () => resolve('failed'), src: url }));
    });
    /** Without the policy of Trusted Types, a text is no URL of a script. */
    const sinks = [
      () => Object.assign(document.createElement('script'), { src: url }),
      () => new Worker(url),
      () => (document.body.innerHTML += '<p>x</p>'),
      () => document.createElement('div').insertAdjacentHTML('beforeend', '<p>x</p>'),
      () => (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }).trustedTypes.createPolicy('mo', {}),
      () => (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }).trustedTypes.createPolicy('other', {}),
    ].map((use) => {
      try {
        use();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
    const ends = await Promise.all([
      fetch(url).then(() => 'loaded', () => 'failed'),
      load(new Image()),
    ]);
    // The policy of the header and that of the page both forbid each of them, so each is reported twice.
    return [ends, sinks, [...new Set(directives.map((directive) => directive.replace('-elem', '')))].sort()];
  }, url);
  const imported = await page.evaluate(`import(${JSON.stringify(url)}).then(() => 'loaded', () => 'failed')`);
  other.close();
  expect(imported).toBe('failed');
  expect(refused).toEqual([
    ['failed', 'failed'], Array(6).fill('TypeError'), ['connect-src', 'img-src', 'require-trusted-types-for', 'trusted-types'],
  ]);
  expect(reached).toEqual([]);
});

it('opens and converts while its server is away, with extensions too', async () => {
  await page.evaluate(() => sessionStorage.setItem('before', 'yes'));
  stop();
  await page.goto(`${address}#batch=2`);
  await started(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await choose('conv.onnx');
  await shown('done');
  expect(await page.locator('#done').textContent()).toContain('[2,3,32,32]');
  await bringExtension();
  const notices = await context.newPage();
  await notices.goto(`${address}THIRD_PARTY_NOTICES.txt`);
  expect(await notices.textContent('body')).toContain('This package contains the work of others');
});

it('opens in the language that was chosen while its server is away', async () => {
  await page.selectOption('#language', 'zh-Hans');
  await expect.poll(() => page.title(), TIMES).toBe('模型转换为 OpenVINO IR');
  stop();
  await page.goto('about:blank');
  await page.goto(address);
  await started(page);
  await expect.poll(() => page.locator('#empty-title').textContent(), TIMES).toContain('拖入模型');
});

describe('a new version', () => {
  const notice = (page: Page) => page.locator('#update');
  const promise = (page: Page) => page.locator('.promise').textContent();
  const versions = () => page.evaluate(() => caches.keys().then((names) => names.length));

  /** Publishes another version. The browser finds it when it looks for one. */
  async function publish(edit: (html: string) => string = (html) => html.replace('Nothing is uploaded.', 'This is new.')): Promise<void> {
    const path = join(web, 'index.html');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    await addServiceWorker(web, join(root, 'web/worker/service-worker.ts'));
  }
  const lookForIt = () => page.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => undefined));

  it('is announced, comes when it is asked for, and is the only one then', async () => {
    expect(await notice(page).isVisible()).toBe(false);
    await publish();
    await choose('conv.onnx');
    await shown('done');
    await lookForIt();
    await notice(page).waitFor({ state: 'visible', ...TIMES });
    expect(await notice(page).textContent()).toBe('A new version is ready.Reload');
    // The page is as it was.
    expect(await page.locator('#done').isVisible()).toBe(true);
    expect(await versions()).toBe(2);
    await Promise.all([page.waitForEvent('load'), notice(page).getByRole('button', { name: 'Reload' }).click()]);
    await started(page);
    expect(await promise(page)).toContain('This is new.');
    expect(await notice(page).isVisible()).toBe(false);
    await expect.poll(versions).toBe(1);
    stop();
    await page.reload();
    expect(await promise(page)).toContain('This is new.');
  });

  it('leaves other windows as they are, with the files that they may still load', async () => {
    const other = await context.newPage();
    await other.goto(address);
    await started(other);
    const [former] = readdirSync(join(web, 'assets')).filter((name) => name.startsWith('extension-worker-text'));
    await publish();
    await lookForIt();
    await notice(page).waitFor({ state: 'visible', ...TIMES });
    await Promise.all([page.waitForEvent('load'), notice(page).getByRole('button', { name: 'Reload' }).click()]);
    await started(page);
    expect(await promise(page)).toContain('This is new.');
    expect(await promise(other)).toContain('Nothing is uploaded.');
    await notice(other).waitFor({ state: 'visible', ...TIMES });
    expect(await versions()).toBe(2);
    stop();
    expect(await other.evaluate((url) => fetch(url).then(({ ok }) => ok), `assets/${former}`)).toBe(true);
    await Promise.all([other.waitForEvent('load'), notice(other).getByRole('button', { name: 'Reload' }).click()]);
    expect(await promise(other)).toContain('This is new.');
    // The next start of the app needs one version. The browser may still count the window that closes.
    await other.close();
    await expect.poll(async () => {
      await page.goto('about:blank');
      await page.goto(address);
      return versions();
    }, TIMES).toBe(1);
  });

  it('that is not complete yet is not taken', async () => {
    await publish();
    writeFileSync(join(web, 'index.html'), `${readFileSync(join(web, 'index.html'), 'utf8')}<!-- still being copied -->`);
    const state = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise<ServiceWorker>((resolve) => registration.addEventListener('updatefound', () => resolve(registration.installing!), { once: true }));
      await registration.update();
      const worker = await found;
      if (worker.state === 'installing') await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
      return worker.state;
    });
    expect(state).toBe('redundant');
    expect(await notice(page).isVisible()).toBe(false);
    stop();
    await page.reload();
    expect(await promise(page)).toContain('Nothing is uploaded.');
  });
});

describe('the installed app', () => {
  it('has a manifest that browsers take', async () => {
    const session = await context.newCDPSession(page);
    const { errors, data } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [expect.objectContaining({ errorId: 'in-incognito' })] });
    const manifest = JSON.parse(data!);
    for (const { src, sizes, type } of manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')) {
      const bytes = readFileSync(join(web, src));
      expect([type, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual(['image/png', sizes]);
    }
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual(expect.arrayContaining(['any', 'maskable']));
    expect(Object.values(manifest.file_handlers[0].accept).flat()).toEqual(expect.arrayContaining(['.onnx', '.pb', '.pbtxt', '.zip', '.tar', '.tgz']));
  });

  it('converts the files that it is launched with', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'launchQueue', { value: { setConsumer: (consume: unknown) => Object.assign(window, { consume }) } });
    });
    await page.reload();
    await started(page);
    await page.evaluate(async (content) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('launched.onnx', { create: true });
      const stream = await handle.createWritable();
      await stream.write(Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)));
      await stream.close();
      const { consume } = window as unknown as { consume: (launch: { files: unknown[] }) => void };
      consume({ files: [] });
      consume({ files: [handle] });
    }, readFileSync(model('conv.onnx')).toString('base64'));
    await title().toBe('launched.onnx');
  });

  it('says so when it cannot read such a file', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'launchQueue', { value: { setConsumer: (consume: unknown) => Object.assign(window, { consume }) } });
    });
    await page.reload();
    await started(page);
    await page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('gone.onnx', { create: true });
      await folder.removeEntry('gone.onnx');
      (window as unknown as { consume: (launch: { files: unknown[] }) => void }).consume({ files: [handle] });
    });
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('gone.onnx');
  });

  it('takes the files that are shared with it, once, and converts them when the user wants it', async () => {
    // A form of another page is sent as the system sends what is shared.
    const outside = await context.newPage();
    await outside.setContent(`<form action="${address}share" method="post" enctype="multipart/form-data"><input type="file" name="files" multiple /><button>Share</button></form>`);
    const ran = "import { FrontReplacementPattern } from '@mo/wasm/extension';\nexport default class Ran extends FrontReplacementPattern { findAndReplacePattern() { throw new Error('it ran'); } }";
    const archive = zip([{ path: 'ext/front/ran.js', content: ran }]);
    await outside.setInputFiles('input', [...['conv.onnx', 'dense.onnx'].map((name) => ({ name, mimeType: '', buffer: readFileSync(model(name)) })), { name: 'ext.zip', mimeType: '', buffer: Buffer.from(archive) }]);
    stop();
    page = outside;
    await page.click('button');
    await shown('ready');
    expect(await page.locator('#models .model-state').allTextContents()).toEqual(['Ready', 'Ready']);
    expect(await page.locator('#extensions').textContent()).toContain('Off, because');
    await page.locator('#ready, #card').getByRole('button', { name: 'Convert' }).first().click();
    await expect.poll(() => page.locator('#models .model-state').allTextContents(), TIMES).toEqual(['Converted', 'Converted']);
    expect(page.url()).toBe(address);
    await page.goto(`${address}?shared`);
    await started(page);
    expect(page.url()).toBe(address);
    expect(await page.locator('#empty').isVisible()).toBe(true);
  });
});
