/** A format of several files through the library in Node and the package's command: nothing in them knows it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type * as library from '@mo/wasm';

import { tar, zip } from '../page/archives.js';
import { hash, temporaryFolder } from './support.js';
import { folderOf, nativePair, PAIR, pairOf, toy } from './toy_support.js';

const { convert, findModels, inspect } = (await import(pathToFileURL(join(toy, 'dist/library/node/node.js')).href)) as typeof library;

async function made(model: library.Model, options: object = {}): Promise<{ xml: string; bin: string }> {
  const { xml, bin } = await convert(model, { model_name: 'net', ...options });
  const pieces: Uint8Array[] = [];
  for await (const piece of bin.stream()) pieces.push(piece);
  return { xml, bin: hash(Buffer.concat(pieces)) };
}

const archives: [name: string, pack: (files: Readonly<Record<string, Uint8Array>>) => Uint8Array][] = [
  ['a.zip', (files) => zip(Object.entries(files).map(([path, content]) => ({ path, content })))],
  ['a.tar', (files) => tar(Object.entries(files).map(([path, content]) => ({ path, content })))],
];

describe('the library', () => {
  it('finds the files of a model beside it', async () => {
    const folder = folderOf(PAIR);
    expect(await made(join(folder, 'net.pair'))).toEqual(nativePair([join(folder, 'net.pair')]));
    expect((await inspect(join(folder, 'net.pair'))).framework).toBe('pair');
  });

  it('takes them as options: URLs, bytes, and names of several', async () => {
    const folder = folderOf({ 'net.pair': PAIR['net.pair']!, 'x/s': PAIR['net.scale']!, 'x/b': PAIR['net.bias']!, 'x/r': PAIR['net.row-0']! });
    const at = (name: string) => join(folder, name);
    const wanted = nativePair([at('net.pair'), `--pair_scale=${at('x/s')}`, `--pair_bias=${at('x/b')}`, `--pair_rows=${at('x/r')}`]);
    const options = { pair_scale: pathToFileURL(at('x/s')), pair_bias: PAIR['net.bias']!, pair_rows: at('x/r') };
    // Names of files are names of constants: those of options are their own.
    expect((await made(at('net.pair'), options)).bin).toBe(wanted.bin);
  });

  it('takes those that are given with the model', async () => {
    const files = Object.entries(PAIR).map(([path, file]) => ({ path, file }));
    const wanted = nativePair([join(folderOf(PAIR), 'net.pair')]);
    expect((await made({ main: files[0]!, files: files.slice(1) })).bin).toBe(wanted.bin);
    expect((await made({ main: files[0]!, files: files.slice(1) }, { pair_scale: 'net.scale', pair_bias: 'net.bias' })).bin).toBe(wanted.bin);
  });

  it('says what is missing, and what may be meant', async () => {
    await expect(convert(join(folderOf(pairOf('pair', 'bias')), 'net.pair'))).rejects.toMatchObject({
      messages: [{ code: 'MO1024', text: expect.stringContaining('scale: looked for net.scale, *.scale') as string, hint: expect.stringContaining('--pair_scale') as string }],
    });
    const both = { ...pairOf('pair'), 'a.scale': PAIR['net.scale']!, 'b.scale': PAIR['net.scale']! };
    await expect(convert(join(folderOf(both), 'net.pair'))).rejects.toMatchObject({
      messages: [{ code: 'MO1025', text: expect.stringContaining('scale: a.scale, b.scale') as string }],
    });
  });

  it.each(archives)('reads %s', async (name, pack) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, pack(PAIR));
    expect(await made(path)).toEqual(nativePair([join(folderOf(PAIR), 'net.pair')]));
    const { models: [model], others } = await findModels(path);
    expect([model!.main, model!.framework, others]).toEqual(['net.pair', 'pair', []]);
    expect(model!.companions.map(({ role, option, needed, files }) => [role, option, needed, files])).toEqual([
      ['scale', 'pair_scale', true, ['net.scale']], ['bias', 'pair_bias', false, ['net.bias']], ['rows', 'pair_rows', false, ['net.row-0', 'net.row-1']],
    ]);
  });
});

describe("the package's command", () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [join(toy, 'dist/library/node/cli.js'), ...args, '--compress_to_fp16=False'], { encoding: 'utf8' });

  it.each([['a folder', undefined], ...archives])('reads %s', (name, pack) => {
    const folder = folderOf(PAIR);
    const model = pack ? join(temporaryFolder(), name) : join(folder, 'net.pair');
    if (pack) writeFileSync(model, pack(PAIR));
    const out = temporaryFolder();
    expect(run(model, '-o', out).stderr).toBe('');
    const wanted = nativePair([join(folder, 'net.pair')]);
    expect(readFileSync(join(out, 'net.xml'), 'utf8')).toBe(wanted.xml);
    expect(hash(readFileSync(join(out, 'net.bin')))).toBe(wanted.bin);
  });

  it('knows the options', () => {
    const folder = folderOf({ 'net.pair': PAIR['net.pair']!, 'other.bin': PAIR['net.scale']! });
    expect(run(join(folder, 'net.pair'), '-o', join(folder, 'ir')).stderr).toContain('MO1024');
    expect(run(join(folder, 'net.pair'), '-o', join(folder, 'ir'), '--pair_scale', join(folder, 'none')).status).toBe(2);
    expect(run(join(folder, 'net.pair'), '-o', join(folder, 'ir'), '--pair_scale', join(folder, 'other.bin')).status).toBe(0);
  });

  it('sees what has changed', () => {
    const folder = folderOf(PAIR);
    const again = () => run(join(folder, 'net.pair'), '-o', join(folder, 'ir'), '--skip_unchanged').stdout;
    expect(again()).not.toContain('is unchanged');
    expect(again()).toContain('is unchanged');
    writeFileSync(join(folder, 'net.row-1'), PAIR['net.bias']!);
    expect(again()).not.toContain('is unchanged');
  });
});
