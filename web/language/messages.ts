/**
 * Messages in the language of the page. Those of the core are English sentences with names and numbers in them: the sentence of each code
 * is translated, and so are details that are known. Other details are shown separately, in English.
 */
import { languageNow, LiveText, t, type Language } from './texts.js';

export interface Told {
  readonly text: string;
  /** The part of the message that has no translation, in English; empty where all of it has one. */
  readonly original: string;
}

/** Messages with more characters have long names in them. They are not compared with patterns. */
const LONGEST = 600;
/** What `{name}` matches: a name, a number, a shape or a quoted text. */
const NAME = '(\\[[^\\]]*\\]|"[^"]*"|\'[^\']*\'|\\S+?)';
/** Names between commas, which are the same in every language. */
const NAMES = /^(?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s,]+)(?:, (?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s,]+))*$/;
/** Places of a pattern: `{rest}` is a text with a translation of its own, `{names}` is any text, such as several names. */
const REST = 'rest';
const ANYTHING = 'names';
const FAQ = /^(.*) \(Model Optimizer FAQ, question #(\d+)\)$/s;

/** A message in the language of the page. If only its code is known, the text is the sentence of the code. */
export function told(english: string, code = ''): Told {
  const language = languageNow();
  const known = tell(english, language);
  const sentence = language.sentences.get(code);
  return known ?? (sentence === undefined ? { text: english, original: '' } : { text: sentence, original: english });
}

export const messageText = (english: string, code?: string): LiveText => new LiveText(() => told(english, code).text);
export const originalText = (english: string, code?: string): LiveText => new LiveText(() => told(english, code).original);

/** The translation with the English rest in parentheses, for places with one text only. */
export function wholeText(english: string, code?: string): LiveText {
  return new LiveText(() => {
    const { text, original } = told(english, code);
    return original === '' ? text : String(t('{text} ({original})', { text, original }));
  });
}

export function hintText(english: string): LiveText {
  return new LiveText(() => {
    const [, hint, number] = FAQ.exec(english) ?? [];
    if (hint === undefined) return told(english).text;
    return String(t('{hint} (Model Optimizer FAQ, question #{number})', { hint: told(hint).text, number: number! }));
  });
}

/** undefined where nothing of it is known. */
function tell(english: string, language: Language): Told | undefined {
  const whole = language.texts.get(english);
  if (typeof whole === 'string') return { text: whole, original: '' };
  if (english.length > LONGEST) return undefined;
  return byPattern(english, language) ?? byBeginning(english, language);
}

/** Translates a known sentence before a colon, and the detail behind it as far as that is known. */
function byBeginning(english: string, language: Language): Told | undefined {
  for (let at = english.lastIndexOf(': '); at > 0; at = english.lastIndexOf(': ', at - 1)) {
    const sentence = language.texts.get(english.slice(0, at));
    if (typeof sentence !== 'string') continue;
    const detail = english.slice(at + 2);
    const { text, original } = told(detail);
    const isTold = original === '' && (text !== detail || NAMES.test(detail));
    if (isTold) return { text: String(t('{sentence}: {detail}', { sentence, detail: text })), original: '' };
    return text === detail ? { text: sentence, original: detail } : { text: String(t('{sentence}: {detail}', { sentence, detail: text })), original };
  }
  return undefined;
}

function byPattern(english: string, language: Language): Told | undefined {
  for (const [pattern, names, translation] of patternsOf(language)) {
    const found = pattern.exec(english);
    if (!found) continue;
    let original = '';
    const values = Object.fromEntries(names.map((name, index) => {
      const value = found[index + 1]!;
      if (name !== REST) return [name, value];
      const rest = told(value);
      original = rest.original || (rest.text === value && !NAMES.test(value) ? value : '');
      return [name, rest.text === value && original !== '' ? '…' : rest.text];
    }));
    // A pattern without words says nothing by itself.
    if (original !== '' && !/[a-z]/.test(pattern.source.replaceAll(NAME, ''))) continue;
    return { text: translation.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''), original };
  }
  return undefined;
}

type Pattern = readonly [pattern: RegExp, names: readonly string[], translation: string];

const patterns = new WeakMap<Language, readonly Pattern[]>();

function patternsOf(language: Language): readonly Pattern[] {
  const known = patterns.get(language) ?? language.details.map(([english, translation]): Pattern => {
    const parts = english.split(/\{(\w+)\}/);
    const source = parts.map((part, index) => (index % 2 === 0 ? part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') : part === REST || part === ANYTHING ? '(.+)' : NAME)).join('');
    return [new RegExp(`^${source}$`, 's'), parts.filter((_, index) => index % 2), translation];
  });
  patterns.set(language, known);
  return known;
}
