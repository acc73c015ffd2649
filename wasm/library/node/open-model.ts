import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { NO_SUCH_MODEL } from '../shared/codes.js';
import type { CompanionFiles, Core, FoundModels } from '../shared/core.js';
import { found } from '../shared/found.js';
import type { HostReader } from '../shared/model.js';
import { archiveOfFile, archiveOn, stateOf, type Archive } from './archive/archive.js';
import { modelInArchive } from './archive/model-in-archive.js';
import { orMoError } from './archive/refusal.js';
import { FsFiles } from './fs-files.js';
import { GivenFiles } from './given-files.js';
import { noSuchModel } from './no-such-model.js';
import { NotThere } from './not-there.js';
import type { OneFile, Source } from './source.js';
import { msg } from '../shared/msg.js';

/** A model's main file or folder, and the files that it may have. */
export interface OpenModel {
  files: FsFiles;
  main: string;
  /** What the model is called that was found in an archive. */
  name?: string;
  /** The archive that it is in. */
  archive?: Archive;
}

/**
 * Opens the model at a path, which may lead into an archive; an archive is the model in it.
 *
 * @throws {NotThere}
 */
export function openModel(core: Core, path: string): OpenModel {
  const absolute = resolve(path);
  const inside = orMoError(core, () => {
    const archive = archiveOn(absolute);
    return archive && inArchive(core, archive, absolute, path);
  });
  if (inside) return inside;
  const there = stateOf(path);
  if (!there) throw new NotThere([noSuchModel(core, path)]);
  // Use the real name of a folder: "." and ".." are not names.
  const known = there.isDirectory() ? realpathSync(path) : path;
  if (there.isDirectory() && readdirSync(known).every((name) => name.startsWith('.')))
    throw new NotThere([core.hostMessage(NO_SUCH_MODEL, msg`The directory "${path}" is empty`, '')]);
  return { files: new FsFiles(dirname(known), basename(known)), main: basename(known) };
}

/** The model of an open file `name`, which `shown` is for the user. Only an archive has a folder. */
export function openFile(core: Core, name: string, descriptor: number, shown: string): OpenModel {
  const inside = orMoError(core, () => {
    const archive = archiveOfFile(descriptor, name);
    return archive && inArchive(core, archive, name, shown);
  });
  if (inside) return inside;
  const files = new FsFiles();
  files.give(name, descriptor);
  return { files, main: name };
}

/** The files have the archive from here on. */
function inArchive(core: Core, archive: Archive, path: string, shown: string): OpenModel | undefined {
  try {
    const model = modelInArchive(core, archive, path, shown);
    return model && { ...model, archive };
  } finally {
    archive.close();
  }
}

/**
 * The models below a path: a folder, an archive, or a folder in one. Paths are relative to it.
 */
export function modelsBelow(core: Core, path: string): { files: FsFiles; find: () => FoundModels } {
  const absolute = resolve(path);
  const archive = orMoError(core, () => archiveOn(absolute));
  if (!archive) {
    const files = new FsFiles(path);
    return { files, find: () => found(core.findModels(files, '')) };
  }
  const files = new FsFiles(dirname(archive.path), basename(archive.path), archive);
  archive.close();
  const folder = absolute.slice(dirname(archive.path).length).replace(/^[/\\]/, '').replaceAll('\\', '/');
  return { files, find: () => below(`${folder}/`, found(core.findModels(files, folder))) };
}

/** The same with paths relative to a folder; that of the folder itself is empty. */
function below(folder: string, { models, others, unread, recognised }: FoundModels): FoundModels {
  const relative = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length) : '');
  const companions = (all: readonly CompanionFiles[]): CompanionFiles[] =>
    all.map((one) => ({ ...one, value: one.value.split(',').map(relative).join(','), files: one.files.map(relative), candidates: one.option === 'model_name' ? one.candidates : one.candidates.map(relative) }));
  return {
    models: models.map((model) => ({ ...model, main: relative(model.main), companions: companions(model.companions) })),
    others: others.map(relative),
    unread: unread.map(relative),
    recognised: recognised.map((message) => ({ ...message, file: relative(message.file) })),
  };
}

/** The files of a model, and those that options name, by these names. */
export function openFiles(core: Core, source: Source, sides: readonly (readonly [name: string, source: Source])[]): OpenModel {
  const opened = open(core, source);
  // A file with a path is opened on demand.
  for (const [name, side] of sides) if (side.kind !== 'path' && side.kind !== 'files') opened.files.give(name, contentOf(side));
  return opened;
}

function open(core: Core, source: Source): OpenModel {
  if (source.kind === 'path') return openModel(core, source.path);
  if (source.kind === 'files') return { files: new GivenFiles(source.files.map(([name, file]) => [name, contentOf(file)])), main: source.name };
  if (source.kind === 'descriptor') return openFile(core, source.name, source.descriptor, source.name);
  const files = new FsFiles();
  files.give(source.name, contentOf(source));
  return { files, main: source.name };
}

function contentOf(file: OneFile): number | Uint8Array | HostReader {
  if (file.kind === 'bytes') return file.bytes;
  return file.kind === 'descriptor' ? file.descriptor : file.reader;
}
