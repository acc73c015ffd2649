import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { found } from '../../shared/found.js';
import { lacksMemory, MoError } from '../../shared/messages.js';
import { archiveOn } from '../archive/archive.js';
import { keepOpen } from '../archive/kept.js';
import { FsFiles } from '../fs-files.js';
import { openModel } from '../open-model.js';

/**
 * The line with the models in each folder that is none itself, and in each archive with several, in its place, all named anew. A folder without models stays as it is: its conversion
 * says why.
 *
 * @throws {MoError} when a folder cannot be read, or two models would have the same IR.
 */
export function withGivenModels(core: Core, line: CommandLine): CommandLine {
  const all = line.models.flatMap((argument): ModelArgument[] => {
    const given = { ...argument, path: wholePath(core, argument.path) };
    const models = given.path === '-' ? [] : isFolder(given.path) ? modelsIn(core, given.path) : modelsInArchive(core, given.path);
    const named = { name: given.name, isNamed: given.isNamed };
    const here: ModelArgument[] = models.length === 0 ? [{ ...given, folder: '' }] : models.map((model) => ({ ...model, ...named }));
    return here.flatMap((model) => modelsOf(core, model));
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

/** The path of the file that is named without its end, where its format allows that; else the path itself. */
function wholePath(core: Core, path: string): string {
  const folder = dirname(path);
  if (path === '-' || existsSync(path) || !isFolder(folder)) return path;
  const files = new FsFiles(resolve(folder));
  try {
    const name = core.fileMeantBy(files, basename(path));
    if (typeof name !== 'string') throw new MoError(name.messages);
    return name === '' ? path : join(folder, name);
  } finally {
    files.close();
  }
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
      return modelAt(folder === '.' ? path : `${folder.replace(/\/$/, '')}/${path}`, path);
    });
  } finally {
    files.close();
  }
}

/**
 * The models in an archive that has several, or in a folder of an archive; none for other files, and for a folder that is a model: their
 * conversion says what they are.
 */
function modelsInArchive(core: Core, given: string): { path: string; folder: string }[] {
  try {
    const archive = archiveOn(resolve(given));
    if (!archive) return [];
    keepOpen(archive);
    const name = basename(archive.path), path = resolve(given);
    const isWhole = archive.path === path;
    const files = new FsFiles(dirname(archive.path), name, archive);
    try {
      if (!isWhole && archive.list(path).length === 0) return [];
      const below = `${name}${path.slice(archive.path.length).replaceAll('\\', '/')}`;
      const mains = found(core.findModels(files, below)).models.map(({ main }) => main);
      if ((isWhole && mains.length < 2) || mains.includes(below)) return [];
      return mains.map((main) => modelAt(`${given.replace(/[/\\]$/, '')}/${main.slice(below.length + 1)}`, main.slice(below.length + 1)));
    } finally {
      files.close();
      archive.close();
    }
  } catch (error) {
    if (lacksMemory(error)) throw error;
    return [];
  }
}

/** The model, or those of a file that has several, each with its name. */
function modelsOf(core: Core, model: ModelArgument): ModelArgument[] {
  if (model.isNamed || model.path === '-') return [model];
  try {
    const { files, main, archive } = openModel(core, model.path);
    keepOpen(archive);
    try {
      const own = found(core.findModels(files, main)).models.find((one) => one.main === main);
      const names = own?.companions.find(({ option }) => option === 'model_name')?.candidates ?? [];
      return names.length === 0 ? [model] : names.map((name) => ({ ...model, name, isNamed: true }));
    } finally {
      files.close();
    }
  } catch (error) {
    // Its conversion says why it cannot be opened.
    if (lacksMemory(error)) throw error;
    return [model];
  }
}

/** `inside`: its path seen from the folder that the user gives. */
const modelAt = (path: string, inside: string) => ({ path, folder: inside.slice(0, Math.max(inside.lastIndexOf('/'), 0)) });

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // The path may lead into an archive.
    return false;
  }
}
