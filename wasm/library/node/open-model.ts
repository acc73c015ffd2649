import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { NO_SUCH_MODEL } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import type { HostReader } from '../shared/model.js';
import { FsFiles } from './fs-files.js';
import { GivenFiles } from './given-files.js';
import type { OneFile, Source } from './source.js';

/** There is no file and no folder at the model's path. */
export class NotThere extends MoError {}

/**
 * A model's main file or folder, and the folder that contains it.
 *
 * @throws {NotThere}
 */
export function openModel(core: Core, path: string): { files: FsFiles; main: string } {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new NotThere([core.hostMessage(NO_SUCH_MODEL, `The "${path}" is not existing file or directory`, '')]);
  // Use the real name of a folder: "." and ".." are not names.
  const known = there.isDirectory() ? realpathSync(path) : path;
  if (there.isDirectory() && readdirSync(known).every((name) => name.startsWith('.')))
    throw new NotThere([core.hostMessage(NO_SUCH_MODEL, `The directory "${path}" is empty`, '')]);
  return { files: new FsFiles(dirname(known), basename(known)), main: basename(known) };
}

/** The files of a model, and those that options name, by these names. */
export function openFiles(core: Core, source: Source, sides: readonly (readonly [name: string, source: Source])[]): { files: FsFiles; main: string } {
  const opened = open(core, source);
  // A file with a path is opened on demand.
  for (const [name, side] of sides) if (side.kind !== 'path' && side.kind !== 'files') opened.files.give(name, contentOf(side));
  return opened;
}

function open(core: Core, source: Source): { files: FsFiles; main: string } {
  if (source.kind === 'path') return openModel(core, source.path);
  if (source.kind === 'files') return { files: new GivenFiles(source.files.map(([name, file]) => [name, contentOf(file)])), main: source.name };
  const files = new FsFiles();
  files.give(source.name, contentOf(source));
  return { files, main: source.name };
}

function contentOf(file: OneFile): number | Uint8Array | HostReader {
  if (file.kind === 'bytes') return file.bytes;
  return file.kind === 'descriptor' ? file.descriptor : file.reader;
}
