/** Texts for people. Their keys are the English sentences, which stand where they are used; docs/translating.md tells more. */

/** A text, or its forms by the categories of numbers that the language has: https://cldr.unicode.org/index/cldr-spec/plural-rules */
export type Translation = string | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string });

/** A language: its translations of English texts. */
export interface Language {
  /** As BCP 47 has it. */
  readonly tag: string;
  /** Translations by the English text; for a text with a number, by the English plural. */
  readonly texts: ReadonlyMap<string, Translation>;
  /** The templates of messages by the English ones; their places are `{}`, or `{0}` with the number of the argument. */
  readonly templates: ReadonlyMap<string, string>;
  /** The sentence of each message by its code. */
  readonly sentences: ReadonlyMap<string, string>;
  /** The help pages of messages by their codes, as HTML. English has them elsewhere. */
  readonly help?: () => Promise<Readonly<Record<string, string>>>;
}

export const ENGLISH: Language = { tag: 'en', texts: new Map(), templates: new Map(), sentences: new Map() };

let language = ENGLISH;
let rules = new Intl.PluralRules(language.tag);
let numbers = new Intl.NumberFormat(language.tag);

export function languageNow(): Language {
  return language;
}

/** Sets the language. After that, refreshTexts() in shown.ts renews the texts that are shown. */
export function speak(next: Language): void {
  language = next;
  rules = new Intl.PluralRules(next.tag);
  numbers = new Intl.NumberFormat(next.tag);
}

/** A text that is made anew for each language: as a part of an element it changes with the language. */
export class LiveText {
  constructor(private readonly make: () => string) {}

  toString(): string {
    return this.make();
  }
}

/** Names, and other texts that are the same in every language, are strings. */
export type Text = string | LiveText;

/** What stands in the places of a text, `{name}`. Numbers are written as the language does. */
export type Values = Readonly<Record<string, Text | number>>;

/** A text in the language of the page. One without values has no places: braces in it are braces. */
export function t(english: string, values?: Values): LiveText {
  return new LiveText(() => (values ? filled(templateOf(english), values) : templateOf(english)));
}

/** A text for a number, `{n}`: English needs two of them, and the second one is the key. */
export function plural(n: number, one: string, other: string, values: Values = {}): LiveText {
  return new LiveText(() => {
    const known = language.texts.get(other);
    const form = known === undefined ? (n === 1 ? one : other) : typeof known === 'string' ? known : (known[rules.select(n)] ?? known.other);
    return filled(form, { ...values, n });
  });
}

/** A count with its noun: `1 output`, `3 outputs`. */
export function countText(count: number, noun: string): LiveText {
  return plural(count, `{n} ${noun}`, `{n} ${noun}s`);
}

export function numberText(number: number, format?: Intl.NumberFormatOptions): LiveText {
  return new LiveText(() => (format ? new Intl.NumberFormat(language.tag, format) : numbers).format(number));
}

/** Texts one after the other, as the language joins them. */
export function listText(texts: readonly Text[]): LiveText {
  return new LiveText(() => texts.join(String(t(', '))));
}

/** `a, b and c`. */
export function allText(texts: readonly string[]): LiveText {
  return new LiveText(() => new Intl.ListFormat(language.tag).format(texts));
}

/** The text with its places unfilled. */
export function templateOf(english: string): string {
  const known = language.texts.get(english);
  return known === undefined ? english : typeof known === 'string' ? known : known.other;
}

/** The parts of a text around its places, and the names of the places, in turn. */
export function partsOf(template: string): string[] {
  return template.split(/\{(\w+)\}/);
}

function filled(template: string, values: Values): string {
  return partsOf(template).map((part, index) => (index % 2 ? written(values[part]) : part)).join('');
}

function written(value: Text | number | undefined): string {
  return typeof value === 'number' ? numbers.format(value) : String(value ?? '');
}
