/** The languages of the page. Another one is a row here and a folder beside this file: docs/translating.md. */
import { ENGLISH, type Language } from './texts.js';

interface Row {
  readonly tag: string;
  /** As its speakers call it. */
  readonly name: string;
  readonly load: () => Promise<Language>;
}

/** The first one is that of the texts in the source. */
export const LANGUAGES: readonly Row[] = [
  { tag: 'en', name: 'English', load: async () => ENGLISH },
  { tag: 'zh-Hans', name: '简体中文', load: async () => (await import('./zh-Hans/language.js')).default },
];

/** Loads all languages ahead, because the page makes no requests later. */
export const loadLanguages = () => Promise.all(LANGUAGES.map(async ({ load }) => (await load()).help?.()));

export const isLanguage = (tag: unknown): tag is string => LANGUAGES.some((language) => language.tag === tag);

/** The first wanted language that the page has. Language and script are compared: zh-CN is zh-Hans, zh-TW is not. */
export function languageFor(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => scriptOf(language.tag) === scriptOf(tag));
    if (found) return found.tag;
  }
  return LANGUAGES[0]!.tag;
}

function scriptOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return tag;
  }
}
