import { isAbsolute, sep } from 'node:path';
import process from 'node:process';

import type { CommandLine } from '../../shared/core.js';

/** The line's options with absolute paths. */
export function conversionOptions(line: CommandLine): [name: string, value: string][] {
  return line.options.map(([name, value]) => [name, line.paths.includes(name) ? absolute(value) : value]);
}

/** As in the native command, which leaves `..` to the system. */
function absolute(path: string): string {
  return path === '' || isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
}
