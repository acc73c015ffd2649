/** What a command line means for the page. */
import { OPTION_ROWS, type CommandLine, type OptionRow } from '@mo/wasm';

import { isOfFiles } from './option-files.js';
import { builtInConfiguration, ROWS } from './options.js';

/** The path of a model that comes through a pipe. */
export const STANDARD_INPUT = '-';

export interface Understood {
  /** The options that have a field, by their names. */
  values: Map<string, string>;
  /** Paths of models. */
  models: string[];
  /** Paths of other files that the user has to bring: files that options name, and folders of extensions. */
  files: string[];
  /** The options that name such files. */
  named: Set<string>;
  /** Names of options that change nothing here. */
  idle: string[];
}

/** Options of earlier releases, in the order in which they count. */
const FORMER: readonly OptionRow[] = OPTION_ROWS.filter(({ aliasOf }) => aliasOf !== '');

/** The values of those that have another than the option of today; undefined where they change nothing. */
const VALUES: Readonly<Record<string, (value: string) => string | undefined>> = {
  data_type: (value) => (/^(?:FP16|half)$/.test(value) ? 'True' : 'False'),
  disable_weights_compression: (value) => (/^true$/i.test(value) ? 'False' : undefined),
};

/** Parts of a line that are no settings of the command. */
const NOT_SETTINGS = new Set<keyof CommandLine>(['action', 'text', 'models', 'options', 'paths', 'configurations', 'extensions']);

/** `plain` is a line without options: what differs from it was given. */
export function understand(line: CommandLine, plain: CommandLine): Understood {
  const known = new Map(ROWS.map((row) => [row.name, row]));
  // Former names come after those of today, so they take precedence.
  const translated = FORMER.flatMap(({ name, aliasOf }) => line.options.filter(([given]) => given === name).flatMap(([, given]): [string, string][] => {
    const value = name in VALUES ? VALUES[name]!(given) : given;
    return value === undefined ? [] : [[aliasOf, value]];
  }));
  const values = new Map([...line.options.filter(([name]) => known.has(name)), ...translated]);
  const models = line.models.map(({ path }) => path);
  nameFor(line, values);
  const files = new Map([...values].filter(([name, value]) => {
    const row = known.get(name);
    return row !== undefined && isOfFiles(row) && value !== '' && builtInConfiguration(row, value) === undefined;
  }));
  const idle = line.options.map(([name]) => name).filter((name) => !known.has(name) && !FORMER.some((row) => row.name === name));
  return { values, models, files: [...files.values(), ...line.extensions], named: new Set(files.keys()), idle: [...idle, ...settings(line, plain)] };
}

/** Adds the name of the model if the line gives another one than the file's. */
function nameFor({ models: [model, second] }: CommandLine, values: Map<string, string>): void {
  if (!model || second) return;
  const file = model.path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
  if (model.name !== file.replace(/(?<=.)\.[^.]*$/, '')) values.set('model_name', model.name);
}

function settings(line: CommandLine, plain: CommandLine): string[] {
  const names = (Object.keys(line) as (keyof CommandLine)[]).filter((name) =>
    !NOT_SETTINGS.has(name) && JSON.stringify(line[name]) !== JSON.stringify(plain[name]));
  return [...new Set(names.map((name) => (name === 'verbose' ? 'silent' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))))];
}
