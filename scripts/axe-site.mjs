// Runs axe on every page of the documents' site in build/web/docs: node scripts/axe-site.mjs [--only REGEX]. npm test tries pages of each kind, because all of them
// take many minutes. Prints each violation, and ends with 1 if there is one.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import { launch } from './browser.mjs';
import { serve } from './serve.mjs';

const site = fileURLToPath(new URL('../build/web/docs', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const only = new RegExp(process.argv[2] === '--only' ? process.argv[3] : '');
const pages = readdirSync(site, { recursive: true }).filter((path) => path.endsWith('.html') && path !== '404.html' && only.test(path)).sort();

const server = await serve(undefined, 0);
const browser = await launch();
let wrong = 0;

/** Rules that are broken on a page, each with the elements. */
async function violations(context, tab) {
  // The site's policy forbids a script of others; the browser's debugger may run one.
  const session = await context.newCDPSession(tab);
  await session.send('Runtime.evaluate', { expression: axe });
  await session.detach();
  const found = await tab.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function look(queue) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const tab = await context.newPage();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const begun = performance.now();
    await tab.goto(`http://127.0.0.1:${server.address().port}/docs/${path}`);
    if (path.endsWith('search.html')) await tab.fill('#words', 'layout');
    const found = await violations(context, tab);
    wrong += found.length;
    console.log(`${found.length === 0 ? 'ok' : 'WRONG'} ${path}, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    for (const one of found) console.log(`  ${one}`);
  }
  await context.close();
}

const queue = pages.toReversed();
await Promise.all(cpus().map(() => look(queue)));
await browser.close();
server.close();
console.log(`${pages.length} pages, ${wrong} violations`);
process.exitCode = wrong > 0 ? 1 : 0;
