/** Archives through the library in Node. tests/cli/test_archives.py has their table, for the native command and the package's. */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convert, findModels, inspect, listPlaces } from '@mo/wasm';
import { expect, it } from 'vitest';

import { tar, zip } from '../page/archives.js';
import { convNet, denseNet, externalData, externalNet } from './models.js';
import { hash, modelFolder, nativeFiles, temporaryFolder } from './support.js';

const models = modelFolder();

function put(name: string, content: Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function made(model: Parameters<typeof convert>[0], options = {}): Promise<{ xml: string; bin: string }> {
  const { xml, bin } = await convert(model, { model_name: 'same', ...options });
  const pieces: Uint8Array[] = [];
  for await (const piece of bin.stream()) pieces.push(piece);
  return { xml, bin: hash(Buffer.concat(pieces)) };
}

const entries = [{ path: 'net/model.onnx', content: externalNet }, { path: 'net/weights.bin', content: externalData }];
const native = nativeFiles(join(models, 'external.onnx'), ['--compress_to_fp16=False']);

it.each([
  ['a.zip', zip(entries)],
  ['stored.zip', zip(entries.map((entry) => ({ ...entry, method: 0 })))],
  ['a.tar', tar(entries)],
  ['a.tar.gz', gzipSync(tar(entries))],
])('%s is the model in it', async (name, content) => {
  const path = put(name, content);
  for (const worker of [true, false]) expect(await made(path, { worker })).toEqual(native);
  expect(await made(`${path}/net/model.onnx`)).toEqual(native);
  expect(await made(createReadStream(path))).toEqual(native);
  expect((await convert(path)).report.name).toBe('model');
  expect(await inspect(path)).toMatchObject({ name: 'model', framework: 'onnx', missing_files: [] });
  expect((await listPlaces(path)).length).toBeGreaterThan(0);
  expect(await findModels(path)).toMatchObject({ models: [{ main: 'net/model.onnx' }], others: ['net/weights.bin'], unread: [] });
  expect(await findModels(`${path}/net`)).toMatchObject({ models: [{ main: 'model.onnx' }], others: ['weights.bin'] });
});

it('weights become f16 from places in the archive, by the second thread, too', async () => {
  const path = put('a.zip', zip([{ path: 'dense.onnx', content: denseNet }]));
  const options = { compress_to_fp16: true };
  expect(await made(path, options)).toEqual(nativeFiles(join(models, 'dense.onnx'), ['--compress_to_fp16=True']));
});

it('of several models one is named behind the archive', async () => {
  const path = put('a.zip', zip([{ path: 'a/one.onnx', content: convNet }, { path: 'two.onnx', content: denseNet }]));
  await expect(convert(path)).rejects.toMatchObject({
    messages: [{
      code: 'MO6007', text: expect.stringContaining('has 2 models: a/one.onnx, two.onnx') as string, hint: `name one of them: ${path}/a/one.onnx`,
      arguments: [expect.anything(), { template: 'the archive "{}" has {} models: {}', arguments: [path, '2', 'a/one.onnx, two.onnx'] }],
      advice: { template: 'name one of them: {}/{}', arguments: [path, 'a/one.onnx'] },
    }],
  });
  expect((await convert(`${path}/two.onnx`)).report.name).toBe('two');
  expect((await findModels(path)).models.map(({ main }) => main)).toEqual(['a/one.onnx', 'two.onnx']);
});

it('an archive that lies is an error with the file in it, and the next one is read', async () => {
  const path = put('a.zip', zip([{ path: 'one.onnx', content: convNet, crc: 1 }]));
  await expect(convert(path)).rejects.toMatchObject({
    messages: [{ code: 'MO7001', file: 'a.zip/one.onnx', hint: 'unpack the archive yourself and name what it contains', text: expect.stringContaining('the checksum differs') as string }],
  });
  await expect(convert(put('b.zip', zip([{ path: 'one.onnx', content: convNet }]).subarray(0, -30)))).rejects.toMatchObject({
    messages: [{ code: 'MO7001', file: 'b.zip', text: expect.stringContaining('it is no zip archive, or it is cut off') as string }],
  });
  expect((await convert(join(models, 'conv.onnx'))).report.name).toBe('conv');
});

it('what a host says of a file passes through the core as a template', async () => {
  const files = { 'net.onnx': externalNet, 'weights.bin': externalData };
  const damaged = zip(Object.entries(files).map(([path, content]) => ({ path, content, ...(path === 'weights.bin' && { crc: 1 }) })));
  await expect(convert(`${put('a.zip', damaged)}/net.onnx`)).rejects.toMatchObject({
    messages: [{
      file: 'a.zip/weights.bin', arguments: [expect.anything(), { template: 'its bytes are not those that were packed: the checksum differs', arguments: [] }],
      advice: { template: 'unpack the archive yourself and name what it contains', arguments: [] },
    }],
  });
  const promised = { name: 'net.onnx', size: 100, read: (() => Promise.resolve()) as () => void };
  await expect(convert(promised)).rejects.toMatchObject({ messages: [{ arguments: [expect.anything(), { template: 'its read() gives a promise: the bytes have to be there when it returns', arguments: [] }] }] });
});

it('nothing of it stays open', async () => {
  const path = put('a.tar.gz', gzipSync(tar([{ path: 'conv.onnx', content: convNet }])));
  const { bin } = await convert(path);
  for await (const piece of bin.stream()) expect(piece.length).toBeGreaterThan(0);
  writeFileSync(path, readFileSync(join(models, 'conv.onnx')));
  expect((await convert(path)).report.name).toBe('a.tar');
});
