// Makes docs/pictures/ of the built page, for README.md and the documents: npm run pictures
// They are the only generated files that are checked in: hosts of repositories show them without a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch } from './browser.mjs';
import { serve } from './serve.mjs';

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const SIZE = { width: 1200, height: 780 };

const shown = (page, id) => page.locator(`#${id}`).waitFor({ state: 'visible' });

/** Each picture: the steps to the state of the page that it shows. */
const PICTURES = {
  start: async () => {},
  result: async (page) => {
    await page.click('#example');
    await shown(page, 'done');
  },
  graph: async (page) => {
    await PICTURES.result(page);
    await page.getByRole('button', { name: 'View graph' }).click();
    // All boxes of both graphs are laid out.
    await page.waitForFunction(() => ['source', 'result'].every((side) => performance.getEntriesByName(`mo-graph-${side}-all`).length > 0));
  },
  failure: async (page) => {
    await page.setInputFiles('#files', { name: 'model.onnx', mimeType: 'application/octet-stream', buffer: Buffer.from('This is a page of a web site, not a model.') });
    await shown(page, 'failed');
  },
};

mkdirSync(folder, { recursive: true });
const server = await serve(undefined, 0);
const browser = await launch();
for (const colorScheme of ['light', 'dark']) {
  for (const [name, steps] of Object.entries(PICTURES)) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
    await context.addInitScript('delete Navigator.prototype.serviceWorker');
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => performance.getEntriesByName('mo-ready').length > 0);
    await steps(page);
    await page.evaluate(() => {
      document.activeElement?.blur();
      scrollTo(0, 0);
    });
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
    await context.close();
  }
}
await browser.close();
server.close();
