/** Texts that nobody vouches for, made safe where they are shown or written. The core has the same functions: core/base/text.h. */

/** Characters that control a terminal, end a line, turn the direction of a text or cannot be seen. */
const RANGES = '\\0-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e007f}';
const UNSAFE = new RegExp(`[${RANGES}]`, 'gu');
const ANY_UNSAFE = new RegExp(`[${RANGES}\\p{Surrogate}]`, 'u');
const HALVES = /\p{Surrogate}/gu;

/** As in JSON: one unit of UTF-16, or two. */
const escaped = (character: string): string => character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function escape(text: string, kept: string): string {
  if (!ANY_UNSAFE.test(text)) return text;
  return text.replace(HALVES, '\ufffd').replace(UNSAFE, (character) => (kept.includes(character) ? character : escaped(character)));
}

/**
 * A text that is safe for people: in a terminal, a log, a message or a page. What a name or a message of an untrusted model has besides
 * letters, signs and blanks becomes an escape such as `\u001b`.
 *
 * @example
 * ```js
 * import { printable } from '@mo/wasm/printable';
 *
 * console.log(printable('a\u001b[31mred')); // the escape is shown, and colours nothing
 * ```
 */
export const printable = (text: string): string => escape(text, '');

/**
 * The same of a text that may have several lines: it keeps line feeds and tabs.
 *
 * @example
 * ```js
 * import { printableLines } from '@mo/wasm/printable';
 *
 * console.log(printableLines('two\nlines'));
 * ```
 */
export const printableLines = (text: string): string => escape(text, '\n\t');

/**
 * A value as JSON without unsafe characters: escapes in its texts, so that it stays what it is.
 *
 * @example
 * ```js
 * import { jsonOf } from '@mo/wasm/printable';
 *
 * console.log(jsonOf({ name: 'conv1' }, 2));
 * ```
 */
export const jsonOf = (value: unknown, indent?: number): string => printableJson(JSON.stringify(value, null, indent));

/**
 * Finished JSON without unsafe characters.
 *
 * @example
 * ```js
 * import { printableJson } from '@mo/wasm/printable';
 *
 * console.log(printableJson(JSON.stringify({ name: 'conv1' })));
 * ```
 */
export const printableJson = (json: string): string => escape(json, '\n');

/**
 * Makes a name of an IR out of that of a file: `_` in place of unsafe characters.
 *
 * @example
 * ```js
 * import { withoutUnsafe } from '@mo/wasm/printable';
 *
 * withoutUnsafe('a\u0007b'); // 'a_b'
 * ```
 */
export const withoutUnsafe = (text: string): string => text.replace(HALVES, '_').replace(UNSAFE, '_');

/**
 * Whether a text has unsafe characters.
 *
 * @example
 * ```js
 * import { hasUnsafe } from '@mo/wasm/printable';
 *
 * hasUnsafe('conv1'); // false
 * ```
 */
export const hasUnsafe = (text: string): boolean => ANY_UNSAFE.test(text);
