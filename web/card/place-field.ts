/** A field for a place at which a model is cut, with a list of all of them that opens when it is wanted. */
import { button, fill, h } from '../page/dom.js';
import { countText, plural, t, type Text } from '../language/texts.js';
import type { Side } from './cuts.js';
import { short } from './facts.js';
import { canBeNamed } from './items.js';
import type { Place, Places } from './places.js';

/** Places that are shown at once: more are found by more letters. */
const MOST = 100;

export class PlaceField {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status = h('p', { class: 'place-status', role: 'status' });
  readonly #popup: HTMLElement;
  #places: Places | undefined;
  #found: readonly Place[] = [];
  #active = -1;
  /** Counts the requests for the places, so that only the answer to the last one is used. */
  #asked = 0;

  /** `ask` gives the places; `onCut` gets the name of the chosen one. */
  constructor(private readonly side: Side, title: Text, private readonly ask: () => Promise<Places>, private readonly onCut: (place: string) => void) {
    const id = `cut-${side}`;
    const label = h('label', { for: id }, h('span', {}, title));
    this.#field = h('input', {
      id, role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': `${id}-list`, spellcheck: 'false', autocomplete: 'off',
      placeholder: t('name, or port:name'),
    });
    this.#list = h('div', { id: `${id}-list`, role: 'listbox', 'aria-label': t('Nodes and tensors') });
    this.#popup = h('div', { class: 'place-list' }, this.#list, this.#status);
    this.#popup.hidden = true;
    this.element = h('div', { class: 'cut' }, h('div', { class: 'field' }, label, this.#field, this.#popup), button(t('Cut here'), 'quiet', () => this.#cut()));
    this.#field.addEventListener('click', () => this.#open());
    this.#field.addEventListener('input', () => this.#open());
    this.#field.addEventListener('focus', () => void this.#load());
    this.#field.addEventListener('blur', () => this.#close());
    this.#field.addEventListener('keydown', (event) => this.#key(event));
    // The field keeps the focus.
    this.#popup.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const option = (target as Element).closest<HTMLElement>('[role=option]');
      if (option) this.#choose(Number(option.dataset['index']));
    });
  }

  focus(): void {
    this.#field.focus();
  }

  /** Another model has other places. */
  forget(): void {
    this.#asked++;
    this.#places = undefined;
    this.#field.value = '';
    this.#close();
  }

  get #isOpen(): boolean {
    return !this.#popup.hidden;
  }

  #open(): void {
    this.#popup.hidden = false;
    this.#search();
    void this.#load();
  }

  #close(): void {
    this.#popup.hidden = true;
    this.#field.setAttribute('aria-expanded', 'false');
    this.#activate(-1);
  }

  /** Asks for the places each time: they are kept elsewhere, and some options change them. */
  async #load(): Promise<void> {
    const asked = ++this.#asked;
    const places = await this.ask().catch(() => undefined);
    if (asked !== this.#asked || (places && places === this.#places)) return;
    this.#places = places;
    if (!this.#isOpen) return;
    this.#search();
    if (!places) fill(this.#status, t('The names cannot be listed. You can type them.'));
  }

  #search(): void {
    const query = this.#field.value.trim();
    const { places, nodes } = this.#places?.search(this.side, query, MOST) ?? { places: [], nodes: 0 };
    this.#found = places;
    fill(this.#list, ...places.map(({ place, what, unsupported }, index) =>
      h('div', { role: 'option', id: `cut-${this.side}-${index}`, 'data-index': String(index), 'aria-selected': 'false' },
        h('code', {}, short(place)), ' ', h('small', {}, what), unsupported && ' ', unsupported && h('em', {}, t('not supported')))));
    this.#list.hidden = places.length === 0;
    this.#list.scrollTop = 0;
    this.#field.setAttribute('aria-expanded', String(places.length > 0));
    this.#activate(-1);
    fill(this.#status, !this.#places ? t('Reading the names…')
      : places.length === 0 ? t('No node or tensor has such a name.')
      : places.length < MOST ? countText(places.length, 'place')
      : plural(nodes, 'The first {most} places of {n} node. Type more letters to find others.', 'The first {most} places of {n} nodes. Type more letters to find others.', { most: MOST }));
  }

  #activate(index: number): void {
    this.#list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = index;
    const option = this.#list.children[index];
    if (!option) return this.#field.removeAttribute('aria-activedescendant');
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    this.#field.setAttribute('aria-activedescendant', option.id);
  }

  #choose(index: number): void {
    const chosen = this.#found[index];
    if (!chosen) return;
    this.#field.value = chosen.place;
    setInvalid(this.#field, false);
    this.#close();
  }

  #key(event: KeyboardEvent): void {
    const count = this.#found.length;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (this.#isOpen && this.#active >= 0) return this.#choose(this.#active);
      return this.#cut();
    }
    if (event.key === 'Escape' && this.#isOpen) {
      // Escape closes only the list.
      event.stopPropagation();
      event.preventDefault();
      return this.#close();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    if (!this.#isOpen) this.#open();
    else if (count > 0) this.#activate(event.key === 'ArrowDown' ? (this.#active + 1) % count : (Math.max(this.#active, 0) + count - 1) % count);
  }

  #cut(): void {
    const name = this.#field.value.trim();
    setInvalid(this.#field, !canBeNamed(name));
    if (!canBeNamed(name)) return;
    this.#close();
    this.#field.value = '';
    this.onCut(name);
  }
}

export function setInvalid(field: HTMLElement, invalid: boolean): void {
  if (invalid) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}
