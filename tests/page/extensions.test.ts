/** Extensions on the page: what they may do, and what they may not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { everyFolder, everyFolderTookPart, fooNet, wrongNodes } from '../js/extension_support.js';
import { writeOnnx } from '../js/onnx_writer.js';
import { model, page, saved, shown, usePage, complaints } from './support.js';

usePage();

/** Drops a model with files that only this test has; folders as a file manager gives them. */
async function bring(modelName: string | undefined, files: Record<string, string>): Promise<void> {
  const content = modelName && readFileSync(model(modelName)).toString('base64');
  await page.evaluate(({ modelName, content, files }) => {
    const transfer = new DataTransfer();
    const add = (path: string, bytes: BlobPart) => {
      const file = new File([bytes], path.split('/').at(-1)!);
      Object.defineProperty(file, 'webkitRelativePath', { value: path });
      transfer.items.add(file);
    };
    if (modelName) add(modelName, Uint8Array.from(atob(content!), (letter) => letter.charCodeAt(0)));
    for (const [path, text] of Object.entries(files)) add(path, text);
    const list = transfer.files;
    const input = document.getElementById('folder') as HTMLInputElement;
    Object.defineProperty(input, 'files', { value: Array.from(list, (file, index) => {
      const path = [...(modelName ? [modelName] : []), ...Object.keys(files)][index]!;
      Object.defineProperty(file, 'webkitRelativePath', { value: path });
      return file;
    }), configurable: true });
    input.dispatchEvent(new Event('change'));
  }, { modelName, content, files });
}

const replaceRelu = `
import { FrontReplacementOp, ops } from '@mo/wasm/extension';
export default class TanhForReLU extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) {
    return ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]);
  }
}
`;

/** A transformation that tries one thing, and says whether it could. */
const tries = (code: string) => `
import { FrontReplacementPattern } from '@mo/wasm/extension';
const result = await (async () => { ${code} })();
export default class Tries extends FrontReplacementPattern {
  findAndReplacePattern() { throw new Error('it worked: ' + result); }
}
`;

describe('extensions', () => {
  it('X-01 X-04 of a dropped folder take part', async () => {
    await bring('conv.onnx', { 'my_ext/front/onnx/tanh.js': replaceRelu });
    await shown('done');
    expect(await page.locator('#done .operations').first().textContent()).toContain('Tanh');
    expect(await page.locator('#extensions').textContent()).toContain('my_ext/front/onnx/tanh.js');
    expect(await page.locator('#command').innerText()).toContain('--extensions my_ext');
    const { xml } = await saved();
    expect(xml).toContain('type="Tanh"');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.click('#again');
    await expect.poll(() => page.locator('#done .operations').first().textContent()).toContain('ReLU');
  });

  it.each(wrongNodes)('a wrong node of %s is said to be that of its class and file', async (_what, files, className, file, finding) => {
    writeFileSync(model('foo.onnx'), writeOnnx(fooNet));
    await bring('foo.onnx', Object.fromEntries(Object.entries(files).map(([path, text]) => [`my_ext/${path}`, text])));
    await shown('failed');
    const said = (await page.locator('#failed-messages').innerText()).replaceAll(/\s+/g, ' ');
    for (const part of ['MO5009', finding, `the class ${className} of an extension has made the node`, `my_ext/${file}`, 'correct the extension']) expect(said.toLowerCase()).toContain(part.toLowerCase());
    expect(await page.locator('#failed-messages > li').count()).toBe(1);
  });

  it('X-02 X-04 of each folder of a root take part', async () => {
    writeFileSync(model('foo.onnx'), writeOnnx(fooNet));
    await bring('foo.onnx', Object.fromEntries(Object.entries(everyFolder).map(([path, text]) => [`my_ext/${path}`, text])));
    await shown('done');
    expect((await saved()).xml).toMatch(everyFolderTookPart);
  });

  it('may be TypeScript, whose lines messages have', async () => {
    const typed = `import { FrontReplacementOp, ops, type Graph, type Node } from '@mo/wasm/extension';
import type { Named } from './types.js';
enum Kind { Tanh = 'Tanh' }
export default class TanhForReLU extends FrontReplacementOp {
  static override op: string = 'ReLU';
  override replaceOp(graph: Graph, node: Node & Named) {
    return ops.create(graph, Kind.Tanh, { name: node.name + '/tanh' }, [node.inPort(0).getSource()!]);
  }
}
`;
    const types = 'export interface Named { name: string }';
    await bring('conv.onnx', { 'my_ext/front/onnx/tanh.ts': typed, 'my_ext/front/onnx/types.ts': types, 'my_ext/front/onnx/more.d.ts': types });
    await shown('done');
    expect(await page.locator('#done .operations').first().textContent()).toContain('Tanh');
    expect(await page.locator('#extensions').textContent()).toContain('my_ext/front/onnx/tanh.ts');
    await page.getByRole('button', { name: 'Remove' }).click();
    await bring('conv.onnx', { 'my_ext/front/onnx/tanh.ts': typed.replace('return ops', "throw new Error('here'); return ops") });
    await shown('failed');
    expect(await page.locator('#failed-messages').textContent()).toContain('my_ext/front/onnx/tanh.ts:7');
    await bring('conv.onnx', { 'my_ext/front/onnx/tanh.ts': 'let a: = 3;' });
    await page.locator('#failed-messages', { hasText: 'my_ext/front/onnx/tanh.ts:1: Unexpected token' }).waitFor();
  });

  it('of two folders of one name all take part', async () => {
    const more = replaceRelu.replace('TanhForReLU', 'SigmoidForTanh').replace("'ReLU'", "'Tanh'; static runAfter = ['TanhForReLU']").replace("'Tanh', {", "'Sigmoid', {");
    await bring('conv.onnx', { 'a/ext/front/x.js': replaceRelu, 'b/ext/front/x.js': more });
    await shown('done');
    expect(await page.locator('#extensions code').allTextContents()).toEqual(['ext/front/x.js', 'ext/front/x.js']);
    expect(await page.locator('#done .operations').first().textContent()).toContain('Sigmoid');
  });

  it('show their own mistakes with file and line', async () => {
    await bring('conv.onnx', { 'my_ext/middle/bad.js': `import { MiddleReplacementPattern } from '@mo/wasm/extension';
export default class Bad extends MiddleReplacementPattern {
  findAndReplacePattern(graph) {
    undefinedName(graph);
  }
}` });
    await shown('failed');
    const text = await page.locator('#failed').textContent();
    for (const part of ['MO4004', 'my_ext/middle/bad.js:4', 'Bad', 'undefinedName']) expect(text).toContain(part);
  });

  it('name the class that is in a wrong folder', async () => {
    await bring('conv.onnx', { 'my_ext/middle/bad.js': `import { FrontReplacementPattern } from '@mo/wasm/extension';
export class A extends FrontReplacementPattern {}` });
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('class A extends FrontReplacementPattern, which does not belong into middle/');
  });

  it('in an endless loop end with Cancel', async () => {
    await bring('conv.onnx', { 'my_ext/front/loop.js': `import { FrontReplacementPattern } from '@mo/wasm/extension';
export default class Loop extends FrontReplacementPattern { findAndReplacePattern() { for (;;); } }` });
    await shown('working');
    await expect.poll(() => page.locator('#phase').textContent()).toBe('Front');
    await page.keyboard.press('Escape');
    await shown('empty');
    await page.getByRole('button', { name: 'Remove' }).click();
    await bring('conv.onnx', {});
    await shown('done');
  });

  /** An extension that changes what the converter answers before it leaves the worker. */
  const forges = (code: string) => `
const send = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (answer, ...more) { if (answer.kind === 'done') { const { result } = answer; ${code} } send.call(this, answer, ...more); };
`;
  const image = '<img src=x onerror=alert(1)>';

  it.each([
    ['a number that is a text', `result.report.operations.ReLU = '${image}'`, 'done.result.report.operations.*'],
    ['a negative number', 'result.report.constants = -1', 'done.result.report.constants'],
    ['an object for a text', "result.report.inputs[0].shape = { toString: 'x' }", 'done.result.report.inputs[0].shape'],
    ['a list for an object', 'result.report = []', 'done.result.report'],
    ['a text for the bytes', "result.bin = 'x'", 'done.result.bin'],
    ['a file of another kind', "result.sideFiles[0].kind = 'page'", 'done.result.sideFiles[0].kind'],
    ['a message of another kind', "result.warnings = [{ severity: 'fatal' }]", 'done.result.warnings[0].severity'],
    ['another answer', "answer.kind = 'places'", 'kind'],
  ])('cannot give the page %s', async (_what, code, place) => {
    await bring('conv.onnx', { 'my_ext/front/forges.js': forges(code) });
    await shown('failed');
    const text = await page.locator('#failed').textContent();
    expect(text).toContain('MO4004');
    expect(text).toContain(`it has changed what the converter answers: ${place}`);
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  it.each([
    ['an id that is a text', `{ added: [{ id: '${image}' }] }`, 'text.steps[0].added[0].id'],
    ['nodes without end', "{ decomposed: [{ transform: 'a', node: 1, added: [0, 1e15] }] }", 'text.steps[0].decomposed[0].added'],
    ['no JSON', undefined, 'text'],
  ])('cannot give the report a trace with %s', async (_what, step, place) => {
    const trace = step === undefined ? "'{'" : `JSON.stringify({ steps: [Object.assign({ phase: 'front' }, ${step})] })`;
    await bring('conv.onnx', { 'my_ext/front/forges.js': forges(`for (const file of result.sideFiles) if (file.kind === 'trace') file.text = ${trace};`) });
    await shown('done');
    await page.getByRole('button', { name: 'Show report' }).click();
    await expect.poll(() => page.locator('.proof-status').textContent()).toContain(`it has changed what the converter answers: done.result.sideFiles[0].${place}`);
  });

  it('give names, which the page shows as texts', async () => {
    await bring('conv.onnx', { 'my_ext/front/forges.js': forges(`result.report.name = result.report.inputs[0].name = '${image}'; result.report.operations['${image}'] = 1`) });
    await shown('done');
    await page.getByRole('button', { name: 'Show report' }).click();
    await page.locator('.report-body code', { hasText: image }).first().waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  const own = 'http://127.0.0.1/';
  it.each([
    ['fetch', `return (await fetch('https://example.com/')).status`],
    ['fetch of the page itself', `return (await fetch('${own}')).status`],
    ['XMLHttpRequest', `const x = new XMLHttpRequest(); x.open('GET', '${own}', false); x.send(); return x.status`],
    ['WebSocket', `const s = new WebSocket('ws://127.0.0.1:9'); return s.readyState`],
    ['EventSource', `return new EventSource('${own}').readyState`],
    ['WebTransport', `await new WebTransport('https://127.0.0.1:9').ready; return 1`],
    ['importScripts', `return importScripts('${own}x.js')`],
    ['import of https', `return await import('https://example.com/x.js')`],
    ['indexedDB', `await new Promise((y, n) => { const r = indexedDB.open('x'); r.onsuccess = y; r.onerror = n; }); return 1`],
    ['caches', `return await caches.open('x')`],
    ['localStorage', `localStorage.setItem('a', '1'); return 1`],
    ['storage', `return await navigator.storage.getDirectory()`],
    ['BroadcastChannel', `new BroadcastChannel('x').postMessage(1); return 1`],
    ['Worker', `new Worker(URL.createObjectURL(new Blob(['1']))); return 1`],
  ])('cannot reach anything with %s, and get an error', async (_what, code) => {
    await bring('conv.onnx', { 'my_ext/front/tries.js': tries(code) });
    await shown('failed');
    const text = await page.locator('#failed').textContent();
    expect(text).toContain('MO4004');
    expect(text).toContain('my_ext/front/tries.js');
    expect(text).toMatch(/not there for extensions|Failed to fetch|SecurityError|reading 'getDirectory'|cannot be imported/);
    expect(text).not.toContain('it worked');
    complaints.splice(0, complaints.length, ...complaints.filter((line) => !/Content Security Policy|Refused to/.test(line)));
  });
});
