/** How weights are stored: one choice for two options, with the size that each way gives the model in view. */
import type { WeightSizes } from '@mo/wasm';

import { byId, fill } from '../page/dom.js';
import { bytesText } from '../page/text.js';

export type WeightFormat = keyof WeightSizes;

/** What is for integers: of 4 bits only, and of 8, too. */
const FOUR_BITS = ['group_size', 'group_size_fallback', 'backup_precision', 'all_layers'];
const INTEGERS = ['sym', 'ignored_scope', ...FOUR_BITS];

export class WeightChoice {
  readonly #set = byId<HTMLFieldSetElement>('weights');

  constructor(private readonly form: HTMLFormElement) {
    // This runs before the form's own listener, which shows what the fields say.
    this.#set.addEventListener('input', ({ target }) => this.#choose((target as HTMLInputElement).value as WeightFormat));
  }

  /** What the fields of both options say; weight_format decides. */
  get format(): WeightFormat {
    const { value } = this.#field('weight_format');
    const known = this.#radios.find((radio) => radio.value === value);
    return known ? (known.value as WeightFormat) : this.#field('compress_to_fp16').checked ? 'fp16' : 'fp32';
  }

  /** Shows what the fields say. */
  show(): void {
    const { format } = this;
    for (const radio of this.#radios) radio.checked = radio.value === format;
  }

  /** Shows the sizes; none where they are not known. */
  showSizes(sizes: WeightSizes | undefined): void {
    for (const radio of this.#radios) {
      fill(radio.closest('label')!.querySelector<HTMLElement>('.size')!, sizes && bytesText(sizes[radio.value as WeightFormat]));
    }
  }

  get #radios(): HTMLInputElement[] {
    return [...this.#set.querySelectorAll('input')];
  }

  #field(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement;
  }

  /** Options that do not fit the choice go, too: a conversion would refuse them. */
  #choose(format: WeightFormat): void {
    const isInteger = format === 'int8' || format === 'int4';
    this.#field('weight_format').value = isInteger ? format : '';
    if (!isInteger) this.#field('compress_to_fp16').checked = format === 'fp16';
    for (const name of format === 'int4' ? [] : isInteger ? FOUR_BITS : INTEGERS) {
      const field = this.#field(name);
      if (field.type === 'checkbox') field.checked = false;
      else field.value = '';
    }
  }
}
