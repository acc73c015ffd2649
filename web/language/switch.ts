/** The choice of the language, in the head of the page. */
import { byId, h } from '../page/dom.js';
import { LANGUAGES, languageFor } from './languages.js';
import { refreshTexts } from './shown.js';
import { speak } from './texts.js';

export class LanguageSwitch {
  readonly #select = byId<HTMLSelectElement>('language');
  #chosen: string | undefined;
  #shown = LANGUAGES[0]!.tag;

  /** `onSpoken` is called after the page speaks another language, `onChosen` when the user has chosen one. */
  constructor(private readonly onSpoken: () => void, onChosen: () => void) {
    this.#select.append(...LANGUAGES.map(({ tag, name }) => h('option', { value: tag, lang: tag }, name)));
    this.#select.addEventListener('change', () => {
      this.choose(this.#select.value);
      onChosen();
    });
    addEventListener('languagechange', () => void this.#speak());
    this.choose(undefined);
  }

  /** What the user has chosen; undefined while the page follows the browser. */
  get chosen(): string | undefined {
    return this.#chosen;
  }

  /** Choosing the browser's own language counts as no choice. */
  choose(tag: string | undefined): void {
    this.#chosen = tag === languageFor(navigator.languages) ? undefined : tag;
    void this.#speak();
  }

  async #speak(): Promise<void> {
    const tag = (this.#select.value = this.#chosen ?? languageFor(navigator.languages));
    try {
      const language = await LANGUAGES.find((language) => language.tag === tag)!.load();
      if (this.#select.value !== tag || this.#shown === tag) return;
      this.#shown = tag;
      speak(language);
      document.documentElement.lang = tag;
      refreshTexts();
      this.onSpoken();
    } catch {
      // The page was left open and its files are gone: it stays in its language.
      if (this.#select.value === tag) this.#select.value = this.#shown;
    }
  }
}
