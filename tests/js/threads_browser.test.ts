/** Where conversions run on a page: in workers, in the page's own thread, or in a worker of the page that calls. */
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import type * as MoWasm from '../../dist/library/browser/browser.js';
import { expected, TestBrowser } from './bundler_support.js';
import { convNet } from './models.js';
import { hash, root, temporaryFolder } from './support.js';

const user = new TestBrowser();

/** What the page and its worker do: the same, for there are readers in both. */
const WORK = `
import * as mo from './dist/library/browser/browser.js';
export { mo };
export async function made(model, options, controls) {
  const { xml, bin } = await mo.convert(model, { model_name: 'same', ...options }, controls);
  return { xml, bin: [...new Uint8Array(await bin.arrayBuffer())] };
}
export async function failed(model, options, controls) {
  const error = await mo.convert(model, options, controls).then(() => undefined, (reason) => reason);
  return error instanceof mo.MoError ? [error.code, error.message, error.cause?.message] : ['not ours', String(error)];
}
export function forms(bytes) {
  return [
    [bytes], [bytes, { worker: false }], [new Blob([bytes]), { worker: false }], [new Blob([bytes]).stream()],
    [(async function* () { yield bytes.subarray(0, 100); yield bytes.subarray(100); })()],
    [{ name: 'conv.onnx', size: bytes.length, read: (offset, target) => target.set(bytes.subarray(offset, offset + target.length)) }],
    [{ main: { path: 'a/m.onnx', file: new Blob([bytes]) }, files: [] }, { worker: false }],
  ];
}
`;
const WORKER = `
import { failed, forms, made } from './work.js';
onmessage = async ({ data: bytes }) => {
  const all = [];
  for (const [model, options] of forms(bytes)) all.push(await made(model, options));
  postMessage({ all, refused: await failed(bytes, { extensions: { 'front/onnx/x.js': '' } }) });
};
`;

async function openPage(): Promise<void> {
  const folder = temporaryFolder();
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  copyFileSync(join(root, 'dist/library/shared/core.wasm'), join(folder, 'elsewhere.wasm'));
  writeFileSync(join(folder, 'work.js'), WORK);
  writeFileSync(join(folder, 'worker.js'), WORKER);
  writeFileSync(join(folder, 'index.html'), `<!doctype html><link rel="icon" href="data:," /><body>
    <script type="module">import * as work from './work.js'; globalThis.mo = work.mo; globalThis.work = work;</script>`);
  await user.open(folder);
}

interface Work {
  made(model: unknown, options?: object, controls?: object): Promise<{ xml: string; bin: number[] }>;
  failed(model: unknown, options?: object, controls?: object): Promise<string[]>;
  forms(bytes: Uint8Array): [unknown, object?][];
}
declare global {
  interface Window { work: Work }
}

function same(made: readonly { xml: string; bin: number[] }[], number: number): void {
  expect(made).toHaveLength(number);
  for (const { xml, bin } of made) expect({ xml, bin: hash(Uint8Array.from(bin)) }).toEqual(expected);
}

it('a page and its workers convert every form of a model, with and without workers', async () => {
  await openPage();
  const bytes = [...convNet];
  same(await user.page.evaluate(async (bytes) => {
    const all = [];
    for (const [model, options] of window.work.forms(Uint8Array.from(bytes))) all.push(await window.work.made(model, options));
    return all;
  }, bytes), 7);
  const { all, refused } = await user.page.evaluate((bytes) => new Promise<{ all: Awaited<ReturnType<Work['made']>>[]; refused: string[] }>((resolve, reject) => {
    const worker = new Worker('./worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data as never);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(Uint8Array.from(bytes));
  }), bytes);
  same(all, 7);
  expect(refused).toEqual(['MO7006', expect.stringContaining('convert on the page'), undefined]);
});

it('nothing but errors of the package comes out, and the reason of a signal', async () => {
  await openPage();
  const seen = await user.page.evaluate(async (given) => {
    const bytes = Uint8Array.from(given);
    const { failed } = window.work;
    const throws = { onProgress: () => { throw new Error('of the caller'); } };
    const silent = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const reasons = [];
    for (const worker of [true, false]) {
      const control = new AbortController();
      const stop = { signal: control.signal, onProgress: () => control.abort('stopped') };
      reasons.push(await (window.mo as typeof MoWasm).convert(bytes, { worker }, stop).catch((error: unknown) => error));
    }
    reasons.push(await window.mo.convert(silent, {}, { signal: AbortSignal.timeout(20) }).catch((error: DOMException) => error.name));
    const codes = [
      await failed('model.onnx'), await failed(new URL('https://example.org/m.onnx')), await failed(42), await failed({}),
      await failed(bytes, {}, throws), await failed(bytes, { worker: false }, throws), await failed(bytes, { worker: false, extensions: { 'front/onnx/x.js': '' } }),
      await failed(new ReadableStream({ start: (controller) => controller.error(new Error('cut off')) })),
      await failed(bytes, { workerUrl: 'https://[' }),
    ];
    return { reasons, codes: codes.map(([code]) => code), causes: codes.map(([, , cause]) => cause) };
  }, [...convNet]);
  expect(seen.reasons).toEqual(['stopped', 'stopped', 'TimeoutError']);
  expect(seen.codes).toEqual(['MO6007', 'MO6007', 'MO6007', 'MO6007', 'MO7004', 'MO7004', 'MO6002', 'MO7001', 'MO7005']);
  expect(seen.causes[4]).toBe('of the caller');
});

it.each(['wasmUrl', 'wasmModule', 'wasmBinary'])('the core comes from where %s says', async (place) => {
  await openPage();
  const asked: string[] = [];
  user.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  same(await user.page.evaluate(async ({ place, model }) => {
    const bytes = place === 'wasmUrl' ? undefined : await (await fetch('./elsewhere.wasm')).arrayBuffer();
    const value = place === 'wasmUrl' ? './elsewhere.wasm' : place === 'wasmBinary' ? new Uint8Array(bytes!) : WebAssembly.compile(bytes!);
    return [await window.work.made(Uint8Array.from(model), { [place]: value })];
  }, { place, model: [...convNet] }), 1);
  expect(asked.filter((path) => path.endsWith('.wasm'))).toEqual(['/elsewhere.wasm']);
});
