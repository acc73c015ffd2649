/** Which of the files that came are IRs, and which IRs are in view after that. */
import type { FileWithPath, Message } from '@mo/wasm';
import { asTemplate, isTemplate, msg, textOf } from '@mo/wasm/msg';

import { baseName, type Chosen } from '../bring/chosen.js';
import { NoModel } from '../report/codes.js';
import { pageMessage } from '../report/page-message.js';
import { isUnreadable } from './verdict.js';

/** What the core calls them. */
export const TITLE = 'OpenVINO IR';

export const binOf = (xml: string): string => xml.replace(/(\.xml)?$/i, '.bin');

/** What files are, by their paths. */
type Kinds = ReadonlyMap<string, Message>;

/** The IRs among files, and what others are. `isLone`: the files are nothing else, so that no model is guessed. */
interface Found {
  readonly irs: Chosen[];
  readonly kinds: Kinds;
  readonly isLone: boolean;
}

const isIr = (kind: Message | undefined): boolean => kind?.arguments.some((part) => isTemplate(part) && textOf(part) === TITLE) === true;
const endsWith = (ending: string) => ({ path }: FileWithPath): boolean => path.toLowerCase().endsWith(ending);

/** `areAll`: nothing but `rest` came, and nothing waits for files. */
export function irsIn({ models, rest, kinds }: Came & { readonly kinds: Kinds }, areAll: boolean): Found {
  if (models.length > 0) return { irs: [], kinds: besideModel(kinds), isLone: false };
  const byPath = new Map(rest.map((file) => [file.path, file]));
  const irs = rest.filter(({ path }) => isIr(kinds.get(path))).map((main) => irOf(main, byPath.get(binOf(main.path))));
  if (irs.length > 0 || !areAll) return { irs, kinds, isLone: irs.length > 0 };
  const bins = rest.filter(endsWith('.bin'));
  const [xml, ...more] = rest.filter((file) => !bins.includes(file));
  // An .xml that is brought by itself is read as an IR: the core says where it is none.
  if (xml && more.length === 0 && endsWith('.xml')(xml)) return { irs: [irOf(xml, byPath.get(binOf(xml.path)))], kinds, isLone: true };
  const unknown = xml ? [] : bins.filter(({ path }) => !kinds.has(path));
  return { irs, kinds: new Map([...kinds, ...unknown.map(({ path }) => [path, loneBin(path)] as const)]), isLone: unknown.length > 0 };
}

const loneBin = (path: string): Message =>
  pageMessage(NoModel, msg`a .bin has weights alone`, 'bring the .xml of the IR with it, or the model that the weights belong to', path);

/** Beside a model an IR is not looked at. */
function besideModel(kinds: Kinds): Kinds {
  const hint = 'to verify it and to see its graph, bring it without a model';
  return new Map(Array.from(kinds, ([path, kind]) => [path, isIr(kind) ? { ...kind, hint, advice: asTemplate(hint) } : kind]));
}

const irOf = (main: Chosen['main'], bin: FileWithPath | undefined): Chosen =>
  ({ main, side: bin ? [bin] : [], companions: bin ? [{ role: '', option: '', needed: false, value: '', files: [bin.path], candidates: [], lookedFor: [] }] : [] });

/** A .bin that comes later may lie in another folder than its .xml did. */
const binName = ({ main }: Chosen): string => baseName(binOf(main.path));

/** Whether files that are no models may be meant for the IRs in view. */
export function irsWait(shown: readonly Chosen[], files: readonly FileWithPath[]): boolean {
  const names = new Set(files.map(({ path }) => baseName(path)));
  return shown.some((ir) => !isUnreadable(ir) && (ir.side.length === 0 || names.has(binName(ir))));
}

/** What came, as far as IRs go. */
interface Came {
  readonly models: readonly Chosen[];
  readonly rest: readonly FileWithPath[];
}

/** The IRs that are in view next: one that comes to another one is compared with it. undefined if the files are not about IRs. */
export function irsWith(all: readonly Chosen[], { irs, models, rest }: Came & { readonly irs: readonly Chosen[] }): readonly Chosen[] | undefined {
  if (models.length > 0) return undefined;
  const shown = all.filter((ir) => !isUnreadable(ir));
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

/** What the other files are used as. */
export function rolesBeside<Role>(irs: readonly Chosen[], roles: ReadonlyMap<FileWithPath, Role>): Map<FileWithPath, Role> {
  const used = new Set<unknown>(irs.flatMap(({ main, side }) => [main, ...side]).map((file) => 'file' in file && file.file));
  return new Map([...roles].filter(([{ file }]) => !used.has(file)));
}
