/** Unpacks the files of an archive that the conversion of a model reads. */
import { MoError, type FileWithPath, type Model } from '@mo/wasm';

import { baseName, folderOf, type Chosen } from '../chosen.js';
import { missingFiles } from '../missing.js';
import { PackedBlob, type UnpackControls } from './packed.js';

/**
 * Calls `work` with the model, and again if it fails because files are still packed. Files that are compressed in an archive are unpacked
 * if the model needs them.
 */
export async function withModel<T>(chosen: Chosen, controls: UnpackControls, work: (model: Model) => Promise<T>): Promise<T> {
  const unpacked = new Map<FileWithPath, Blob>();
  let needed = neededAtOnce(chosen);
  for (;;) {
    for (const file of needed) unpacked.set(file, await (file.file as PackedBlob).whole(controls));
    try {
      return await work(modelOf(chosen, unpacked));
    } catch (error) {
      const missing = error instanceof MoError ? missingFiles(error.messages) : [];
      needed = packedSides(chosen).filter((file) => !unpacked.has(file) && missing.some((path) => isFor(path, file, chosen)));
      if (needed.length === 0) throw error;
    }
  }
}

function neededAtOnce(chosen: Chosen): FileWithPath[] {
  const { main, side, companions } = chosen;
  const sides = packedSides(chosen);
  // The core looks for them, but reports no missing file.
  const needed = new Set(companions.flatMap(({ files }) => files));
  if (!('file' in main)) return sides;
  const names = side.map(({ path }) => baseName(path));
  // Where one of two files with the same name is missing, the other one would be read instead.
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const first = sides.filter(({ path }) => needed.has(path) || isTwice(baseName(path)));
  return main.file instanceof PackedBlob ? [main, ...first] : first;
}

function packedSides({ side }: Chosen): FileWithPath[] {
  return side.filter(({ file }) => file instanceof PackedBlob);
}

/** Whether the path `wanted`, relative to the model's folder, means this file. */
function isFor(wanted: string, { path }: FileWithPath, { main }: Chosen): boolean {
  return path === folderOf(main.path) + wanted || baseName(path) === baseName(wanted);
}

function modelOf({ main, side }: Chosen, unpacked: ReadonlyMap<FileWithPath, Blob>): Model {
  const ready = (file: FileWithPath): FileWithPath => ({ path: file.path, file: unpacked.get(file) ?? file.file });
  const files = side.filter((file) => unpacked.has(file) || !(file.file instanceof PackedBlob));
  return { main: 'file' in main ? ready(main) : main, files: files.map(ready) };
}
