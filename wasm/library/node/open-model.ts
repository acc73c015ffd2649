import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { NO_SUCH_MODEL } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import { FsFiles } from './fs-files.js';

/** A model's main file, or the folder that it is, and the folder in which that stands. */
export function openModel(core: Core, path: string): { files: FsFiles; main: string } {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new MoError([core.hostMessage(NO_SUCH_MODEL, `The "${path}" is not existing file or directory`, '')]);
  // A folder is named in the one around it, which "." and "..", for example, do not tell.
  const known = there.isDirectory() ? realpathSync(path) : path;
  return { files: new FsFiles(dirname(known)), main: basename(known) };
}
