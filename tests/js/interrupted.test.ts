/** Conversions of the library that share a signal, and what happens when the model's files or the target are not what they should be. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, type MoError } from '@mo/wasm';
import { describe, expect, it } from 'vitest';

import { listing, modelFolder, temporaryFolder } from './support.js';

const models = modelFolder();

const failure = (work: Promise<unknown>) => work.then(() => undefined, (error: unknown) => error as MoError);

/** A model of its own with a file of weights. */
function external(): string {
  const folder = temporaryFolder();
  for (const name of ['external.onnx', 'weights.bin']) cpSync(join(models, name), join(folder, name));
  return folder;
}

it('thirty conversions with one signal say nothing of a leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  const convertOne = async () => (await convert(join(models, 'conv.onnx'), {}, { signal })).bin.close();
  await Promise.all(Array.from({ length: 20 }, convertOne));
  for (let i = 0; i < 10; i++) await convertOne();
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('one signal ends all conversions that have it', async () => {
  const control = new AbortController();
  const all = Array.from({ length: 20 }, () => convert(join(models, 'long.onnx'), {}, { signal: control.signal, onProgress: () => control.abort() }));
  for (const result of await Promise.allSettled(all)) expect(result).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
});

describe('a model that changes', () => {
  const CHANGED = { code: 'MO7001', message: expect.stringContaining('it has changed while it was read') as string };

  it.each(['external.onnx', 'weights.bin'])('before its .bin is written is an error, and nothing is written: %s', async (name) => {
    const folder = external();
    const { bin } = await convert(join(folder, 'external.onnx'));
    appendFileSync(join(folder, name), 'x');
    expect(await failure(bin.writeTo(join(folder, 'new.bin')))).toMatchObject({ ...CHANGED, messages: [{ file: name }] });
    expect(listing(folder)).toEqual(['external.onnx', 'weights.bin']);
    await bin.close();
  });

  it('while its .bin is read is an error', async () => {
    const folder = external();
    const { bin } = await convert(join(folder, 'external.onnx'));
    writeFileSync(join(folder, 'weights.bin'), readFileSync(join(models, 'weights.bin')));
    expect(await failure(new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())).toMatchObject(CHANGED);
    await bin.close();
  });

  it('into another one before the .bin is read again is an error', async () => {
    const folder = external();
    const { bin } = await convert(join(folder, 'external.onnx'));
    await bin.writeTo(join(folder, 'one.bin'));
    cpSync(join(models, 'conv.onnx'), join(folder, 'external.onnx'));
    expect((await failure(bin.writeTo(join(folder, 'two.bin'))))?.message).toContain('have changed since it was converted');
    expect(listing(folder)).toEqual(['external.onnx', 'one.bin', 'weights.bin']);
    await bin.close();
  });
});

describe('writeTo()', () => {
  const target = async (path: string) => {
    const { bin } = await convert(join(models, 'conv.onnx'));
    try {
      return await failure(bin.writeTo(path));
    } finally {
      await bin.close();
    }
  };

  it('does not replace a pipe or a folder', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    expect(await target(join(folder, 'pipe'))).toMatchObject({ code: 'MO7002', message: expect.stringContaining('not a regular file') as string });
    expect(await target(join(folder, 'folder'))).toMatchObject({ code: 'MO7002' });
    expect(lstatSync(join(folder, 'pipe')).isFIFO() && lstatSync(join(folder, 'folder')).isDirectory()).toBe(true);
    expect(listing(folder)).toEqual(['folder', 'pipe']);
  });

  it('replaces a link, and not what it leads to', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'other'), 'kept');
    symlinkSync('other', join(folder, 'link'));
    expect(await target(join(folder, 'link'))).toBeUndefined();
    expect([readFileSync(join(folder, 'other'), 'utf8'), lstatSync(join(folder, 'link')).isFile()]).toEqual(['kept', true]);
  });
});
