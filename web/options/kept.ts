/** The options as they were at the last visit, on this machine only. */
import { fromFragment, toFragment } from './fragment.js';
import { isLanguage } from '../language/languages.js';
import type { Given } from './options.js';

/** Its number changes if the text gets another meaning, because another version of the page may have stored the text. */
const KEY = 'mo.options.1';
/** A longer text is not the page's own. */
const LONGEST = 1 << 17;
/** The name belongs to one model, and would be given to the next one without being seen. */
const NOT_KEPT = 'model_name';

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
    values.delete(NOT_KEPT);
    return { values, look: look === true, language: isLanguage(language) ? language : undefined };
  } catch {
    return nothing;
  }
}

/** Keeps what differs from the defaults, without files. Where the browser keeps nothing for this page, it is not kept. */
export function keep(given: readonly Given[], look: boolean, language: string | undefined): void {
  const options = toFragment(given.filter(({ row }) => row.name !== NOT_KEPT));
  try {
    if (options === '' && !look && language === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ options, look, language }));
  } catch {
    // It is a private window, the disk is full, or the page was opened from a disk.
  }
}
