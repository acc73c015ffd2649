/**
 * The built page in Chromium, served with the headers that it is meant to have: what all tests of the page share. With MO_PAGE=single it is
 * the page as one file, without a server.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { launch } from '../../scripts/browser.mjs';
import { serve } from '../../scripts/serve.mjs';
import { hash, modelFolder, root, temporaryFolder } from '../js/support.js';

/** The same tests show that the page as one file does what the served page does. */
const SINGLE = process.env['MO_PAGE'] === 'single' ? pathToFileURL(join(root, 'build/mo.html')).href : undefined;

export const models = modelFolder();
export const model = (name: string) => join(models, name);

export let context: BrowserContext;
export let page: Page;
/** What the page complained of; a test that expects something takes it out. */
export let complaints: string[];
/** What was asked for since the page has loaded: of the server, or by the page as one file. */
let requests: string[];

/**
 * A fresh page for each test, which has to end without complaints and without requests. `web`: the folder of another page than build/web; `start`: a
 * document beside the page, which is opened in its place.
 */
export function usePage({ web, start }: { web?: string; start?: string } = {}): void {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = await serve(web, 0);
    // The browser looks for a new service worker when it likes.
    server.on('request', ({ url }) => url !== '/service-worker.js' && requests.push(url ?? ''));
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  beforeEach(async () => {
    requests = [];
    complaints = [];
    // Tests of the page without a network have a service worker; here each page would fetch all files for it.
    context = await browser.newContext({ acceptDownloads: true });
    await context.addInitScript('delete Navigator.prototype.serviceWorker');
    page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    if (SINGLE) context.on('request', (request) => request.url().startsWith('blob:') || requests.push(request.url()));
    const address = (web ? undefined : SINGLE) ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    if (start) {
      await page.goto(new URL(start, address).href);
      requests = [];
    } else {
      await load(address);
    }
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    await context.close();
  });
}

/** What was asked for up to now belongs to a visit that the test has made itself. */
export function forgetRequests(): void {
  requests = [];
}

/** Loads the page anew, at an address with this fragment. */
export async function open(fragment: string): Promise<void> {
  const [address] = page.url().split('#');
  await page.goto('about:blank');
  await load(address + fragment);
}

/** A page has loaded when its workers wait, and what it loads ahead is there. */
export async function load(url: string): Promise<void> {
  await page.goto(url);
  await expect.poll(() => page.evaluate(() => performance.getEntriesByName('mo-ready').length), { interval: 20, timeout: 30_000 }).toBe(1);
  await expect.poll(() => page.workers().length, { interval: 20, timeout: 30_000 }).toBe(2);
  requests = [];
}

export const choose = (...names: string[]) => page.setInputFiles('#files', names.map(model));
export const shown = (section: 'empty' | 'ready' | 'working' | 'done' | 'failed' | 'ir') => page.locator(`#${section}`).waitFor({ state: 'visible' });

/** Opens all groups of options, or closes them. */
export const openOptions = (open = true) => page.locator('#options .group').evaluateAll((groups, open) => groups.forEach((group) => ((group as HTMLDetailsElement).open = open)), open);

/** Chooses the size of the weights. */
export const weightsAs = (format: 'fp32' | 'fp16' | 'int8' | 'int4') => page.check(`#weights [value=${format}]`);

/** Drops files as a file manager does. */
export async function drop(...names: string[]): Promise<void> {
  const files = names.map((name) => ({ name: basename(name), content: readFileSync(model(name)).toString('base64') }));
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

/** A folder with these files. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Drops files and folders of this machine, through the browser's own way from a drag to entries. */
export async function dropPaths(...files: string[]): Promise<void> {
  const session = await context.newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await session.detach();
}

/** What the page says it takes files for: the files by the titles of their groups. */
export async function taken(): Promise<Record<string, string[]>> {
  const groups = await page.locator('#taken dl > div').evaluateAll((groups) =>
    groups.map((group) => [group.querySelector('dt')!.textContent, [...group.querySelectorAll('code')].map((code) => code.textContent)] as const));
  return Object.fromEntries(groups);
}

/** Saves both files, and says what is in them. */
export const saved = () => save(async (extension) => page.getByText(`Save .${extension}`).click());

/** Saves both files of one of several models from its row. */
export const savedOf = (path: string) =>
  save(async (extension) => row(path).getByText(`.${extension}`, { exact: true }).click());

/** A model's row in the list of several. */
export const row = (path: string) =>
  page.locator('#models li').filter({ has: page.getByRole('button', { name: path, exact: true }) });

async function save(click: (extension: string) => Promise<void>): Promise<{ xml: string; bin: string; names: string[] }> {
  const one = async (extension: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click(extension)]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const xml = await one('xml');
  const bin = await one('bin');
  return { xml: xml.content.toString(), bin: hash(bin.content), names: [xml.name, bin.name] };
}
