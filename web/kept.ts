/** The options as they were at the last visit, on this machine only. */
import { fromFragment, toFragment } from './fragment.js';
import { isLanguage } from './language/languages.js';
import type { Given } from './options.js';

/** Another version of the page may mean something else by the same text. */
const KEY = 'mo.options.1';
/** A longer text is not the page's own. */
const LONGEST = 1 << 17;
/** It is of one model, and would be given to the next one unseen. */
const NOT_KEPT = 'model_name';

export interface Kept {
  values: Map<string, string>;
  /** Whether a model waits at its card before it is converted. */
  look: boolean;
  /** What the user has chosen against the browser's own. */
  language: string | undefined;
}

/** Whatever else is found there counts as nothing. */
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
    // A private window, a full disk, or a page opened from one.
  }
}
