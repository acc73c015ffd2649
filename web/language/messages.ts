/** Messages in the language of the page: each template of theirs has a translation, and so have the templates among its arguments. */
import type { Message } from '@mo/wasm';
import { isTemplate, textOf, type Template } from '@mo/wasm/msg';

import { languageNow, LiveText, t, type Language } from './texts.js';

export interface Told {
  readonly text: string;
  /** The detail of the message as it is, if a part of it has no translation; otherwise empty. */
  readonly original: string;
}

/** Templates are shorter. */
const LONGEST = 1000;
/** Names of attributes and options, which are the same in every language. */
const NAMES = /\w*_\w*/g;

/** A message in the language of the page. If parts of it have no translation, the text is the sentence of its code, if that has one. */
export function told({ code, text, template, arguments: given }: Pick<Message, 'code' | 'text' | 'template' | 'arguments'>): Told {
  const language = languageNow();
  const known = translated({ template, arguments: given }, language);
  if (known !== undefined) return { text: known, original: '' };
  const sentence = language.sentences.get(code);
  if (sentence === undefined) return { text, original: '' };
  const [, detail] = given;
  return { text: sentence, original: template === '{}: {}' && isTemplate(detail) ? textOf(detail) : text };
}

export const messageText = (message: Message): LiveText => new LiveText(() => told(message).text);
export const originalText = (message: Message): LiveText => new LiveText(() => told(message).original);

/** The translation with the English text in parentheses, for places with one text only. */
export function wholeText(message: Message): LiveText {
  return new LiveText(() => {
    const { text, original } = told(message);
    return original === '' ? text : String(t('{text} ({original})', { text, original }));
  });
}

export function hintText({ advice }: Message): LiveText {
  return templateText(advice);
}

export function templateText(said: Template): LiveText {
  return new LiveText(() => translated(said, languageNow()) ?? textOf(said));
}

/** undefined if a part has no translation. */
function translated({ template, arguments: given }: Template, language: Language): string | undefined {
  // What an extension or the system says, in whatever language, stands apart.
  if (template === '{}' && language.tag !== 'en' && typeof given[0] === 'string' && /\s/.test(given[0])) return undefined;
  const words = wordsOf(template, language);
  const values = given.map((value) => (typeof value === 'string' ? value : translated(value, language)));
  if (words === undefined || values.includes(undefined)) return undefined;
  let next = 0;
  return words.replace(/\{(\d*)\}/g, (_, place: string) => values[place === '' ? next++ : Number(place)] ?? '');
}

function wordsOf(template: string, language: Language): string | undefined {
  const known = language.templates.get(template) ?? language.texts.get(template);
  if (typeof known === 'string') return known;
  return language.tag === 'en' || isWordless(template) ? template : undefined;
}

/** Whether a template has no words, so that it is the same in every language. */
export const isWordless = (template: string): boolean => template.length < LONGEST && !/[A-Za-z]/.test(template.replace(NAMES, ''));
