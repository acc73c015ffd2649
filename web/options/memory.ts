/** The options that belong to a model, and those that are habits of the user. The former are kept for that model, on this machine only. */
import { fromFragment, toFragment } from './fragment.js';
import { ROWS, type Given } from './options.js';

/** Its number changes if the text gets another meaning. */
const KEY = 'mo.models.1';
const MOST_MODELS = 50;
const LONGEST = 1 << 17;

/** What says how somebody likes results, whatever the model. */
const HABITS = new Set(['compress_to_fp16', 'generate_mapping', 'emit_check', 'verify_checksums', 'allow_large_output']);
/** What fits no other model. */
const NOT_FOR_OTHERS = new Set(['model_name']);

export const isHabit = (name: string): boolean => HABITS.has(name);

/** The options of the model as a text; empty if none is given. Files are left out. */
export const ownText = (given: readonly Given[]): string => toFragment(given.filter(({ row }) => !isHabit(row.name)));

export const habitText = (given: readonly Given[]): string => toFragment(given.filter(({ row }) => isHabit(row.name)));

/** The values of the form for a model: the habits stay. */
export function valuesFor(given: readonly Given[], own: string): Map<string, string> {
  return new Map([...fromFragment(habitText(given)), ...fromFragment(own)]);
}

/** The options of one model that another one could take. */
export function forOthers(own: string): string {
  const general = new Set(ROWS.filter(({ name, group, pageGroup }) => !NOT_FOR_OTHERS.has(name) && pageGroup !== 'tf' && (group === 'Agnostic' || group === 'Own')).map(({ name }) => name));
  return own.split('&').filter((part) => general.has(part.slice(0, part.indexOf('=')))).join('&');
}

/** A stored text of any other form counts as nothing. */
function read(): [model: string, own: string][] {
  try {
    const text = localStorage.getItem(KEY) ?? '';
    const rows: unknown = text.length > LONGEST ? [] : JSON.parse(text || '[]');
    const isRow = (row: unknown): row is [string, string] => Array.isArray(row) && row.length === 2 && row.every((one) => typeof one === 'string');
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  } catch {
    return [];
  }
}

/** The options that the model was given the last time; empty for none. */
export function recall(model: string): string {
  return model === '' ? '' : (read().find(([name]) => name === model)?.[1] ?? '');
}

/** Keeps the options of a model. Where the browser keeps nothing for this page, they are not kept. */
export function remember(model: string, own: string): void {
  if (model === '' || recall(model) === own) return;
  const others = read().filter(([name]) => name !== model);
  const rows = own === '' ? others : [...others, [model, own]].slice(-MOST_MODELS);
  try {
    if (rows.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(rows));
  } catch {
    // It is a private window, the disk is full, or the page was opened from a disk.
  }
}

export function forgetModels(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

export const remembersModels = (): boolean => read().length > 0;
