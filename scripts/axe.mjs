// What axe finds on a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that the page breaks, each with the element, and how many rules it keeps. */
export async function inspect(context, page) {
  // The page's policy forbids a script of others; the browser's debugger may run one.
  const session = await context.newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  await session.detach();
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations', 'passes'] }));
  return { violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)), passes: passes.length };
}
