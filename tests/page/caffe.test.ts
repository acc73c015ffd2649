/** A network of Caffe and its weights, on the page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { caffeNetwork, caffeWeights, fiveExtensions, fiveLayers, fiveMapping } from '../js/caffe_writer.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

const folder = folderWith({ 'deploy.prototxt': caffeNetwork, 'net.caffemodel': caffeWeights, 'solver.prototxt': 'net: "train_val.prototxt"\nbase_lr: 0.01\n' });
const [network, weights, solver] = ['deploy.prototxt', 'net.caffemodel', 'solver.prototxt'].map((name) => join(folder, name)) as [string, string, string];
const wanted = () => nativeFiles(weights, ['--input_proto', network], 'net');
const card = async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ');

it.each([
  ['the network first', [network, weights]],
  ['the weights first', [weights, network]],
  ['a solver among them', [solver, network, weights]],
])('both files are one model, %s', async (_, files) => {
  await dropPaths(...files);
  await shown('done');
  await expect.poll(card).toContain('Format Caffe');
  await expect.poll(card).toContain('All operations are supported.');
  expect(await taken()).toMatchObject({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['deploy.prototxt'] });
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(wanted());
  expect(names).toEqual(['net.xml', 'net.bin']);
});

it.each([
  ['weights', weights, network],
  ['a network', network, weights],
])('%s alone say what is missing, and what comes later completes the model', async (_, first, second) => {
  await dropPaths(first);
  await shown('failed');
  await dropPaths(second);
  await shown('done');
  expect(await taken()).toMatchObject({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['deploy.prototxt'] });
  expect((await saved()).bin).toBe(wanted().bin);
});

it('an archive of both is converted', async () => {
  const archive = zip([{ path: 'net/deploy.prototxt', content: caffeNetwork }, { path: 'net/net.caffemodel', content: Buffer.from(caffeWeights) }]);
  await dropPaths(join(folderWith({ 'net.zip': archive }), 'net.zip'));
  await shown('done');
  expect((await saved()).bin).toBe(wanted().bin);
});

it('of many warnings of one code some are shown, and how many more there are', async () => {
  const fields = Array.from({ length: 37 }, (_, at) => `own_${at}: ${at}`).join(' ');
  const text = caffeNetwork.replace('type: "ReLU" bottom: "conv" top: "conv"', `$& relu_param { ${fields} }`);
  await dropPaths(join(folderWith({ 'net.prototxt': text, 'net.caffemodel': caffeWeights }), 'net.prototxt'), weights);
  await shown('done');
  const list = page.locator('#done ol.messages').first();
  await list.waitFor({ state: 'attached' });
  const more = list.locator('details.more').filter({ hasText: 'and 32 more of MO1035' });
  expect(await list.locator('> li').count()).toBe(6);
  expect(await more.locator('summary').first().innerText()).toBe('and 32 more of MO1035');
  await more.locator('summary').first().click();
  expect(await more.locator('ol > li').last().isVisible()).toBe(true);
  expect(await more.locator('ol.messages > li').count()).toBe(32);
});

it('a solver alone is called by its name', async () => {
  await dropPaths(solver);
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('a solver says how to train, and has no layers');
});

it('K-04 K-15 A-40 the sample of five layers is converted with its mapping and its extensions', async () => {
  const extensions = Object.fromEntries(Object.entries(fiveExtensions).map(([path, text]) => [`ext/${path}`, text]));
  const five = folderWith({ 'five.prototxt': fiveLayers, 'CustomLayersMapping.xml': fiveMapping, ...extensions });
  const model = join(five, 'five.prototxt');
  await dropPaths(model, join(five, 'CustomLayersMapping.xml'), join(five, 'ext'));
  await shown('done');
  expect(await taken()).toMatchObject({ Model: ['five.prototxt'] });
  const { xml } = await saved();
  expect(xml).toContain('type="Mapped"');
  expect(xml).toBe(nativeFiles(model, ['-k', join(five, 'CustomLayersMapping.xml'), '--extensions', join(five, 'ext')], 'five').xml);
});

it('K-10 a mapping without shapes is refused with what to do', async () => {
  const five = folderWith({ 'five.prototxt': fiveLayers.replaceAll(/Own\d/g, 'ReLU'), 'CustomLayersMapping.xml': fiveMapping });
  await dropPaths(join(five, 'five.prototxt'), join(five, 'CustomLayersMapping.xml'));
  await shown('failed');
  const text = await page.locator('#failed').innerText();
  for (const part of ['layer3 (Mapped)', 'Write extensions for the layers']) expect(text).toContain(part);
});

/** A mean image of 10 by 10, of which the input of 8 by 8 is the middle. */
const mean = Buffer.concat([Buffer.from([8, 1, 16, 3, 24, 10, 32, 10, 42, 0xb0, 0x09]), Buffer.from(Float32Array.from({ length: 300 }, (_, index) => index).buffer)]);

const paste = async (line: string) => {
  await page.fill('#line', line);
  await page.locator('#line').dispatchEvent('paste');
  await page.locator('#line-notes .understood').waitFor();
};

it('a file that a pasted line names is taken when it comes, and asked for until then', async () => {
  const files = folderWith({ 'mine.prototxt': caffeNetwork, 'other.prototxt': caffeNetwork.replace('name: "conv"', 'name: "other"'), 'net.caffemodel': caffeWeights, 'mean.binaryproto': mean });
  const at = (name: string) => join(files, name);
  await paste('python3 mo_caffe.py -m models/net.caffemodel -d models/mine.prototxt --mean_file "C:\\data\\mean.binaryproto"');
  await dropPaths(at('net.caffemodel'), at('mine.prototxt'), at('other.prototxt'));
  await shown('failed');
  const text = await page.locator('#failed').innerText();
  expect(text).toContain('MO1024');
  expect(text).toContain('mean.binaryproto is not among the files');
  await dropPaths(at('mean.binaryproto'));
  await shown('done');
  const { xml, bin } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(at('net.caffemodel'), ['--input_proto', at('mine.prototxt'), '--mean_file', at('mean.binaryproto')], 'net'));
  expect(await taken()).toMatchObject({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['mine.prototxt', 'mean.binaryproto'] });
  expect(await page.locator('#done').innerText()).toContain('--mean_file');
});

it('a mapping of another name is that of the pasted line', async () => {
  const extensions = Object.fromEntries(Object.entries(fiveExtensions).map(([path, text]) => [`ext/${path}`, text]));
  const five = folderWith({ 'five.prototxt': fiveLayers, 'map.xml': fiveMapping, ...extensions });
  await paste('mo five.prototxt -k maps/map.xml');
  await dropPaths(join(five, 'five.prototxt'), join(five, 'map.xml'), join(five, 'ext'));
  await shown('done');
  expect((await saved()).xml).toContain('type="Mapped"');
});

it('the card knows the stages that the form gives', async () => {
  const staged = caffeNetwork.replace('type: "ReLU" bottom: "conv" top: "conv"', '$& include { stage: "plain" } }\nlayer { name: "odd" type: "Mystery" bottom: "conv" top: "conv" include { stage: "odd" }');
  await dropPaths(join(folderWith({ 'net.prototxt': staged, 'net.caffemodel': caffeWeights }), 'net.prototxt'), weights);
  await shown('done');
  await expect.poll(card).toContain('All operations are supported.');
  await page.locator('[name=caffe_stages]').evaluate((field: HTMLInputElement) => {
    field.value = 'odd';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(card).toContain('Mystery');
});

it('weights alone lack their network, and nothing else', async () => {
  await dropPaths(weights);
  await shown('failed');
  expect(await page.locator('#failed .missing').count()).toBe(1);
});

it('messages have the line and the column, and in Chinese the field is one of its layer', async () => {
  const text = caffeNetwork.replace('type: "ReLU" bottom: "conv" top: "conv"', '$& relu_param { fast: true }');
  await dropPaths(join(folderWith({ 'net.prototxt': text, 'net.caffemodel': caffeWeights }), 'net.prototxt'), weights);
  await shown('done');
  const warning = page.locator('#done ol.messages > li').first();
  await expect.poll(() => warning.innerText()).toContain('net.prototxt, line 4, column 7');
  await page.selectOption('#language', 'zh-Hans');
  await expect.poll(() => warning.innerText()).toContain('relu 的 relu_param.fast');
  expect(await warning.innerText()).toContain('net.prototxt，第 4 行第 7 列');
});

it('the network of weights that wait belongs to them already', async () => {
  await page.locator('#look').evaluate((box: HTMLInputElement) => box.click());
  await dropPaths(weights, network);
  await shown('ready');
  await expect.poll(taken).toEqual({ Model: ['net.caffemodel'], 'Data of net.caffemodel': ['deploy.prototxt'] });
});
