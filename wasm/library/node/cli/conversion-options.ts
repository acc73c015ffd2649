import { isAbsolute, sep } from 'node:path';
import process from 'node:process';

import type { CommandLine } from '../../shared/core.js';

/** The line's options with absolute paths, and the switches from the environment. */
export function conversionOptions(line: CommandLine): [name: string, value: string][] {
  const switches = [['enabled_transforms', 'MO_ENABLED_TRANSFORMS'], ['disabled_transforms', 'MO_DISABLED_TRANSFORMS']] as const;
  const switched = switches.flatMap(([name, variable]): [string, string][] =>
    process.env[variable] === undefined ? [] : [[name, process.env[variable]]]);
  const given = line.options.map(([name, value]): [string, string] => [name, line.paths.includes(name) ? absolute(value) : value]);
  return [...switched.reverse(), ...given];
}

/** As in the native command, which leaves `..` to the system. */
function absolute(path: string): string {
  return path === '' || isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
}
