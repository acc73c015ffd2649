/** The built page in Chromium, served with the headers that it is meant to have: what all tests of the page share. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { serve } from '../../scripts/serve.mjs';
import { hash, modelFolder } from '../js/support.js';

export const models = modelFolder();
export const model = (name: string) => join(models, name);

export let context: BrowserContext;
export let page: Page;
/** What the page complained of; a test that expects something takes it out. */
export let complaints: string[];
/** What the server was asked for since the page has loaded. */
let requests: string[];

/** A fresh page for each test, which has to end without complaints and without requests. */
export function usePage(): void {
  let server: Server;
  let browser: Browser;

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
}

export const choose = (...names: string[]) => page.setInputFiles('#files', names.map(model));
export const shown = (section: 'empty' | 'working' | 'done' | 'failed') => page.locator(`#${section}`).waitFor({ state: 'visible' });

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

/** Saves both files, and says what is in them. */
export async function saved(): Promise<{ xml: string; bin: string; names: string[] }> {
  const save = async (extension: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(`Save .${extension}`).click()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const xml = await save('xml');
  const bin = await save('bin');
  return { xml: xml.content.toString(), bin: hash(bin.content), names: [xml.name, bin.name] };
}
