/** Compares two of the IRs in view. */
import { compare, type Comparison } from '@mo/wasm';
import { jsonOf } from '@mo/wasm/printable';

import { withModel } from '../archive/ready.js';
import { baseName, type Chosen } from '../bring/chosen.js';
import { messagesOf } from '../convert/task.js';
import { button, copyFrom, fill, h } from '../page/dom.js';
import { bytesText } from '../page/text.js';
import { plural, t, type LiveText, type Text } from '../language/texts.js';
import { steps } from '../proof/steps.js';
import { messageList } from '../report/messages.js';
import { offer } from '../save/offer.js';
import { cut } from './cut.js';
import { differencesOf, factsOf } from './differences.js';

/** Two .bin of so many bytes together are compared without being asked for: that takes a second. */
const QUICK = 256 << 20;

export interface ComparingPage {
  say(text: Text): void;
  /** Starts workers, so that the next work need not wait for one. */
  loadAhead(): void;
}

/** The part of the page that compares. `names` of the IRs, which differ, as far as their paths do. */
export class Comparing {
  readonly element: HTMLElement;
  readonly #out = h('div', { class: 'compared' });
  readonly #contents = h('input', { type: 'checkbox', role: 'switch' });
  readonly #size = h('small');
  readonly #sides: readonly HTMLSelectElement[];
  #work: AbortController | undefined;

  constructor(private readonly irs: readonly Chosen[], names: readonly string[], private readonly page: ComparingPage, private readonly ended: AbortSignal) {
    this.#sides = [0, 1].map((side) => {
      const select = h('select', {}, ...names.map((name, index) => h('option', { value: String(index) }, name)));
      select.selectedIndex = side;
      select.addEventListener('change', () => {
        this.#begin();
        void this.compare();
      });
      return select;
    });
    this.#contents.addEventListener('change', () => void this.compare());
    ended.addEventListener('abort', () => this.#work?.abort());
    const [a, b] = this.#sides as [HTMLSelectElement, HTMLSelectElement];
    this.element = h('section', { class: 'comparing', 'aria-labelledby': 'compare-title' },
      h('h2', { id: 'compare-title' }, t('What differs')),
      irs.length > 2 && h('div', { class: 'sides' }, h('label', {}, h('span', { class: 'side' }, 'A'), a), h('label', {}, h('span', { class: 'side' }, 'B'), b)),
      h('label', { class: 'switch' }, this.#contents, h('span', {}, t('Contents of constants, too'), this.#size)),
      this.#out);
    this.#begin();
  }

  get #pair(): readonly [Chosen, Chosen] {
    const [a, b] = this.#sides.map(({ selectedIndex }) => this.irs[selectedIndex]!);
    return [a!, b!];
  }

  /** Contents are compared where both .bin are there, unless they are large: then the user decides. */
  #begin(): void {
    const bins = this.#pair.map(({ side: [bin] }) => bin?.file.size);
    const [a, b] = bins;
    const bytes = (a ?? 0) + (b ?? 0);
    const areThere = a !== undefined && b !== undefined;
    this.#contents.disabled = !areThere;
    this.#contents.checked = areThere && bytes <= QUICK;
    fill(this.#size, areThere ? t('Both .bin are read: {size}.', { size: bytesText(bytes) }) : t('Without both .bin only their places are compared.'));
    fill(this.#out, button(t('Compare'), 'primary', () => void this.compare()));
  }

  /** A comparison that is under way for other files ends. */
  async compare(): Promise<void> {
    this.#stop();
    const work = (this.#work = new AbortController());
    const { signal } = work;
    const [a, b] = this.#pair;
    const { element, at } = steps(t('Comparison'), () => this.#cancel());
    at(undefined, t('Comparing…'));
    fill(this.#out, element);
    try {
      const options = { hash: this.#contents.checked };
      const found = await withModel(a, { signal }, (first) => withModel(b, { signal }, (second) => compare(first, second, options, { signal })));
      if (signal.aborted) return;
      this.#show(found, a, b);
    } catch (error) {
      if (signal.aborted) return;
      fill(this.#out, messageList(messagesOf(error)));
    }
    this.#work = undefined;
  }

  #stop(): void {
    if (!this.#work) return;
    this.#work.abort();
    this.#work = undefined;
    if (!this.ended.aborted) this.page.loadAhead();
  }

  #cancel(): void {
    this.#stop();
    fill(this.#out, h('p', { class: 'hint' }, t('Not compared.')), button(t('Compare'), '', () => void this.compare()));
    this.#out.querySelector('button')!.focus();
  }

  #show(found: Comparison, a: Chosen, b: Chosen): void {
    const said = saidOf(found);
    const [nameOfA, nameOfB] = [a, b].map(({ main }) => baseName(main.path)) as [string, string];
    const { text, ...facts } = found;
    const printed = h('pre', { tabindex: '0', 'aria-label': t('As mo --compare prints it'), lang: 'en' }, h('code', {}, text.split('\n').map(cut).join('\n')));
    const details = h('details', { class: 'more' }, h('summary', {}, t('As mo --compare prints it')), printed);
    const save = () => offer(new Blob([`${jsonOf({ a: nameOfA, b: nameOfB, ok: true, ...facts, messages: [] }, 1)}\n`], { type: 'application/json' }), `${nameOfA}.compare.json`);
    fill(this.#out,
      h('p', { class: found.same ? 'support good' : 'support' }, said),
      factsOf(found),
      ...differencesOf(found),
      details,
      h('div', { class: 'actions' },
        button(t('Copy'), 'quiet', (pressed) => {
          details.open = true;
          void copyFrom(printed, pressed);
        }),
        button(t('Save {ending}', { ending: '.json' }), 'quiet', save)));
    this.page.say(t('{a} and {b}: {found}', { a: nameOfA, b: nameOfB, found: said }));
  }
}

function saidOf({ same, counts }: Comparison): LiveText {
  if (same) return t('Nothing differs.');
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return plural(all, '{n} difference', '{n} differences');
}
