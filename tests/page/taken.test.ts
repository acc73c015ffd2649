/** As what the page takes files that are given together: models, their data, extensions, a configuration, or nothing. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { typesIn } from '../js/extension_support.js';
import { externalData, externalNet } from '../js/models.js';
import { writeOnnx } from '../js/onnx_writer.js';
import { root, runNative } from '../js/support.js';
import { choose, drop, dropPaths, folderWith, model, openOptions, page, saved, shown, taken, usePage } from './support.js';

usePage();

/** Files that an export of a language model leaves beside `model.onnx`. */
const besides = {
  'config.json': '{ "architectures": ["BertModel"], "hidden_size": 768 }',
  'tokenizer.json': '{ "version": "1.0", "added_tokens": [] }',
  'special_tokens_map.json': '{ "cls_token": "[CLS]" }',
  'added_tokens.json': '[]',
  'names.json': '[{ "id": 1 }, { "id": 2 }]',
  'broken.json': '[{ "match_kind": ',
  'vocab.txt': '[PAD]\n[UNK]\n',
};
const json = Object.keys(besides).filter((name) => name.endsWith('.json'));
const inFolder = (folder: string, names: string[]) => names.map((name) => `${basename(folder)}/${name}`).sort();

const config = (match_kind: string) => JSON.stringify([{ id: 'Nothing', match_kind, custom_attributes: {} }]);
const configField = () => page.locator('[name=transformations_config]');

describe('files', () => {
  it('of an exported folder: the model is converted, and JSON that is no configuration is ignored', async () => {
    const folder = folderWith({ 'model.onnx': readFileSync(model('conv.onnx')), ...besides });
    await dropPaths(folder);
    await shown('done');
    expect(await taken()).toEqual({
      Model: inFolder(folder, ['model.onnx']),
      'Ignored: JSON, but no transformations configuration': inFolder(folder, json),
      'Ignored: not named in the model': inFolder(folder, ['vocab.txt']),
    });
    expect(await configField().inputValue()).toBe('');
    await drop('conv.onnx');
    await expect.poll(() => page.locator('#done-title').textContent()).toBe('conv.onnx');
    expect(await page.locator('#taken').isVisible()).toBe(false);
  });

  it('that the model is read from are its data', async () => {
    const folder = folderWith({ 'model.onnx': externalNet, 'weights.bin': externalData, 'more.bin': 'x', 'other.gguf': 'GGUF\x03\0\0\0' });
    await page.setInputFiles('#folder', folder);
    await shown('done');
    expect(await taken()).toEqual({
      Model: inFolder(folder, ['model.onnx']),
      'Data of model.onnx': inFolder(folder, ['weights.bin']),
      'Not a model that is read here: GGUF model of llama.cpp': inFolder(folder, ['other.gguf']),
      'Ignored: not named in the model': inFolder(folder, ['more.bin']),
    });
  });

  it('of a SavedModel are one model, named after its folder, and its outputs are those of the signature', async () => {
    const recorded = join(root, 'tests/tf/recorded/saved/tf2_module');
    const files = Object.fromEntries(['saved_model.pb', 'variables/variables.index', 'variables/variables.data-00000-of-00001'].map((name) => [`scores/${name}`, readFileSync(join(recorded, name))]));
    const folder = `${folderWith({ ...files, 'scores/fingerprint.pb': '\x08\x01', 'scores/keras_metadata.pb': '\x12\x00', 'scores/assets/words.txt': 'a' })}/scores`;
    await dropPaths(folder);
    await shown('done');
    expect(await page.locator('#done-title').textContent()).toBe('scores');
    expect(await taken()).toEqual({
      'Part of a model that is a folder': ['scores/assets/words.txt', 'scores/fingerprint.pb', 'scores/keras_metadata.pb'],
      'Data of scores': ['scores/saved_model.pb', 'scores/variables/variables.data-00000-of-00001', 'scores/variables/variables.index'],
    });
    const ports = await page.locator('#done table').nth(1).locator('tbody tr').allTextContents();
    expect(ports.map((text) => /^(first|second)/.exec(text)?.[0])).toEqual(['first', 'second']);
    expect((await saved()).names).toEqual(['scores.xml', 'scores.bin']);
  });

  it('of a SavedModel that come without their folder are one model, too', async () => {
    const recorded = join(root, 'tests/tf/recorded/saved/tf2_module');
    const names = ['saved_model.pb', 'variables/variables.index', 'variables/variables.data-00000-of-00001'];
    const other = folderWith({ 'fingerprint.pb': '\x08\x01' });
    await page.setInputFiles('#files', [...names.map((name) => join(recorded, name)), join(other, 'fingerprint.pb')]);
    await shown('done');
    expect((await saved()).names).toEqual(['saved_model.xml', 'saved_model.bin']);
  });

  it('of Keras are answered with the line that exports a SavedModel', async () => {
    await page.setInputFiles('#files', join(folderWith({ 'net.h5': Buffer.from('\x89HDF\r\n\x1a\n', 'latin1') }), 'net.h5'));
    await shown('failed');
    const text = await page.locator('#failed').textContent();
    expect(text).toContain('MO1028');
    expect(text).toContain("tf_keras.models.load_model('net.h5').save('folder')");
  });

  it('that come later join those that are there', async () => {
    await choose('external.onnx');
    await shown('failed');
    await drop('weights.bin');
    await shown('done');
    expect(await taken()).toEqual({ Model: ['external.onnx'], 'Data of external.onnx': ['weights.bin'] });
  });

  it('of extensions need no model, whatever else lies in their folder', async () => {
    const folder = folderWith({ 'my_ext/front/nothing.js': 'export {};', 'my_ext/package.json': '{}', 'my_ext/README.md': '# Mine' });
    await dropPaths(`${folder}/my_ext`);
    await expect.poll(taken).toEqual({
      Extensions: ['my_ext/front/nothing.js'],
      'Not needed so far': ['my_ext/README.md'],
      'Ignored: JSON, but no transformations configuration': ['my_ext/package.json'],
    });
    expect(await page.locator('#failed').isVisible()).toBe(false);
  });

  it('J-01 that are a list whose entries have a match_kind are a configuration, and only one is taken', async () => {
    const files = { 'model.onnx': readFileSync(model('conv.onnx')), 'a.json': config('general'), 'b.json': config('general'), 'config.json': '{}' };
    await page.setInputFiles('#folder', folderWith(files));
    await shown('done');
    const groups = Object.entries(await taken()).map(([title, names]) => [title, names.map((name) => basename(name))]);
    expect(Object.fromEntries(groups)).toEqual({
      Model: ['model.onnx'],
      Configuration: ['a.json'],
      'Ignored: another configuration came first': ['b.json'],
      'Ignored: JSON, but no transformations configuration': ['config.json'],
    });
    expect(await configField().inputValue()).toBe(files['a.json']);
    expect(await configField().isVisible()).toBe(true);
  });

  it('none of which is a model are named, and what is at hand stays', async () => {
    await choose('conv.onnx');
    await shown('done');
    await dropPaths(`${folderWith({ 'config.json': '{}' })}/config.json`);
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6005');
    expect(await taken()).toEqual({ 'Ignored: JSON, but no transformations configuration': ['config.json'] });
    await page.click('#again');
    await shown('done');
    expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
  });
});

describe('a configuration', () => {
  it('J-01 that fails can be seen, and is marked', async () => {
    const folder = folderWith({ 'bad.json': config('unheard of') });
    await choose('conv.onnx');
    await shown('done');
    expect(await configField().isVisible()).toBe(false);
    await dropPaths(`${folder}/bad.json`);
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6036');
    expect(await configField().isVisible()).toBe(true);
    expect(await configField().getAttribute('aria-invalid')).toBe('true');
    await configField().fill('');
    expect(await configField().getAttribute('aria-invalid')).toBeNull();
    await page.click('#again');
    await shown('done');
  });

  it('W-03 W-04 of scopes without inputs and outputs gets them from the model, in its field, and is used', async () => {
    const net = writeOnnx({
      nodes: [{ op: 'Tanh', name: 'two/tanh', inputs: ['x'], outputs: ['a'] }, { op: 'Sigmoid', name: 'two/sigmoid', inputs: ['a'], outputs: ['y'] }],
      weights: [], inputs: [{ name: 'x', shape: [1, 4] }], outputs: [{ name: 'y', shape: [1, 4] }],
    });
    const template = JSON.stringify([{ id: 'x', match_kind: 'scope', instances: ['two'], op: 'ReLU' }]);
    const folder = folderWith({ 'm.onnx': net, 'scopes.json': template });
    await dropPaths(join(folder, 'm.onnx'), join(folder, 'scopes.json'));
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6041');
    await page.getByRole('button', { name: 'Add it from the model' }).click();
    await shown('done');
    expect(runNative(['m.onnx', '--tensorflow_custom_operations_config_update', 'scopes.json'], folder).code).toBe(0);
    const updated = readFileSync(join(folder, 'scopes.json'), 'utf8');
    expect(updated).not.toBe(template);
    expect(await configField().inputValue()).toBe(updated);
    expect(typesIn((await saved()).xml)).toEqual(['Parameter', 'ReLU', 'Result']);
  });

  it('J-10 J-11 gets the inputs and outputs of its scopes from the model, and keeps the rest', async () => {
    const entry = { id: 'Mine', match_kind: 'scope', instances: ['block'], op: 'Tanh', custom_attributes: { keep: 'two' } };
    const node = (name: string, op: string, from: string, to: string) => ({ name, op, inputs: [from], outputs: [to] });
    const nodes = [node('first', 'Sigmoid', 'x', 'a'), node('block/relu', 'Relu', 'a', 'b'), node('block/exp', 'Exp', 'b', 'c'), node('last', 'Abs', 'c', 'y')];
    const values = (name: string) => [{ name, shape: [2, 3] }];
    const folder = folderWith({ 'm.onnx': writeOnnx({ nodes, weights: [], inputs: values('x'), outputs: values('y') }), 'c.json': JSON.stringify([entry]) });
    await dropPaths(`${folder}/m.onnx`, `${folder}/c.json`);
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6041');
    await page.getByRole('button', { name: 'Add it from the model' }).click();
    await shown('done');
    const [inputs, outputs] = [[[{ node: 'relu$', port: 0 }]], [{ node: 'exp$', port: 0 }]];
    const updated = [{ ...entry, inputs, outputs }];
    expect(JSON.parse(await configField().inputValue())).toEqual(updated);
    await openOptions();
    const save = page.getByRole('button', { name: 'Save the configuration' });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toBe('c.json');
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(updated);
    await configField().fill('');
    expect(await save.isVisible()).toBe(false);
  });

  it('that was hidden again is named when a conversion fails', async () => {
    await dropPaths(`${folderWith({ 'mine.json': config('general') })}/mine.json`);
    await expect.poll(() => configField().isVisible()).toBe(true);
    await openOptions(false);
    await choose('unknown.onnx');
    await shown('failed');
    expect(await page.locator('#failed .with-options').innerText()).toContain('--transformations_config mine.json');
    expect(await configField().isVisible()).toBe(true);
  });
});
