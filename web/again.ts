/** The buttons that convert what is at hand: in the form, and in the card where that is what the user looks at. */
import type { Card } from './card/card.js';
import { byId, fill } from './dom.js';
import { t } from './language/texts.js';
import type { Task } from './task.js';

export class Again {
  readonly #button = byId('again');
  #converted = '';

  constructor(private readonly card: Card) {}

  /** A conversion begins with these options. */
  begins(options: string): void {
    this.#converted = options;
  }

  /** What is to be done next stands out: the first conversion, and another one after a change of the options. */
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
