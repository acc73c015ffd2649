/** Where the options stand: beside the model, or on a narrow page above its result, which is long; there they are closed until they are wanted. */
import { byId } from '../page/dom.js';

const NARROW = matchMedia('(max-width: 860px)');

export class OptionsPlace {
  readonly #form = byId('options');
  readonly #body = this.#form.querySelector<HTMLDetailsElement>('.panel-body')!;
  #hasModel = false;

  constructor() {
    NARROW.addEventListener('change', () => this.#move());
    this.#move();
  }

  /** The options close on a narrow page when a model comes. */
  show(hasModel: boolean): void {
    if (hasModel && !this.#hasModel && NARROW.matches) this.#body.open = false;
    this.#hasModel = hasModel;
  }

  #move(): void {
    if (NARROW.matches) return byId('done').before(this.#form);
    document.querySelector('main')!.append(this.#form);
    this.#body.open = true;
  }
}
