/** Too little memory on a page: MO7003, the worker is thrown away, and the next conversion works. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import type * as MoWasm from '../../dist/library/browser/browser.js';
import { expected, TestBrowser } from './bundler_support.js';
import { draws, failingCore, PATCH } from './failing_core.js';
import { convNet } from './models.js';
import { hash, root, temporaryFolder } from './support.js';

const user = new TestBrowser();

/** The worker of the library; the name of the model says which allocation fails. */
const WORKER = `
import { next } from './patch.js';
addEventListener('message', ({ data }) => {
  const [, at] = /^fail(\\d+)$/.exec(data.options?.find(([name]) => name === 'model_name')?.[1] ?? '') ?? [];
  if (next.counter) next.counter.value = Number(at ?? 0);
});
await import('./dist/library/browser/browser-worker.js');
`;

interface Seen { code: string; xml: string; bin: number[] }

it.each([true, false])('an allocation that fails, at 25 of them, with worker: %s', async (worker) => {
  const folder = temporaryFolder();
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'failing.wasm'), failingCore());
  writeFileSync(join(folder, 'patch.js'), PATCH);
  writeFileSync(join(folder, 'worker.js'), WORKER);
  writeFileSync(join(folder, 'index.html'), `<!doctype html><link rel="icon" href="data:," /><body>
    <script type="module">import { next } from './patch.js'; import * as mo from './dist/library/browser/browser.js'; globalThis.next = next; globalThis.mo = mo;</script>`);
  await user.open(folder);
  const draw = draws(worker ? 4 : 5);
  const places = Array.from({ length: 25 }, () => 1 + Math.floor(draw.next().value * 2500));
  const seen = await user.page.evaluate(async ({ places, model, worker }) => {
    const { mo, next } = window as unknown as { mo: typeof MoWasm; next: { counter?: { value: number } } };
    const all: Seen[] = [];
    const convert = (name: string) => mo.convert(Uint8Array.from(model), { worker, model_name: name, wasmUrl: './failing.wasm', workerUrl: './worker.js' });
    await convert('same');
    for (const at of places) {
      if (!worker && next.counter) next.counter.value = at;
      const code = await convert(`fail${at}`).then(() => '', (error: MoWasm.MoError) => error.code ?? String(error));
      if (!worker && next.counter) next.counter.value = 0;
      const { xml, bin } = await convert('same');
      all.push({ code, xml, bin: [...new Uint8Array(await bin.arrayBuffer())] });
    }
    return all;
  }, { places, model: [...convNet], worker });
  for (const [index, { xml, bin }] of seen.entries()) expect({ xml, bin: hash(Uint8Array.from(bin)) }, `after allocation ${places[index]}`).toEqual(expected);
  const codes = seen.map(({ code }) => code);
  for (const code of codes) expect(['', 'MO7003']).toContain(code);
  expect(codes.filter((code) => code === 'MO7003').length).toBeGreaterThan(15);
}, 120_000);
