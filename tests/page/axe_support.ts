/** What axe finds on the page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { context, page } from './support.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that are broken on a page, each with the elements. */
export async function violations(of: Page = page): Promise<string[]> {
  // The page's policy forbids a script of others; the browser's debugger may run one.
  const session = await context.newCDPSession(of);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
  const { violations, passes } = await of.evaluate((options) =>
    (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options), { resultTypes: ['violations', 'passes'] } as RunOptions);
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
