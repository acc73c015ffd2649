import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { found } from '../../shared/found.js';
import { MoError } from '../../shared/messages.js';
import { FsFiles } from '../fs-files.js';

/**
 * The line with the models in each folder that is none itself in its place, all named anew. A folder without models stays as it is: its conversion
 * says why.
 *
 * @throws {MoError} when a folder cannot be read, or two models would have the same IR.
 */
export function withGivenModels(core: Core, line: CommandLine): CommandLine {
  const all = line.models.flatMap((given): ModelArgument[] => {
    const models = given.path !== '-' && isFolder(given.path) ? modelsIn(core, given.path) : [];
    const named = { name: given.name, isNamed: given.isNamed };
    return models.length === 0 ? [{ ...given, folder: '' }] : models.map((model) => ({ ...model, ...named }));
  });
  const models = core.nameModels(all, line.report);
  if (!Array.isArray(models)) throw new MoError(models.messages);
  // No two of several models have the same IR: what is found in an archive changes none of their names.
  return { ...line, models: models.length > 1 ? models.map((model) => ({ ...model, isNamed: true })) : models };
}

/** The folder for the IR of a model. */
export function irFolder({ outputDir }: CommandLine, { folder }: ModelArgument): string {
  return folder === '' ? outputDir : join(outputDir, folder);
}

/** The models in a folder, with the folders in which they are; none for a folder that is a model. */
function modelsIn(core: Core, folder: string): { path: string; folder: string }[] {
  const real = realpathSync(folder);
  const name = basename(real);
  const files = new FsFiles(dirname(real));
  try {
    const mains = found(core.findModels(files, name)).models.map(({ main }) => main);
    if (mains.includes(name)) return [];
    return mains.map((main) => {
      const path = main.slice(name === '' ? 0 : name.length + 1);
      return { path: folder === '.' ? path : `${folder.replace(/\/$/, '')}/${path}`, folder: path.slice(0, Math.max(path.lastIndexOf('/'), 0)) };
    });
  } finally {
    files.close();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // The path may lead into an archive.
    return false;
  }
}
