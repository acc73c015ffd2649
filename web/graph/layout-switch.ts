/** The layout of each input and output as a choice: it is that of the form and of the card, and takes effect with the next conversion. */
import type { Inspection, Report } from '@mo/wasm';

import { button, byId, compose, fill, h } from '../page/dom.js';
import { t, type LiveText } from '../language/texts.js';
import { textsIn, writeTexts } from '../options/options.js';
import { tensorText } from './details.js';
import { asksForOthers, layoutChoices, type LayoutChoice } from './layouts.js';

const MOST = 20;
const NEXT = t('The next conversion has these layouts.');

export interface Converted {
  readonly report: Report;
  readonly options: object;
  /** It takes no time: the picture follows each choice. */
  readonly isQuick: boolean;
  /** Of the model as it is; undefined as long as that is not known. */
  readonly own: Pick<Inspection, 'inputs' | 'outputs'> | undefined;
}

export class LayoutSwitch {
  readonly element = h('div', { class: 'layout-switch' });
  readonly #rows = h('div', { class: 'layout-ports' });
  readonly #again = h('div', { class: 'layout-again' });
  readonly #form = byId<HTMLFormElement>('options');

  /** `convert` is called when the user wants a result with the layouts that are chosen; `say` reads a sentence aloud. */
  constructor(private readonly converted: () => Converted, private readonly convert: () => void, private readonly say: (text: LiveText) => void) {
    fill(this.#again, h('p', { class: 'graph-hint' }, NEXT), button(t('Convert again'), 'primary', convert));
    fill(this.element, this.#rows, this.#again);
    this.show();
  }

  show(): void {
    const { report, options, own } = this.converted();
    const values = textsIn(this.#form);
    this.#again.hidden = !asksForOthers(values, options as Record<string, unknown>);
    if (!own) return fill(this.#rows, h('p', { class: 'graph-hint' }, t('You can choose the layouts once the page has read the model.')));
    const all = layoutChoices(values, own, report);
    const more = all.length - MOST;
    fill(this.#rows, ...all.slice(0, MOST).map((choice, index) => this.#row(choice, index)), more > 0 && h('p', { class: 'graph-hint' }, t('and {n} more, which the form can name.', { n: more })));
  }

  #row({ side, place, port, value, choices, why, choose }: LayoutChoice, index: number): HTMLElement {
    const id = `graph-layout-${index}`;
    const code = h('code', {}, place.slice(0, 200));
    const name = side === 'input' ? compose(h('span'), 'Input {name}', { name: code }) : compose(h('span'), 'Output {name}', { name: code });
    const facts = port && compose(h('small'), '{tensor} in the IR', { tensor: tensorText({ shape: port.shape, type: port.type }) });
    if (why !== '') return h('div', { class: 'layout-port' }, h('p', {}, name, ' ', facts), h('p', { class: 'graph-hint' }, why));
    const field = h('select', { id }, ...choices.map(([value, label]) => h('option', { value }, label)));
    field.value = value;
    field.addEventListener('change', () => {
      writeTexts(this.#form, choose(field.value));
      this.show();
      if (this.converted().isQuick && !this.#again.hidden) return this.convert();
      byId(id).focus();
      if (!this.#again.hidden) this.say(NEXT);
    });
    return h('div', { class: 'layout-port' }, h('label', { for: id }, name), ' ', facts, field);
  }
}
