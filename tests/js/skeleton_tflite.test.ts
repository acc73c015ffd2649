/** Skeletons of models of TensorFlow Lite: without weights and names, and with the same failure, at the same kind of place, or the same layers. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert, MoError, type Message, type Model } from '@mo/wasm';
import { afterAll, describe, expect, it } from 'vitest';

import { Anonymous } from '../../web/anonymous.js';
import { FIELDS } from '../../web/skeleton/tflite/options.js';
import { tfliteSkeleton } from '../../web/skeleton/tflite/skeleton.js';
import { liteFamilies, recordedLite } from './recorded.js';
import { root } from './support.js';

interface Files { main: { path: string; file: Blob }; files: { path: string; file: Blob }[] }
interface Outcome { layers: string[]; messages: readonly Message[] }

const blob = (bytes: Uint8Array) => new Blob([bytes as BlobPart]);
const single = (bytes: Uint8Array, path = 'model.tflite', files: Files['files'] = []): Files => ({ main: { path, file: blob(bytes) }, files });

async function skeletonOf(model: Files, messages: readonly Message[] = [], names = new Anonymous(new Set(), new Set())): Promise<Buffer> {
  const skeleton = await tfliteSkeleton({ ...model, messages }, names);
  return Buffer.from('content' in skeleton ? skeleton.content : []);
}

async function outcome(model: Files): Promise<Outcome> {
  try {
    const { xml, bin } = await convert(model as Model, { worker: false });
    await bin.close();
    return { layers: [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type!).filter((type) => !/^(?:Const|Convert)$/.test(type)).sort(), messages: [] };
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    return { layers: [], messages: error.messages };
  }
}

/** What failed, and whether a node, a tensor, a file and a place in it are named. */
const seen = ({ layers, messages }: Outcome) => ({
  layers,
  failures: messages.map(({ code, op, node, tensor, file, offset }) => [code, op, node !== '', tensor !== '', file !== '', offset >= 0]),
});

async function sameAs(model: Files): Promise<{ own: Outcome; made: Outcome; skeleton: Buffer; names: Anonymous }> {
  const own = await outcome(model);
  const names = new Anonymous(new Set(), new Set());
  const skeleton = await skeletonOf(model, own.messages, names);
  const made = await outcome(single(skeleton));
  expect(seen(made)).toEqual(seen(own));
  return { own, made, skeleton, names };
}

describe('recorded models', () => {
  it.each(liteFamilies())('%s have the outcome of their skeletons', async (family) => {
    const bad: string[] = [];
    for (const [name, model] of await recordedLite(family)) await sameAs(single(model)).catch((e) => bad.push(`${name}: ${String(e).slice(0,300)} ${(e as any)?.messages?.map((m: any)=>m.code)}`));
    expect(bad).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'mo-bad-tflite-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = spawnSync(join(root, '.venv/bin/python'), [join(root, 'tests/tflite/bad.py'), folder], { encoding: 'utf8' });
if (written.status !== 0) throw new Error(written.stderr);

describe('damaged', () => {
  it.each(readdirSync(folder))('%s', async (name) => {
    const model = single(readFileSync(join(folder, name)));
    const own = await outcome(model);
    const skeleton = await skeletonOf(model, own.messages).catch((error: unknown) => error);
    if (skeleton instanceof Error) {
      console.log(name, skeleton, own.messages.map(({code})=>code));
      if (!(skeleton instanceof MoError)) throw skeleton;
      expect(skeleton.code).toBe(own.messages[0]!.code);
    } else await sameAs(model);
  });
});
void FIELDS;
