/** What helps after a failure: the help page of a message, and a report without names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from '@mo/wasm';
import { describe, expect, it } from 'vitest';

import { errorPages } from '../../scripts/error-help.mjs';
import { caffeNetwork, caffeWeights } from '../js/caffe_writer.js';
import { writeOnnx, type Model } from '../js/onnx_writer.js';
import { root } from '../js/support.js';
import { T, textBytes, tfInput, tfNode } from '../js/tf_writer.js';
import { floats, liteModel } from '../js/tflite_writer.js';
import { choose, context, dropPaths, folderWith, openOptions, page, shown, usePage } from './support.js';

usePage();

const help = () => page.locator('#failed .help').first();

describe('the help page of a message', () => {
  it('opens where the message is, also without a network', async () => {
    await context.setOffline(true);
    await choose('unknown.onnx');
    await shown('failed');
    await help().locator('summary').click();
    await help().getByText('say with an extension what it is', { exact: false }).waitFor();
    expect(await help().textContent()).toContain('mo model.onnx --extensions my_extensions');
    expect(await page.locator('#failed-title').isVisible()).toBe(true);
  });

  it('opens with the keyboard', async () => {
    await choose('empty.onnx');
    await shown('failed');
    await help().locator('summary').focus();
    await page.keyboard.press('Enter');
    await help().getByText('The file that is given as the model has no bytes at all', { exact: false }).waitFor();
  });

  it('is there for warnings, too', async () => {
    await openOptions();
    await page.fill('[name=scale]', '0.5');
    await choose('conv.onnx');
    await shown('done');
    await page.locator('#done .help summary').click();
    await page.locator('#done .help').getByText('a number below 1', { exact: false }).waitFor();
  });

  it('exists for every message, and its links lead to documents', () => {
    const source = readFileSync(join(root, 'docs/errors.md'), 'utf8');
    const codes = [...source.matchAll(/^\| \[(MO\d{4})\]/gm)].map(([, code]) => code!);
    const pages = errorPages();
    expect(codes.length).toBeGreaterThan(100);
    expect(Object.keys(pages).sort()).toEqual(codes.sort());
    for (const { html } of Object.values(pages))
      for (const [, document] of html.matchAll(/href="\.\/docs\/([\w-]+)\.html/g)) readFileSync(join(root, `docs/${document}.md`));
  });
});

/** Names that nobody else has, so that each trace of one is found. */
const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', 'plughtensor'];

const relu = (model: Partial<Model>): Model => ({
  nodes: [{ op: 'Relu', name: '/wibblenode/relu', inputs: ['plughtensor'], outputs: ['fnordic y'] }],
  weights: [],
  inputs: [{ name: 'plughtensor', shape: [1, 8] }],
  outputs: [{ name: 'fnordic y', shape: [1, 8] }],
  ...model,
});

const failing: Record<string, { model: Model; keeps: string[]; fill?: Record<string, string>; files?: Record<string, string> }> = {
  'operations that are not supported': {
    model: relu({
      nodes: [
        { op: 'Frobnicate', domain: 'com.quuxcorp', name: '/wibblenode/one', inputs: ['plughtensor'], outputs: ['fnordic h'] },
        { op: 'Frobnicate', domain: 'com.quuxcorp', name: '/wibblenode/two', inputs: ['fnordic h'], outputs: ['fnordic y'] },
      ],
    }),
    keeps: ['MO2001', 'the operation is not supported', 'operation Frobnicate', 'node n1', 'node n2', 'model: model.onnx'],
  },
  'a cycle': {
    model: relu({
      nodes: [
        { op: 'Add', name: 'wibblenode a', inputs: ['plughtensor', 'fnordic y'], outputs: ['zorgblat'] },
        { op: 'Relu', name: 'quuxcorp.b', inputs: ['zorgblat'], outputs: ['fnordic y'] },
      ],
    }),
    keeps: ['MO3001', 'operation Add'],
  },
  'a tensor that is not there': {
    model: relu({ inputs: [{ name: 'zorgblat', shape: [1, 8] }] }),
    keeps: ['MO1013', 'operation Relu', 'tensor t1'],
  },
  'weights that are not there': {
    model: relu({
      nodes: [{ op: 'MatMul', name: '/wibblenode/fc', inputs: ['plughtensor', 'fnordic w'], outputs: ['fnordic y'] }],
      weights: [{ name: 'fnordic w', shape: [8, 8], file: 'zorgblat.bin', offset: 0, size: 256 }],
    }),
    keeps: ['MO1006', 'file1', 'tensor t1'],
  },
  'shapes that do not fit, and options': {
    model: relu({
      nodes: [{ op: 'MatMul', name: '/wibblenode/fc', inputs: ['plughtensor', 'fnordic w'], outputs: ['fnordic y'] }],
      weights: [{ name: 'fnordic w', shape: [8, 8], data: new Float32Array(64) }],
    }),
    fill: { input_shape: '[1,7]', model_name: 'zorgblat' },
    keeps: ['MO3002', '[1,7] times [8,8]: 7 columns meet 8 rows', 'input_shape: [1,7]', 'model_name: given', 'operation MatMul'],
  },
  'a name in an option': {
    model: relu({}),
    fill: { output: 'zorgblat' },
    keeps: ['MO6010', 'output: n'],
  },
  'an extension that quotes the model': {
    model: relu({}),
    files: {
      'zorgblat/front/quuxcorp.js':
        "import { Transformation } from '@mo/wasm/extension';\n"
        + 'export class Fnordic extends Transformation {\n'
        + "  findAndReplacePattern() { throw new Error('quuxcorp mode is \"zorgblat fnordic\", not wibblenode'); }\n}\n",
    },
    keeps: ['MO4004', 'an extension failed', 'extensions: 1'],
  },
};

describe('a report', () => {
  it.each(Object.entries(failing))('of %s has no names', async (_, { model, keeps, fill = {}, files = {} }) => {
    await openOptions();
    for (const [name, value] of Object.entries(fill)) await page.fill(`[name=${name}]`, value);
    const folder = folderWith({ 'zorgblat.onnx': writeOnnx(model), ...files });
    await dropPaths(join(folder, 'zorgblat.onnx'), ...Object.keys(files).map((path) => join(folder, path.split('/')[0]!)));
    await shown('failed');
    await page.getByRole('button', { name: 'Copy report' }).click();
    const report = page.locator('#report');
    await expect.poll(() => report.textContent()).toContain('messages:');
    const text = (await report.textContent())!;
    for (const part of keeps) expect(text).toContain(part);
    for (const secret of [...SECRETS, folder]) expect(text.toLowerCase()).not.toContain(secret);
  });

  it('says the same name in the same way', async () => {
    const { model } = failing['operations that are not supported']!;
    await dropPaths(join(folderWith({ 'zorgblat.onnx': writeOnnx(model) }), 'zorgblat.onnx'));
    await shown('failed');
    await page.getByText('What the report says').click();
    await expect.poll(() => page.locator('#report').textContent()).toContain('node n2');
    const text = (await page.locator('#report').textContent())!;
    expect(text.match(/node n\d+/g)).toEqual(['node n1', 'node n2']);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(text).toContain(`mo ${version}, on the page`);
    expect(text).toContain('HeadlessChrome');
  });

  it('comes with a skeleton of the model, whose names are its own', async () => {
    const { model } = failing['operations that are not supported']!;
    await dropPaths(join(folderWith({ 'zorgblat.onnx': writeOnnx(model) }), 'zorgblat.onnx'));
    await shown('failed');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
    expect(download.suggestedFilename()).toBe('skeleton.onnx');
    const skeleton = readFileSync(await download.path());
    for (const secret of SECRETS) expect(skeleton.includes(secret)).toBe(false);
    const { messages } = await inspect(new Uint8Array(skeleton));
    expect(messages.map(({ code, node }) => [code, node])).toEqual([['MO2001', 'n1'], ['MO2001', 'n2']]);
    await expect.poll(() => page.locator('#report').textContent()).toContain('node n2');
  });

  it('comes with a skeleton of a SavedModel, as a folder where values of variables are what failed', async () => {
    const secrets = ['weights', 'layer'];
    const folder = folderWith(Object.fromEntries(['saved_model.pb', 'variables/variables.index'].map((path) =>
      [`zorgblat/${path}`, readFileSync(join(root, 'tests/tf/recorded/saved/tf1_tags', path))])));
    await dropPaths(join(folder, 'zorgblat'));
    await shown('failed');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
    expect(download.suggestedFilename()).toBe('skeleton.zip');
    const zip = readFileSync(await download.path());
    for (const path of ['skeleton/saved_model.pb', 'skeleton/variables/variables.index']) expect(zip.includes(path)).toBe(true);
    expect(zip.includes('.data-')).toBe(false);
    for (const secret of [...SECRETS, ...secrets]) expect(zip.includes(secret), secret).toBe(false);
    const report = (await page.locator('#report').textContent())!;
    expect(report).toContain('MO1006');
    expect(report).toMatch(/node s\d+\/s\d+/);
    for (const secret of [...SECRETS, 'layer']) expect(report.includes(secret), secret).toBe(false);
  });

  it('comes with a skeleton of a graph of TensorFlow as text, whose names are its own', async () => {
    const model = tfInput('zorgblat/plughtensor', 2) + tfNode('zorgblat/wibblenode', 'Frobnicate', ['zorgblat/plughtensor'], T);
    await dropPaths(join(folderWith({ 'zorgblat.pbtxt': textBytes(model) }), 'zorgblat.pbtxt'));
    await shown('failed');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
    expect(download.suggestedFilename()).toBe('skeleton.pbtxt');
    const skeleton = readFileSync(await download.path(), 'utf8');
    for (const secret of SECRETS) expect(skeleton.includes(secret)).toBe(false);
    const node = /node (s\d+\/s\d+); operation Frobnicate/.exec((await page.locator('#report').textContent())!)?.[1];
    expect(skeleton).toMatch(new RegExp(`name: "${node}"\\s+op: "Frobnicate"`));
  });

  it.each([['weights'], ['a network']])('comes with a skeleton of a pair of Caffe, whose names are its own, with %s first', async (first) => {
    const text = caffeNetwork.replaceAll('"conv"', '"plug"').replaceAll('"prob"', '"wibblenode"').replace('"Softmax"', '"Frobnicate"')
      .replace('{ name: "relu"', '# quuxcorp\n  { name: "fnordic"');
    const weights = Buffer.from(caffeWeights);
    weights.write('plug', weights.indexOf('conv'));
    const folder = folderWith({ 'zorgblat.prototxt': text, 'zorgblat.caffemodel': weights });
    const paths = [join(folder, 'zorgblat.caffemodel'), join(folder, 'zorgblat.prototxt')];
    await dropPaths(...(first === 'weights' ? paths : paths.reverse()));
    await shown('failed');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
    expect(download.suggestedFilename()).toBe('skeleton.zip');
    const zip = readFileSync(await download.path());
    for (const path of ['skeleton/skeleton.prototxt', 'skeleton/skeleton.caffemodel']) expect(zip.includes(path)).toBe(true);
    expect(zip.length).toBeLessThan(2000);
    for (const secret of [...SECRETS, 'plug', 'data"']) expect(zip.includes(secret), secret).toBe(false);
    // None of the weights, whose first ones these are.
    for (const at of [0, 4, 8]) expect(zip.includes(weights.subarray(weights.length - 8 - at, weights.length - 4 - at))).toBe(false);
    const report = (await page.locator('#report').textContent())!;
    const node = /node (n\d+); operation Frobnicate/.exec(report)?.[1];
    expect(zip.toString('latin1')).toMatch(new RegExp(`name: "${node}"\\s+type: "Frobnicate"`));
    for (const secret of SECRETS) expect(report.includes(secret), secret).toBe(false);
  });

  it('comes with a skeleton of a model of TensorFlow Lite, whose names are its own', async () => {
    const names = ['plughtensor', 'zorgblat/kernel', 'wibblenode/scaled', 'fnordic'];
    const tensors = names.map((name, at) => ({ name, shape: [2, 3], ...(at === 1 && { data: floats(1.2345678, 2, 3, 4, 5, 6) }) }));
    const model = liteModel(tensors, [{ code: 32, custom: 'Frobnicate', inputs: [0], outputs: [2] }, { code: 0, inputs: [2, 1], outputs: [3] }], [0], [3]);
    await dropPaths(join(folderWith({ 'zorgblat.tflite': model }), 'zorgblat.tflite'));
    await shown('failed');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
    expect(download.suggestedFilename()).toBe('skeleton.tflite');
    const skeleton = readFileSync(await download.path());
    for (const secret of SECRETS) expect(skeleton.includes(secret)).toBe(false);
    expect(skeleton.includes(Buffer.from(floats(1.2345678)))).toBe(false);
    const node = /node (s\d+\/s\d+); operation Frobnicate/.exec((await page.locator('#report').textContent())!)?.[1];
    expect((await inspect(new Uint8Array(skeleton))).messages.map(({ code, op, node }) => [code, op, node])).toEqual([['MO2001', 'Frobnicate', node]]);
  });

  it('says where there can be no skeleton', async () => {
    await choose('truncated.onnx');
    await shown('failed');
    await page.getByRole('button', { name: 'Save skeleton' }).click();
    await expect.poll(() => page.locator('#report').textContent()).toMatch(/skeleton: none, MO100[45]/);
  });

  it.each([['garbage.onnx', 'MO1002'], ['empty.onnx', 'MO1001']])('of %s offers no skeleton, for there is no structure', async (name, code) => {
    await choose(name);
    await shown('failed');
    expect(await page.locator('#failed').innerText()).toContain(code);
    expect(await page.getByRole('button', { name: 'Copy report' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save skeleton' }).count()).toBe(0);
  });
});
