/** The format of several files in tests/toy/pair: x.pair, its needed x.scale, and its optional x.bias and x.row-0, …. build/toy/ reads it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root, temporaryFolder } from './support.js';

export const toy = join(root, 'build/toy');

const numbers = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

/** A model with all that may belong to it. */
export const PAIR: Readonly<Record<string, Uint8Array>> = {
  'net.pair': Buffer.from('pair\ninput x 2 3\n'),
  'net.scale': numbers(2, -3, 0.5),
  'net.bias': numbers(1, 1, 1),
  'net.row-0': numbers(10, 20, 30),
  'net.row-1': numbers(1, 2, 3),
};

/** Those of its files with these endings. */
export function pairOf(...endings: string[]): Record<string, Uint8Array> {
  return Object.fromEntries(endings.map((ending) => [`net.${ending}`, PAIR[`net.${ending}`]!]));
}

export function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** What the native command with the toy formats makes of a model: what other hosts have to equal. */
export function nativePair(args: string[], name = 'net', more = ['--compress_to_fp16=False']): { xml: string; bin: string } {
  const folder = temporaryFolder();
  const { status, stderr } = spawnSync(join(root, 'build/native/mo_toy'), [...args, '-n', name, '-o', folder, ...more], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { xml: readFileSync(join(folder, `${name}.xml`), 'utf8'), bin: createHash('sha256').update(readFileSync(join(folder, `${name}.bin`))).digest('hex') };
}
