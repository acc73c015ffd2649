/** Files that pasted command lines have named, among those that came. */
import { MoError, type BrowserOptions } from '@mo/wasm';
import { msg, withDetail } from '@mo/wasm/msg';

import type { Chosen } from './chosen.js';
import { NamedFile } from '../options/option-files.js';
import { NoCompanion } from '../report/codes.js';
import { pageMessage } from '../report/page-message.js';

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
