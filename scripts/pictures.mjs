// Makes docs/pictures/ of the built page, for README.md and the documents: npm run pictures
// They are the only generated files that are checked in: hosts of repositories show them without a build.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { convert } from '../dist/library/node/node.js';
import { launch } from './browser.mjs';
import { sampleModel } from './make-sample.mjs';
import { serve } from './serve.mjs';

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url));

/** Without letters for Chinese, half of the pictures would show boxes. */
function checkFonts() {
  if (execFileSync('fc-list', [':lang=zh-cn'], { encoding: 'utf8' }).trim() === '') throw new Error('there is no font for Chinese: apt-get install fonts-noto-cjk');
}

const shown = (page, id) => page.locator(`#${id}`).waitFor({ state: 'visible' });

/** The files of an IR of the sample model, whose text may be changed. */
async function irOf(name, options = {}, change = (text) => text) {
  const { xml, bin } = await convert(sampleModel(8, 16), { model_name: 'sample', ...options });
  const buffer = Buffer.from(await new Response(bin.stream()).arrayBuffer());
  return [{ name: `${name}.xml`, mimeType: 'application/xml', buffer: Buffer.from(change(xml)) }, { name: `${name}.bin`, mimeType: 'application/octet-stream', buffer }];
}

/** The steps to each state of the page. */
const STATES = {
  start: async () => {},
  result: async (page) => {
    await page.click('#example');
    await shown(page, 'done');
    // How large the weights are with each format is known a moment later.
    await page.locator('#weights').filter({ hasText: /\d KB/ }).waitFor({ state: 'attached' });
  },
  saved: async (page) => {
    await STATES.result(page);
    // The folder is one of the page's own file system: the browser's question for one is no part of the page.
    await page.evaluate(() => {
      globalThis.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('models', { create: true });
    });
    await page.locator('#done .save-buttons .primary').click();
    await page.locator('#done .save-status').filter({ hasText: 'models' }).waitFor();
  },
  graph: async (page) => {
    await STATES.result(page);
    await page.getByRole('button', { name: /^(?:View graph|查看计算图)$/ }).click();
    // All boxes of both graphs are laid out.
    await page.waitForFunction(() => ['source', 'result'].every((side) => performance.getEntriesByName(`mo-graph-${side}-all`).length > 0));
  },
  failure: async (page) => {
    await page.setInputFiles('#files', { name: 'model.onnx', mimeType: 'application/octet-stream', buffer: Buffer.from('This is a page of a web site, not a model.') });
    await shown(page, 'failed');
  },
  // An IR in which a program has written an attribute that its operation does not take.
  verified: async (page) => {
    await page.setInputFiles('#files', await irOf('wrong', {}, (text) => text.replace('strides="1, 1"', 'strides="one"')));
    await shown(page, 'ir');
    await page.locator('#ir .messages').waitFor();
  },
  compared: async (page) => {
    await page.setInputFiles('#files', [...(await irOf('plain')), ...(await irOf('with_mean', { mean_values: [1, 2, 3] }))]);
    await page.locator('#ir .differences').first().waitFor();
  },
};

/** README.md and the first page of the site. */
const pictures = ['light', 'dark'].map((colours) => ({ name: `result-${colours}`, state: 'result', colours, width: 1200, height: 780 }));
/** docs/verify.md. */
const irs = ['verified', 'compared'].map((state) => ({ name: state, state, colours: 'light', width: 1200, height: 780 }));
/** docs/walk.md: what a newcomer sees, on a desk and on a phone. */
const walk = [[1280, 800], [390, 844]].flatMap(([width, height]) => ['en', 'zh-Hans'].flatMap((language) => ['start', 'result', 'saved', ...(width > 600 ? ['failure', 'graph'] : [])]
  .map((state) => ({ name: `walk-${state}-${language}-${width}`, state, language, colours: 'light', width, height }))));

/** The picture of a state, as WebP. */
async function pictureOf(browser, address, { state, colours, width, height, language = 'en' }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: colours, locale: language, reducedMotion: 'reduce' });
  await context.addInitScript('delete Navigator.prototype.serviceWorker');
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('mo-ready').length > 0);
  await page.waitForFunction((language) => document.documentElement.lang === language, language);
  await STATES[state](page);
  await page.mouse.move(0, 0);
  await page.evaluate((isNarrow) => {
    document.activeElement?.blur();
    scrollTo(0, 0);
    // On a phone the result stands below the model and the options.
    if (isNarrow) document.querySelector('#done:not([hidden])')?.scrollIntoView();
    // What differs stands below the two cards.
    document.querySelector('#ir:not([hidden]) .comparing')?.scrollIntoView();
  }, width < 600);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await context.close();
  return Buffer.from(data, 'base64');
}

checkFonts();
mkdirSync(folder, { recursive: true });
const server = await serve(undefined, 0);
const browser = await launch();
const only = process.argv[2] ?? '';
for (const picture of [...pictures, ...irs, ...walk]) {
  if (!picture.name.startsWith(only)) continue;
  writeFileSync(join(folder, `${picture.name}.webp`), await pictureOf(browser, `http://127.0.0.1:${server.address().port}/`, picture));
}
await browser.close();
server.close();
