/** How much JavaScript the page needs before anything happens, and how large the page as one file is. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { init, parse } from 'es-module-lexer';

import { root } from '../js/support.js';

const LIMIT = 71 << 10;

/** A script and those that it imports, without those that are imported when they are used. */
function graph(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const { n: name, d: dynamic } of parse(readFileSync(path, 'utf8'))[0])
    if (dynamic === -1 && name !== undefined) graph(join(path, '..', name), known);
  return known;
}

it('the scripts of the page have at most 71 KB, compressed', async () => {
  await init;
  const web = join(root, 'build/web');
  const entries = Array.from(readFileSync(join(web, 'index.html'), 'utf8').matchAll(/<script type="module"[^>]* src="(.+?)"/g), ([, url]) => join(web, url!));
  expect(entries).toHaveLength(1);
  const sizes = [...graph(entries[0]!)].map((path) => gzipSync(readFileSync(path)).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(10 << 10);
  expect(total).toBeLessThanOrEqual(LIMIT);
});

it('the page as one file has at most 3 MB', () => {
  const { size } = statSync(join(root, 'build/mo.html'));
  expect(size).toBeGreaterThan(1_000_000);
  expect(size).toBeLessThanOrEqual(3_000_000);
});
