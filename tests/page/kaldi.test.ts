/** Networks of Kaldi on the page: a file, a folder as Vosk ships it, and a skeleton. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { inspect } from '../../dist/library/node/node.js';
import { acousticModel, splicedNetwork, written } from '../js/kaldi_models.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { dropPaths, folderWith, page, saved, shown, taken, usePage } from './support.js';

usePage();

const MODEL = acousticModel('binary');
const folder = folderWith({ 'final.mdl': MODEL, 'final.nnet': splicedNetwork('text') });
/** What lies beside the network in a folder of Vosk. */
const VOSK = {
  'am/final.mdl': MODEL, 'am/tree': Buffer.from('\0BContextDependency \x04\x01\0\0\0'), 'conf/mfcc.conf': Buffer.from('--num-ceps=40\n'), 'conf/model.conf': Buffer.from('--min-active=200\n'),
  'graph/HCLr.fst': Buffer.from('\xd6\xfd\xb2\x7e', 'latin1'), 'graph/Gr.fst': Buffer.from('\xd6\xfd\xb2\x7e', 'latin1'), 'graph/phones/word_boundary.int': Buffer.from('1 nonword\n'),
  'ivector/final.ie': Buffer.from('\0B<IvectorExtractor> '), 'ivector/final.dubm': Buffer.from('\0B<DiagGMM> '), 'ivector/final.mat': Buffer.from('\0BFM \x04\0\0\0\0\x04\0\0\0\0'),
  'ivector/global_cmvn.stats': Buffer.from('[\n 1 2\n 3 4 ]\n'), README: Buffer.from('A model of Vosk\n'),
};

it.each([['an acoustic model, binary', 'final.mdl', 'final'], ['a network of nnet1, as text', 'final.nnet', 'final']])('%s', async (_, name, stem) => {
  await dropPaths(join(folder, name));
  await shown('done');
  await expect.poll(async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' ')).toContain('Format Kaldi');
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(join(folder, name), [], stem));
  expect(names).toEqual([`${stem}.xml`, `${stem}.bin`]);
});

it('a folder as Vosk ships it', async () => {
  const vosk = folderWith(Object.fromEntries(Object.entries(VOSK).map(([path, content]) => [`vosk-model-small/${path}`, content])));
  await dropPaths(join(vosk, 'vosk-model-small'));
  await shown('done');
  const { xml, bin, names } = await saved();
  expect({ xml, bin }).toEqual(nativeFiles(join(vosk, 'vosk-model-small'), [], names[0]!.replace('.xml', '')));
  expect(await taken()).toMatchObject({ 'Data of vosk-model-small': ['vosk-model-small/am/final.mdl'] });
});

it('an archive as it was downloaded', async () => {
  const archive = zip(Object.entries(VOSK).map(([path, content]) => ({ path: `vosk-model-small/${path}`, content })));
  await dropPaths(join(folderWith({ 'vosk-model-small.zip': archive }), 'vosk-model-small.zip'));
  await shown('done');
  expect((await saved()).bin).toBe(nativeFiles(join(folder, 'final.mdl'), [], 'x').bin);
});

it('what is no network is called by its name, with the way out', async () => {
  const other = folderWith({ 'final.mdl': Buffer.concat([MODEL.subarray(0, MODEL.indexOf('<Nnet3>')), Buffer.from('<DIMENSION> \x04\x27\0\0\0')]) });
  await dropPaths(join(other, 'final.mdl'));
  await shown('failed');
  expect(await page.locator('#failed').innerText()).toContain('an acoustic model of Gaussians has no network');
});

it('a skeleton has neither weights nor names, and fails as the model does', async () => {
  const model = written([
    '<Nnet3>', '\n', 'input-node name=input dim=4\n', 'component-node name=zorgblat component=zorgblat input=input\n', 'component-node name=quuxcorp component=quuxcorp input=zorgblat\n',
    'output-node name=output input=quuxcorp\n', '\n', '<NumComponents>', { int: 2 },
    '<ComponentName>', 'zorgblat', '<FixedScaleComponent>', '<Scales>', { vector: [0.12345, 2, 3, 4] }, '</FixedScaleComponent>',
    '<ComponentName>', 'quuxcorp', '<DistributeComponent>', '<InputDim>', { int: 4 }, '<OutputDim>', { int: 2 }, '</DistributeComponent>', '</Nnet3>',
  ], 'binary');
  await dropPaths(join(folderWith({ 'zorgblat.raw': model }), 'zorgblat.raw'));
  await shown('failed');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save skeleton' }).click()]);
  expect(download.suggestedFilename()).toBe('skeleton.zip');
  const archive = readFileSync(await download.path());
  const [method, size, length] = [archive.readUInt16LE(8), archive.readUInt32LE(18), archive.readUInt16LE(26)];
  expect([method, archive.toString('latin1', 30, 30 + length)]).toEqual([8, 'skeleton.raw']);
  const skeleton = inflateRawSync(archive.subarray(30 + length, 30 + length + size));
  for (const secret of ['zorgblat', 'quuxcorp', '\x65\xd3\xfc\x3d']) expect(skeleton.includes(Buffer.from(secret, 'latin1'))).toBe(false);
  const { messages } = await inspect(new Uint8Array(skeleton));
  const report = (await page.locator('#report').textContent())!;
  expect(messages.map(({ code, op, node }) => [code, op, node])).toEqual([['MO2001', 'DistributeComponent', /node (n\d+)/.exec(report)?.[1]]]);
});
