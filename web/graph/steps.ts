/** The way through the steps of a conversion. */
import type { Trace } from '@mo/wasm/report';

import { button, fill, h, setText } from '../page/dom.js';
import { t, type LiveText, type Text } from '../language/texts.js';
import { textOf } from './states.js';

export class StepBar {
  readonly element: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #text = h('p', { class: 'graph-step', id: 'graph-step' });
  readonly #buttons: readonly HTMLButtonElement[];
  #frame = 0;

  constructor(private readonly trace: Trace, private readonly onStep: (index: number) => void, onNextChange: () => void) {
    const last = trace.steps.length - 1;
    this.#slider = h('input', { type: 'range', min: '0', max: String(last), value: String(last), id: 'graph-slider', 'aria-describedby': 'graph-step' });
    this.#slider.addEventListener('input', () => this.#turn());
    this.#buttons = [button(t('‹ Previous'), 'quiet', () => this.#go(-1)), button(t('Next ›'), 'quiet', () => this.#go(1))];
    this.element = h('section', { class: 'graph-steps', 'aria-label': t('Steps of the conversion') },
      h('label', { for: 'graph-slider' }, t('Steps')), this.#buttons[0]!, this.#slider, this.#buttons[1]!, this.#text,
      button(t('Next change'), 'quiet', onNextChange));
    this.#say();
  }

  get index(): number {
    return Number(this.#slider.value);
  }

  /** The title of the graph at this step: the IR, or the graph behind a transformation. */
  get title(): Text {
    if (this.isLast) return t('IR');
    const { phase, transform = phase } = this.trace.steps[this.index]!;
    return this.index === 0 ? t('The model again') : t('After {transformation}', { transformation: transform });
  }

  /** The step in words. */
  get text(): LiveText {
    return t('{number} of {count}: {step}', { number: this.index + 1, count: this.trace.steps.length, step: textOf(this.trace.steps[this.index]!) });
  }

  get isLast(): boolean {
    return this.index === this.trace.steps.length - 1;
  }

  /** Shows the IR. */
  toEnd(): void {
    if (this.isLast) return;
    this.#slider.value = this.#slider.max;
    this.#say();
    this.onStep(this.index);
  }

  #go(by: number): void {
    this.#slider.value = String(this.index + by);
    this.#turn();
  }

  /** Shows one step in each frame: a slider that is dragged passes more of them than can be shown. */
  #turn(): void {
    this.#say();
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.onStep(this.index);
    });
  }

  #say(): void {
    fill(this.#text, this.text);
    setText(this.#slider, 'aria-valuetext', this.text);
    this.#buttons[0]!.disabled = this.index === 0;
    this.#buttons[1]!.disabled = this.isLast;
  }
}
