import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { NO_SUCH_MODEL } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import { FsFiles } from './fs-files.js';

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
  return { files: new FsFiles(dirname(known)), main: basename(known) };
}
