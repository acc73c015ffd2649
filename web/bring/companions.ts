/** The files that a model needs besides its main one, found by what its format says: so that the user need not name them as on the command line. */
import { OPTION_ROWS, type BrowserOptions, type CompanionFiles, type Message } from '@mo/wasm';

import { baseName, folderOf, type Chosen } from './chosen.js';
import { NamedFile } from '../options/option-files.js';
import type { Given } from '../options/options.js';
import { NoCompanion, NoVariable, NoWeights } from '../report/codes.js';

/** A variable has no value; a file that the model needs is missing; layers have no weights. */
const LACKS = new Set([NoVariable, NoCompanion, NoWeights]);

/** The files of roles that have none, if the conversion has failed because of that. Messages may say by an option which role it is. */
export function lackedBy(chosen: Chosen | undefined, messages: readonly Message[]): readonly CompanionFiles[] {
  const lacks = messages.filter(({ code }) => LACKS.has(code));
  if (lacks.length === 0) return [];
  const meant = new Set(lacks.flatMap(({ options }) => options));
  const absent = (chosen?.companions ?? []).filter(({ value, candidates }) => value === '' && candidates.length === 0);
  return absent.filter(({ option }) => meant.size === 0 || meant.has(option));
}

/** Loads what finds files that pasted lines have named. */
export const loadNamed = () => import('./named.js');

/** As withNamed() of named.ts. */
export async function withNamed(chosen: Chosen, options: BrowserOptions): Promise<{ chosen: Chosen; options: BrowserOptions }> {
  return Object.values(options).some((value) => value instanceof NamedFile) ? (await loadNamed()).withNamed(chosen, options) : { chosen, options };
}

const isPath = (option: string): boolean => OPTION_ROWS.some(({ name, kind }) => name === option && kind === 'Path');

/** The options that name the files that were found, and the model in its file. */
function namedFor({ main, companions, model }: Chosen): [option: string, value: string][] {
  const folder = folderOf(main.path);
  const named = companions.filter(({ option, value }) => option !== '' && value !== '');
  const files = named.map(({ option, value }): [string, string] => [option, value.startsWith(folder) ? value.slice(folder.length) : isPath(option) ? value : baseName(value)]);
  return model === undefined ? files : [...files, ['model_name', model]];
}

/** The options for a model; what the user has chosen stays. */
export function optionsFor(chosen: Chosen, options: BrowserOptions): BrowserOptions {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const named = namedFor(chosen).filter(([option]) => given[option] === undefined);
  return named.length === 0 ? options : { ...options, ...Object.fromEntries(named) };
}

/** The same for the command. */
export function givenFor(chosen: Chosen | undefined, given: readonly Given[]): readonly Given[] {
  const named = chosen ? namedFor(chosen).filter(([option]) => !given.some(({ row }) => row.name === option)) : [];
  if (named.length === 0) return given;
  return [...given, ...named.map(([option, value]) => ({ row: OPTION_ROWS.find(({ name }) => name === option)!, value }))];
}
