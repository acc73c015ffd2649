// Runs axe on every page of the documents' site in build/web/docs: node scripts/axe-site.mjs [--only REGEX]. npm test tries pages of each kind: all of them
// take many minutes. Prints each violation, and ends with 1 if there is one.
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import { inspect } from './axe.mjs';
import { launch } from './browser.mjs';
import { serve } from './serve.mjs';

const site = fileURLToPath(new URL('../build/web/docs', import.meta.url));
const only = new RegExp(process.argv[2] === '--only' ? process.argv[3] : '');
const pages = readdirSync(site, { recursive: true }).filter((path) => path.endsWith('.html') && path !== '404.html' && only.test(path)).sort();

const server = await serve(undefined, 0);
const browser = await launch();
const queue = pages.toReversed();
let wrong = 0;

/** Takes pages from the queue until it is empty. */
async function look() {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const tab = await context.newPage();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    await tab.goto(`http://127.0.0.1:${server.address().port}/docs/${path}`);
    if (path.endsWith('search.html')) await tab.fill('#words', 'layout');
    const { violations } = await inspect(context, tab);
    wrong += violations.length;
    console.log(`${violations.length === 0 ? 'right' : 'WRONG'} ${path}`);
    for (const one of violations) console.log(`  ${one}`);
  }
  await context.close();
}

await Promise.all(cpus().map(look));
await browser.close();
server.close();
console.log(`${pages.length} pages, ${wrong} violations`);
process.exitCode = wrong > 0 ? 1 : 0;
