/** The choice of a configuration that is built in: its name stands in the field of the option. One that stands there as a text can be saved. */
import { CONFIGURATIONS } from '@mo/wasm';

import { byId, h } from '../page/dom.js';
import { offer } from '../save/offer.js';

export class Configurations {
  readonly #choice = byId<HTMLSelectElement>('built-in');
  readonly #save = byId<HTMLButtonElement>('save-configuration');

  /** `choose` gets a name, or an empty text for none. */
  constructor(field: HTMLInputElement, choose: (name: string) => void) {
    this.#save.addEventListener('click', () => offer(new Blob([field.value], { type: 'application/json' }), field.dataset['file'] ?? 'configuration.json'));
    this.#choice.append(...CONFIGURATIONS.map((name) => h('option', { value: name, translate: 'no' }, name)));
    // This runs before the form's own listener, which shows what the fields say.
    this.#choice.addEventListener('input', () => choose(this.#choice.value));
  }

  /** Shows which one the field's text names. */
  show(text: string): void {
    const name = text.trim();
    this.#choice.value = CONFIGURATIONS.includes(name) ? name : '';
    this.#save.hidden = !/^[[{]/.test(name);
  }
}
