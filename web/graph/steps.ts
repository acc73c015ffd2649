/** The way through the steps of a conversion. */
import type { Trace } from '@mo/wasm/report';

import { button, h } from '../dom.js';
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
    this.#buttons = [button('‹ Previous', 'quiet', () => this.#go(-1)), button('Next ›', 'quiet', () => this.#go(1))];
    this.element = h('section', { class: 'graph-steps', 'aria-label': 'Steps of the conversion' },
      h('label', { for: 'graph-slider' }, 'Steps'), this.#buttons[0]!, this.#slider, this.#buttons[1]!, this.#text,
      button('Next change', 'quiet', onNextChange));
    this.#say();
  }

  get index(): number {
    return Number(this.#slider.value);
  }

  /** What is at this step: the IR, or the graph behind a transformation. */
  get title(): string {
    if (this.isLast) return 'IR';
    const { phase, transform = phase } = this.trace.steps[this.index]!;
    return this.index === 0 ? 'The model again' : `After ${transform}`;
  }

  /** The step in words. */
  get text(): string {
    const { title, detail } = textOf(this.trace.steps[this.index]!);
    return `${this.index + 1} of ${this.trace.steps.length}: ${title}${detail && `, ${detail}`}`;
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

  /** A slider that is dragged passes more steps than can be shown. */
  #turn(): void {
    this.#say();
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.onStep(this.index);
    });
  }

  #say(): void {
    this.#text.textContent = this.text;
    this.#slider.setAttribute('aria-valuetext', this.text);
    this.#buttons[0]!.disabled = this.index === 0;
    this.#buttons[1]!.disabled = this.isLast;
  }
}
