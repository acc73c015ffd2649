/** Which of an archive's files is the model: as in core/cli/model_source.cpp. */
import { basename, dirname, join } from 'node:path';

import { NO_SUCH_MODEL } from '../../shared/codes.js';
import type { Core } from '../../shared/core.js';
import { found } from '../../shared/found.js';
import { hintOf } from '../../shared/messages.js';
import { msg, type Template } from '../../shared/msg.js';
import { printable } from '../../shared/printable.js';
import { FsFiles } from '../fs-files.js';
import { noSuchModel } from '../no-such-model.js';
import { NotThere } from '../not-there.js';
import type { Archive } from './archive.js';

/** As many as a message names. */
const MOST_NAMES = 20;

export interface ModelInArchive {
  files: FsFiles;
  main: string;
  /** What the model is called that was found in an archive. */
  name?: string;
}

/**
 * The model at `path`, which is absolute and begins with the archive's; undefined if the archive is a file of another kind. `given` is the
 * path as the user wrote it.
 *
 * @throws {NotThere} when there is no such file, no model, or more than one.
 */
export function modelInArchive(core: Core, archive: Archive, path: string, given: string): ModelInArchive | undefined {
  const filesOf = (at: string): FsFiles => new FsFiles(dirname(at), basename(at), archive);
  if (path !== archive.path) {
    if (archive.open(path) || archive.list(path).length > 0) return { files: filesOf(path), main: basename(path) };
    throw new NotThere([noSuchModel(core, given)]);
  }
  const files = filesOf(path);
  const models = modelsIn(core, files, archive);
  const { leftOut, isZip } = archive.files;
  if (models.length > 1) throw several(core, models, given);
  if (models.length === 1) {
    const [model] = models as [string];
    if (model === basename(path)) return { files, main: model };
    const at = join(dirname(path), model);
    return { files: filesOf(at), main: basename(at), name: core.defaultModelName(model) };
  }
  // Files of Keras and PyTorch are archives, too: the core says what it is.
  if (leftOut === undefined && isZip) return undefined;
  const none = msg`no model is in the archive "${given}"`;
  if (leftOut === undefined) throw notThere(core, none, msg`give an archive with a model`);
  throw notThere(core, msg`${none}, where this was left out: ${leftOut}`, msg`unpack the archive yourself and name what it contains`);
}

/** A file that is alone is what the user means: loading it says what it is. */
function modelsIn(core: Core, files: FsFiles, archive: Archive): string[] {
  const { models, others } = found(core.findModels(files, basename(archive.path)));
  return models.length === 0 && archive.files.count === 1 ? others : models.map(({ main }) => main);
}

function several(core: Core, models: readonly string[], given: string): NotThere {
  const names = models.slice(0, MOST_NAMES).map((model) => printable(model.slice(model.indexOf('/') + 1)));
  const list = names.join(', ');
  const hint = given === '-' ? msg`name the archive's file, with one of them behind it` : msg`name one of them: ${given}/${names[0]}`;
  return notThere(core, msg`the archive "${given}" has ${models.length} models: ${models.length > MOST_NAMES ? msg`${list} and ${models.length - MOST_NAMES} more` : list}`, hint);
}

function notThere(core: Core, said: Template, hint?: Template): NotThere {
  const message = core.hostMessage(NO_SUCH_MODEL, said, '');
  return new NotThere([hint === undefined ? message : { ...message, ...hintOf(hint) }]);
}
