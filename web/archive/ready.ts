/** Unpacks the files of an archive that the conversion of a model reads. */
import { MoError, type FileWithPath, type Model } from '@mo/wasm';

import { baseName, folderOf, type Chosen } from '../bring/chosen.js';
import { missingFiles } from '../report/missing.js';
import { filteredInParts, pauses } from '../page/pauses.js';
import { PackedBlob, StoredBlob, type UnpackControls } from './packed.js';

/** Of so many files those that are only stored are at hand. Of more, none is before the model names it. */
const FEW = 1000;

/** What is beside a model. */
interface Beside {
  packed: FileWithPath[];
  /** What is unpacked before the first call. */
  first: FileWithPath[];
  /** What needs no unpacking. */
  plain: FileWithPath[];
}

/** Found once for each model. */
const found = new WeakMap<Chosen, Promise<Beside>>();

/**
 * Calls `work` with the model, and again if it fails because files are still packed. Files that are compressed in an archive are unpacked
 * if the model needs them.
 */
export async function withModel<T>(chosen: Chosen, controls: UnpackControls, work: (model: Model) => Promise<T>): Promise<T> {
  let searching = found.get(chosen);
  if (!searching) found.set(chosen, (searching = besideOf(chosen)));
  const { packed, first, plain } = await searching;
  const unpacked = new Map<FileWithPath, Blob>();
  const pause = pauses();
  let needed: readonly FileWithPath[] = first;
  for (;;) {
    for (const file of needed) {
      controls.signal?.throwIfAborted();
      unpacked.set(file, await (file.file as PackedBlob).whole(controls));
      await pause();
    }
    controls.signal?.throwIfAborted();
    try {
      return await work(modelOf(chosen, plain, unpacked));
    } catch (error) {
      const missing = error instanceof MoError ? missingFiles(error.messages) : [];
      if (missing.length === 0) throw error;
      const isFor = matcherOf(missing, chosen);
      needed = await filteredInParts(packed, (file) => !unpacked.has(file) && isFor(file));
      if (needed.length === 0) throw error;
    }
  }
}

async function besideOf({ main, side, companions }: Chosen): Promise<Beside> {
  const isPacked = ({ file }: FileWithPath) => file instanceof PackedBlob;
  const packed = await filteredInParts(side, isPacked);
  const plain = packed.length === 0 ? side : await filteredInParts(side, (file) => !isPacked(file));
  if (!('file' in main)) return { packed, first: packed, plain };
  // The core looks for them, but reports no missing file.
  const needed = new Set(companions.flatMap(({ files }) => files));
  const times = new Map<string, number>();
  const count = ({ path }: FileWithPath) => void times.set(baseName(path), (times.get(baseName(path)) ?? 0) + 1);
  const areFew = side.length <= FEW;
  // Where one of two files with the same name is missing, the other one would be read instead.
  if (areFew) side.forEach(count);
  else plain.forEach(count);
  const isTwice = (name: string) => (times.get(name) ?? 0) > (areFew ? 1 : 0);
  const first = await filteredInParts(packed, ({ path, file }) => needed.has(path) || (areFew && file instanceof StoredBlob) || isTwice(baseName(path)));
  if (main.file instanceof PackedBlob) first.unshift(main);
  return { packed, first, plain };
}

/** Whether one of the paths `wanted`, relative to the model's folder, means a file. */
function matcherOf(wanted: readonly string[], { main }: Chosen): (file: FileWithPath) => boolean {
  const paths = new Set(wanted.map((path) => folderOf(main.path) + path));
  const names = new Set(wanted.map(baseName));
  return ({ path }) => paths.has(path) || names.has(baseName(path));
}

function modelOf({ main, side }: Chosen, plain: readonly FileWithPath[], unpacked: ReadonlyMap<FileWithPath, Blob>): Model {
  const ready = (file: FileWithPath): FileWithPath => ({ path: file.path, file: unpacked.get(file) ?? file.file });
  const files = side.length <= FEW ? side.filter((file) => unpacked.has(file) || !(file.file instanceof PackedBlob)) : [...plain, ...[...unpacked.keys()].filter((file) => file !== main)];
  return { main: 'file' in main ? ready(main) : main, files: files.map(ready) };
}
