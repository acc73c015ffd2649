/** MetaGraphs, graphs beside a checkpoint and graphs as text, on the page: what is dropped becomes what the command line makes of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

import { nativeFiles, root } from '../js/support.js';
import { dropPaths, folderWith, page, row, saved, savedOf, shown, taken, usePage } from './support.js';

usePage();

const recorded = (name: string) => join(root, 'tests/tf/recorded/saved', name);

/** The recorded files of a case, in a folder called `net`, and what must come of them. */
function net(name: string, rename = (file: string) => file): { folder: string; files: string[] } {
  const own = readdirSync(recorded(name)).filter((file) => file !== 'case.npz');
  const folder = join(folderWith(Object.fromEntries(own.map((file) => [`net/${rename(file)}`, readFileSync(join(recorded(name), file))]))), 'net');
  return { folder, files: own.map((file) => join(folder, rename(file))) };
}

const wanted = (options: string[], name: string) => nativeFiles(options[0]!, options.slice(1), name);
const command = () => page.locator('#command').innerText();
const sideNames = (...names: string[]) => names.map((name) => `net/${name}`).sort();

it.each([
  ['meta_graph', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['meta_graph_partitioned', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['meta_graph_v1', ['model.ckpt']],
  ['meta_graph_text', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['meta_graph_v1_shards', ['model.ckpt-00000-of-00001']],
  ['meta_graph_v1_shards_partitioned', ['model.ckpt-1234-00000-of-00002', 'model.ckpt-1234-00001-of-00002']],
])('a folder of %s is a MetaGraph with its checkpoint', async (name, checkpoint) => {
  const { folder } = net(name);
  const model = name.endsWith('partitioned') && name.includes('v1') ? 'model.ckpt-1234' : 'model.ckpt';
  await dropPaths(folder);
  await shown('done');
  expect(await taken()).toEqual({ Model: [`net/${model}.meta`], [`Data of ${model}.meta`]: sideNames(...checkpoint) });
  const { xml, bin, names } = await saved();
  expect(names).toEqual([`${model}.xml`, `${model}.bin`]);
  expect({ xml, bin }).toEqual(wanted([join(folder, `${model}.meta`)], model));
  expect(await command()).toBe(`npx @mo/wasm ${model}.meta`);
});

it.each([
  ['checkpoint_v2', 'graph.pb', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['checkpoint_v2_resource', 'graph.pb', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['checkpoint_v2_text', 'graph.pbtxt', ['model.ckpt.data-00000-of-00001', 'model.ckpt.index']],
  ['checkpoint_v1', 'graph.pb', ['model.ckpt']],
  ['checkpoint_v1_shards', 'graph.pb', ['model.ckpt-00000-of-00002', 'model.ckpt-00001-of-00002'], 'model.ckpt-00000-of-00002'],
])('a folder of %s is a graph with the checkpoint that lies beside it', async (name, graph, checkpoint, named = 'model.ckpt') => {
  const { folder } = net(name);
  await dropPaths(folder);
  await shown('done');
  expect(await taken()).toEqual({ Model: [`net/${graph}`], [`Data of ${graph}`]: sideNames(...checkpoint) });
  const { xml, bin } = await saved();
  expect({ xml, bin }).toEqual(wanted([join(folder, graph), '--input_checkpoint', join(folder, named)], 'graph'));
  expect(await command()).toBe(`npx @mo/wasm ${graph} --input_checkpoint ${named}`);
});

it('files that are dropped one by one are a graph with its checkpoint, too', async () => {
  const { folder, files } = net('checkpoint_v2');
  await dropPaths(...files);
  await shown('done');
  expect((await saved()).bin).toBe(wanted([join(folder, 'graph.pb'), '--input_checkpoint', join(folder, 'model.ckpt')], 'graph').bin);
});

it('a checkpoint that comes later is that of the graph which lacks it', async () => {
  const { files } = net('meta_graph');
  await dropPaths(...files.filter((file) => file.endsWith('.meta')));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('model.ckpt.index');
  await dropPaths(...files.filter((file) => !file.endsWith('.meta')));
  await shown('done');
  expect((await saved()).names).toEqual(['model.ckpt.xml', 'model.ckpt.bin']);
});

it('a checkpoint that comes later gives the variables of a graph their values', async () => {
  const { folder, files } = net('checkpoint_v2');
  await dropPaths(...files.filter((file) => file.endsWith('.pb')));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toMatch(/The model needs files of another kind \(checkpoint: graph\.index[^]*MO1020/);
  await dropPaths(...files.filter((file) => !file.endsWith('.pb')));
  await shown('done');
  expect((await saved()).bin).toBe(wanted([join(folder, 'graph.pb'), '--input_checkpoint', join(folder, 'model.ckpt')], 'graph').bin);
});

it('of two checkpoints none is taken: which one is meant is not said', async () => {
  const { folder } = net('checkpoint_v2');
  const other = net('checkpoint_v2', (file) => file.replace('model.ckpt', 'other.ckpt').replace('graph', 'second'));
  await dropPaths(...readdirSync(folder).map((file) => join(folder, file)), ...other.files.filter((file) => !file.endsWith('.pb')));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toMatch(/MO1020/);
  expect(await page.locator('#failed').innerText()).not.toContain('files of another kind');
});

it('a folder with a MetaGraph and an inference graph asks which is meant, and converts both with the checkpoint', async () => {
  const { folder } = net('meta_graph');
  const files = Object.fromEntries([...readdirSync(folder).map((file) => join(folder, file)), join(recorded('checkpoint_v2'), 'graph.pb')].map((file) => [`net/${basename(file)}`, readFileSync(file)]));
  await dropPaths(join(folderWith(files), 'net'));
  await page.getByRole('button', { name: 'Convert 2 models' }).click();
  await expect.poll(() => row('net/model.ckpt.meta').innerText()).toContain('Converted');
  expect((await savedOf('net/graph.pb')).bin).toBe((await savedOf('net/model.ckpt.meta')).bin);
});

it.each(['tf1_tags_text', 'tf2_module_text'])('a SavedModel as text, %s, is one model', async (name) => {
  const own = ['saved_model.pbtxt', 'variables/variables.index', 'variables/variables.data-00000-of-00001'];
  const folder = join(folderWith(Object.fromEntries(own.map((file) => [`net/${file}`, readFileSync(join(recorded(name), file))]))), 'net');
  await dropPaths(folder);
  await shown('done');
  const { xml, bin, names } = await saved();
  expect(names).toEqual(['net.xml', 'net.bin']);
  expect({ xml, bin }).toEqual(wanted([folder], 'net'));
});

it('a frozen graph as text is converted as the command line does', async () => {
  const text = 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }\n'
    + 'node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: [1.5, -2] } } } }\n'
    + 'node { name: "y" op: "AddV2" input: "x" input: "c" attr { key: "T" value { type: DT_FLOAT } } }\n';
  const path = join(folderWith({ 'frozen.pbtxt': text }), 'frozen.pbtxt');
  await dropPaths(path);
  await shown('done');
  const { xml, bin } = await saved();
  expect({ xml, bin }).toEqual(wanted([path], 'frozen'));
});
