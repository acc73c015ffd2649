import { isAbsolute, sep } from 'node:path';
import process from 'node:process';

import type { CommandLine, Core } from '../../shared/core.js';
import { fileOnDisk } from '../archive/archive.js';
import { keepOpen } from '../archive/kept.js';
import { orMoError } from '../archive/refusal.js';
import { FsFiles } from '../fs-files.js';

/** The line's options with absolute paths. */
export function conversionOptions(core: Core, line: CommandLine): [name: string, value: string][] {
  return line.options.map(([name, value]) => [name, line.paths.includes(name) ? absoluteValue(core, name, value) : value]);
}

/** The options of the line whose values are paths of files. */
export function fileOptions(line: CommandLine): [name: string, value: string][] {
  return line.options.filter(([name, value]) => value !== '' && line.paths.includes(name));
}

/** The files on disk that an option names, archives among them: none if there is no such file. */
export function filesOf(core: Core, name: string, value: string): string[] {
  const files = new FsFiles();
  try {
    const wanted = absoluteValue(core, name, value);
    const found = core.optionFiles(files, name, wanted);
    const shown = found.length === 1 && found[0] === wanted ? [value] : found; // as the user gave it
    return [...new Set(shown.map((path) => orMoError(core, () => fileOnDisk(path, absolute(path))) ?? path))];
  } finally {
    keepOpen(files.lastArchive);
    files.close();
  }
}

function absoluteValue(core: Core, name: string, value: string): string {
  return core.optionPaths(name, value).map(absolute).join(',');
}

/** As in the native command, which leaves `..` to the system. */
function absolute(path: string): string {
  return path === '' || isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
}
