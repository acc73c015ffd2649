/**
 * Messages in the language of the page. Those of the core are English sentences with names and numbers in them: the sentence of each code is
 * translated, and details that are known; others are shown as they are, apart from the rest.
 */
import { languageNow, LiveText, t, type Language } from './texts.js';

export interface Told {
  readonly text: string;
  /** What is not translated; empty where that is nothing. */
  readonly original: string;
}

/** Longer ones have long names in them: they are shown as they are. */
const LONGEST = 600;
/** What `{name}` matches: a name, a number, a shape or a quoted text. */
const NAME = '(\\[[^\\]]*\\]|"[^"]*"|\'[^\']*\'|\\S+?)';
/** What needs no translation. */
const NAMES = /^(?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s,]+)(?:, (?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s,]+))*$/;
/** In a pattern, the place of another text, and that of names with what is between them. */
const REST = 'rest';
const ANYTHING = 'names';
const FAQ = /^(.*) \(Model Optimizer FAQ, question #(\d+)\)$/s;

/** The text of a message, whose code may be known. */
export function told(english: string, code = ''): Told {
  const language = languageNow();
  const known = tell(english, language);
  const sentence = language.sentences.get(code);
  return known ?? (sentence === undefined ? { text: english, original: '' } : { text: sentence, original: english });
}

export const messageText = (english: string, code?: string): LiveText => new LiveText(() => told(english, code).text);
export const originalText = (english: string, code?: string): LiveText => new LiveText(() => told(english, code).original);

/** Both, where there is room for one text only. */
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

/** A sentence that is known, a colon, and a detail. */
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
