/** Keeps habits from visit to visit, says that something is kept, and forgets it. */
import { byId } from '../page/dom.js';
import { keep, readKept } from './kept.js';
import { forgetModels, remembersModels } from './memory.js';
import type { LanguageSwitch } from '../language/switch.js';
import { fillForm, givenIn } from './options.js';

export class Keeping {
  readonly #look = byId<HTMLInputElement>('look');
  /** Nothing is kept before the form has its first values. */
  #started = false;

  /** `forgotten` is called after the form has got the defaults. */
  constructor(private readonly form: HTMLFormElement, private readonly language: LanguageSwitch, forgotten: () => void) {
    byId('forget').addEventListener('click', () => {
      fillForm(form, new Map());
      forgetModels();
      this.#look.checked = false;
      language.choose(undefined);
      forgotten();
      // The button itself has gone.
      form.querySelector<HTMLElement>('[name]')!.focus();
    });
  }

  /** Whether models that are brought wait at the card. */
  get looks(): boolean {
    return this.#look.checked;
  }

  /**
   * Gives the values of the last visit to `fill`. Values that `fill` takes from elsewhere, for example from a link, are kept only when the
   * user changes the form.
   */
  start(fill: (values: ReadonlyMap<string, string>) => void): void {
    const kept = readKept();
    this.#look.checked = kept.look;
    if (kept.language !== undefined) this.language.choose(kept.language);
    fill(kept.values);
    this.#started = true;
  }

  /** The form, the switch or the language has changed. */
  changed(): void {
    const given = givenIn(this.form);
    if (this.#started) keep(given, this.looks, this.language.chosen);
    byId('kept').hidden = given.length === 0 && !this.looks && this.language.chosen === undefined && !remembersModels();
  }
}
