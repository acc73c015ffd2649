/** The files that a model needs besides its main one, found by what its format says: so that the user need not name them as on the command line. */
import { MoError, OPTION_ROWS, type BrowserOptions, type CompanionFiles, type Message } from '@mo/wasm';
import { msg, withDetail } from '@mo/wasm/msg';

import { baseName, folderOf, type Chosen } from './chosen.js';
import { NamedFile } from '../options/option-files.js';
import type { Given } from '../options/options.js';
import { NoCompanion, NoVariable, NoWeights } from '../report/codes.js';
import { pageMessage } from '../report/page-message.js';

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

/** The model with the files that pasted lines have named as its companions, and the other options. Throws a MoError for one that did not come. */
export function withNamed(chosen: Chosen, options: BrowserOptions): { chosen: Chosen; options: BrowserOptions } {
  const all = Object.entries(options);
  const named = all.flatMap(([option, value]) => (value instanceof NamedFile ? [[option, value.path] as const] : []));
  if (named.length === 0) return { chosen, options };
  const rest = Object.fromEntries(all.filter(([, value]) => !(value instanceof NamedFile))) as BrowserOptions;
  const companions = named.flatMap(([option, path]) => {
    const value = amongFiles(chosen, path);
    if (value !== undefined) return [{ role: '', option, needed: true, value, files: [value], candidates: [], lookedFor: [] }];
    if (chosen.companions.some((one) => one.option === option && one.value !== '')) return [];
    const lack = withDetail('a file that the model needs is missing', msg`--${option}: ${path} is not among the files`);
    throw new MoError([{ ...pageMessage(NoCompanion, lack, 'drop it together with the model'), option, options: [option] }]);
  });
  const others = chosen.companions.filter(({ option }) => !companions.some((one) => one.option === option));
  return { chosen: { ...chosen, companions: [...others, ...companions] }, options: rest };
}

/** The path of the file that somebody's path means: that which has most folders in common with it. */
function amongFiles({ main, side }: Chosen, path: string): string | undefined {
  const wanted = path.split(/[/\\]/).reverse();
  const equal = (file: string): number => {
    const parts = file.split('/').reverse();
    const differs = parts.findIndex((part, index) => part !== wanted[index]);
    return differs < 0 ? parts.length : differs;
  };
  const paths = ['file' in main ? [main.path] : [], side.map((file) => file.path)].flat();
  return paths.reduce<string | undefined>((best, file) => (equal(file) > (best === undefined ? 0 : equal(best)) ? file : best), undefined);
}

const isPath = (option: string): boolean => OPTION_ROWS.some(({ name, kind }) => name === option && kind === 'Path');

/** The options that name the files that were found. */
function namedFor({ main, companions }: Chosen): [option: string, value: string][] {
  const folder = folderOf(main.path);
  const named = companions.filter(({ option, value }) => option !== '' && value !== '');
  return named.map(({ option, value }) => [option, value.startsWith(folder) ? value.slice(folder.length) : isPath(option) ? value : baseName(value)]);
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
