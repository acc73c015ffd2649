/** What a command line means for the page. */
import type { CommandLine } from '@mo/wasm';

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

/** Options of earlier releases, as those of today; undefined where they change nothing. */
const FORMER: Readonly<Record<string, (value: string) => [name: string, value: string] | undefined>> = {
  data_type: (value) => ['compress_to_fp16', /^(?:FP16|half)$/.test(value) ? 'True' : 'False'],
  disable_weights_compression: (value) => (/^true$/i.test(value) ? ['compress_to_fp16', 'False'] : undefined),
  tensorflow_use_custom_operations_config: (value) => ['transformations_config', value],
};

/** Parts of a line that are no settings of the command. */
const NOT_SETTINGS = new Set<keyof CommandLine>(['action', 'text', 'models', 'options', 'paths', 'extensions']);

/** `plain` is a line without options: what differs from it was given. */
export function understand(line: CommandLine, plain: CommandLine): Understood {
  const known = new Map(ROWS.map((row) => [row.name, row]));
  const former = line.options.filter(([name]) => name in FORMER);
  // Former names come after those of today, so they take precedence.
  former.sort(([a], [b]) => Object.keys(FORMER).indexOf(a) - Object.keys(FORMER).indexOf(b));
  const translated = former.map(([name, value]) => FORMER[name]!(value)).filter((option) => option !== undefined);
  const values = new Map([...line.options.filter(([name]) => known.has(name)), ...translated]);
  const models = line.models.map(({ path }) => path);
  nameFor(line, values);
  const files = new Map([...values].filter(([name, value]) => {
    const row = known.get(name);
    return row !== undefined && isOfFiles(row) && value !== '' && builtInConfiguration(row, value) === undefined;
  }));
  const idle = line.options.map(([name]) => name).filter((name) => !known.has(name) && !(name in FORMER));
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
