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
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files.filter(isIr).map((main) => irOf(main, byPath.get(binOf(main.path))));
}

const irOf = (main: Chosen['main'], bin: FileWithPath | undefined): Chosen =>
  ({ main, side: bin ? [bin] : [], companions: bin ? [{ role: '', option: '', needed: false, value: '', files: [bin.path], candidates: [], lookedFor: [] }] : [] });

/** A .bin that comes later may lie in another folder than its .xml did. */
const binName = ({ main }: Chosen): string => baseName(binOf(main.path));

/** Whether files that are no models may be meant for the IRs in view. */
export function irsWait(shown: readonly Chosen[], files: readonly FileWithPath[]): boolean {
  const names = new Set(files.map(({ path }) => baseName(path)));
  return shown.some((ir) => ir.side.length === 0 || names.has(binName(ir)));
}

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
  const byBin = new Map<string, number[]>();
  for (const [at, ir] of shown.entries()) {
    const places = byBin.get(binName(ir));
    if (places) places.push(at);
    else byBin.set(binName(ir), [at]);
  }
  for (const file of rest) {
    const places = taken.has(file) ? undefined : byBin.get(baseName(file.path));
    if (!places) continue;
    const at = places.findLast((place) => next[place]!.side.length === 0) ?? places.at(-1)!;
    const { main } = next[at]!;
    next[at] = irOf(main, { path: binOf(main.path), file: file.file });
  }
  const [first] = next;
  const [come] = irs;
  if (!come) return irsWait(shown, rest) ? next : undefined;
  // The same one, now with its .bin.
  const again = first?.side.length === 0 && baseName(first.main.path) === baseName(come.main.path);
  return first && next.length === 1 && irs.length === 1 && !again ? [first, come] : irs;
}
