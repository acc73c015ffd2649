/** The recorded models of TensorFlow and TensorFlow Lite. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, type FileEntry } from '@zip.js/zip.js';
import type { FileWithPath } from '@mo/wasm';

import { root } from './support.js';

const RECORDED = join(root, 'tests/tf/recorded');
const LITE = join(root, 'tests/tflite/recorded');

const read = new Map<string, Promise<Map<string, Uint8Array>>>();

/** The GraphDefs of a family by the name of the case; that of a file of its own has no name. */
export function recordedGraphs(family: string): Promise<Map<string, Uint8Array>> {
  return modelsIn(join(RECORDED, `${family}.npz`));
}

/** The models of TensorFlow Lite of a family, by the name of the case. */
export function recordedLite(family: string): Promise<Map<string, Uint8Array>> {
  return modelsIn(join(LITE, `${family}.npz`));
}

function modelsIn(path: string): Promise<Map<string, Uint8Array>> {
  if (!read.has(path)) read.set(path, readModels(path));
  return read.get(path)!;
}

async function readModels(path: string): Promise<Map<string, Uint8Array>> {
  const archive = new ZipReader(new Uint8ArrayReader(readFileSync(path)), { useWebWorkers: false });
  const graphs = new Map<string, Uint8Array>();
  for (const entry of await archive.getEntries()) {
    const [whole, name = ''] = /^(?:(.*)\/)?model\.npy$/.exec(entry.filename) ?? [];
    if (whole === undefined) continue;
    const array = await (entry as FileEntry).getData(new Uint8ArrayWriter(), { useWebWorkers: false });
    // The header of an array says how long it is.
    graphs.set(name, array.subarray(10 + new DataView(array.buffer, array.byteOffset).getUint16(8, true)));
  }
  await archive.close();
  return graphs;
}

/** A recorded detection model: its GraphDef, and the path of its pipeline.config. */
export async function detectionModel(name: string): Promise<{ graph: Uint8Array; pipeline: string }> {
  const graphs = await recordedGraphs(`detection/${name}/case`);
  return { graph: graphs.get('')!, pipeline: join(RECORDED, 'detection', name, 'pipeline.config') };
}

export function families(): string[] {
  return familiesIn(RECORDED);
}

export function liteFamilies(): string[] {
  return familiesIn(LITE);
}

function familiesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.npz')).map((name) => name.slice(0, -4)).sort();
}

/** The files of a recorded SavedModel or MetaGraph, under its name. */
export function recordedFolder(name: string): FileWithPath[] {
  const folder = join(RECORDED, 'saved', name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name !== 'case.npz')
    .map((file) => ({ path: join(name, file.parentPath.slice(folder.length), file.name), file: new Blob([readFileSync(join(file.parentPath, file.name))]) }));
}
