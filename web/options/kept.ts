/** The habits of the user as they were at the last visit, on this machine only. Options of one model are kept for that: memory.ts. */
import { fromFragment } from './fragment.js';
import { isLanguage } from '../language/languages.js';
import { habitText, isHabit } from './memory.js';
import type { Given } from './options.js';

/** Its number changes if the text gets another meaning, because another version of the page may have stored the text. */
const KEY = 'mo.options.1';
/** A longer text is not the page's own. */
const LONGEST = 1 << 17;

export interface Kept {
  values: Map<string, string>;
  /** Whether a model waits at its card before it is converted. */
  look: boolean;
  /** The language that the user has chosen instead of the browser's. */
  language: string | undefined;
}

/** A stored text of any other form counts as nothing. */
export function readKept(): Kept {
  const nothing: Kept = { values: new Map(), look: false, language: undefined };
  try {
    const text = localStorage.getItem(KEY) ?? '';
    if (text === '' || text.length > LONGEST) return nothing;
    const kept: unknown = JSON.parse(text);
    const { options, look, language } = Object(kept) as Record<string, unknown>;
    const values = typeof options === 'string' ? fromFragment(options) : nothing.values;
    for (const name of [...values.keys()]) if (!isHabit(name)) values.delete(name);
    return { values, look: look === true, language: isLanguage(language) ? language : undefined };
  } catch {
    return nothing;
  }
}

/** Keeps what differs from the defaults. Where the browser keeps nothing for this page, it is not kept. */
export function keep(given: readonly Given[], look: boolean, language: string | undefined): void {
  const options = habitText(given);
  try {
    if (options === '' && !look && language === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ options, look, language }));
  } catch {
    // It is a private window, the disk is full, or the page was opened from a disk.
  }
}
