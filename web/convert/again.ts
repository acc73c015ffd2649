/** The buttons that convert the models at hand: one in the form, and one in the card if the user looks at the card. */
import type { Card } from '../card/card.js';
import { byId, fill } from '../page/dom.js';
import { t } from '../language/texts.js';
import type { Task } from './task.js';

export class Again {
  readonly #button = byId('again');
  #converted = '';

  constructor(private readonly card: Card) {}

  /** A conversion begins with these options. */
  begins(options: string): void {
    this.#converted = options;
  }

  /** The buttons stand out before the first conversion, and after a change of the options. */
  show(tasks: readonly Task[], options: string): void {
    const held = tasks.some(({ state }) => state === 'ready');
    const several = tasks.length > 1;
    const label = held ? (several ? t('Convert all') : t('Convert')) : several ? t('Convert all again') : t('Convert again');
    const wanted = held || options !== this.#converted;
    this.#button.hidden = tasks.length === 0 || tasks.some(({ busy }) => busy);
    fill(this.#button, label);
    this.#button.classList.toggle('primary', wanted);
    this.card.offer(label, wanted && !this.#button.hidden);
  }
}
