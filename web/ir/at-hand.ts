/** Which of the files that came are IRs, and which IRs are in view after that. */
import type { FileWithPath, Message } from '@mo/wasm';
import { isTemplate, textOf } from '@mo/wasm/msg';

import { baseName, type Chosen } from '../bring/chosen.js';

/** What the core calls them. */
export const TITLE = 'OpenVINO IR';

export const binOf = (xml: string): string => xml.replace(/(\.xml)?$/i, '.bin');

/** `recognised`: what files are, by their paths. */
export function irsAmong(files: readonly FileWithPath[], recognised: ReadonlyMap<string, Message>): Chosen[] {
  const isIr = ({ path }: FileWithPath) => recognised.get(path)?.arguments.some((part) => isTemplate(part) && textOf(part) === TITLE);
  const mains = files.filter(isIr);
  return mains.map((main) => irOf(main, files.find(({ path }) => path === binOf(main.path))));
}

const irOf = (main: Chosen['main'], bin: FileWithPath | undefined): Chosen =>
  ({ main, side: bin ? [bin] : [], companions: bin ? [{ role: '', option: '', needed: false, value: '', files: [bin.path], candidates: [], lookedFor: [] }] : [] });

const isBinOf = ({ main }: Chosen, { path }: { path: string }): boolean => baseName(binOf(main.path)) === baseName(path);

/** Whether files that are no models may be meant for the IRs in view. */
export const irsWait = (shown: readonly Chosen[], files: readonly FileWithPath[]): boolean =>
  shown.some((ir) => ir.side.length === 0 || files.some((file) => isBinOf(ir, file)));

/** What came, as far as IRs go. */
interface Came {
  readonly irs: readonly Chosen[];
  readonly models: readonly Chosen[];
  readonly rest: readonly FileWithPath[];
}

/** The IRs that are in view next: one that comes to another one is compared with it. undefined if the files are not about IRs. */
export function irsWith(shown: readonly Chosen[], { irs, models, rest }: Came): readonly Chosen[] | undefined {
  if (models.length > 0) return undefined;
  const taken = new Set(irs.flatMap(({ side }) => side));
  const next = [...shown];
  for (const file of rest) {
    if (taken.has(file)) continue;
    const lacks = next.findLastIndex((ir) => isBinOf(ir, file) && ir.side.length === 0);
    const at = lacks >= 0 ? lacks : next.findLastIndex((ir) => isBinOf(ir, file));
    const main = next[at]?.main;
    if (main) next[at] = irOf(main, { path: binOf(main.path), file: file.file });
  }
  const [first] = next;
  const [come] = irs;
  if (!come) return irsWait(shown, rest) ? next : undefined;
  // The same one, now with its .bin.
  const again = first?.side.length === 0 && baseName(first.main.path) === baseName(come.main.path);
  return first && next.length === 1 && irs.length === 1 && !again ? [first, come] : irs;
}
