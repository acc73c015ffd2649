/** The nodes of one of the graphs as a list that can be searched: what the drawing shows, for the keyboard and for screen readers. */
import { button, fill, h } from '../page/dom.js';
import { countText, t, type LiveText, type Text } from '../language/texts.js';
import type { Side } from './pane.js';
import { CHANGES, graphTitle, isConstant, type ShownNode, type State } from './states.js';

const AT_ONCE = 200;
const LONGEST_NAME = 300;

export class NodeList {
  readonly element: HTMLElement;
  readonly #search = h('input', { type: 'search', id: 'graph-search', placeholder: t('name, operation or tensor'), spellcheck: 'false', autocomplete: 'off' });
  readonly #sides: readonly HTMLInputElement[];
  readonly #resultTitle = h('span', {}, t('IR'));
  readonly #changed = h('input', { type: 'checkbox' });
  readonly #onlyChanged: HTMLElement;
  readonly #list = h('div', { role: 'listbox', tabindex: '0', class: 'graph-list', 'aria-label': t('Nodes') });
  readonly #count = h('p', { class: 'graph-hint', id: 'graph-found' });
  readonly #more = button(t('Show more'), 'quiet', () => this.#grow());
  #states: Record<Side, State> = { source: { nodes: new Map(), former: [] }, result: { nodes: new Map(), former: [] } };
  #found: readonly ShownNode[] = [];
  #shown = AT_ONCE;
  #selected: string | undefined;

  /** `marked`: the label for those that are changed, or wrong. `both`: there are two graphs; else only the result. */
  constructor(marked: LiveText, both: boolean, private readonly onSelect: (side: Side, key: string) => void) {
    this.#onlyChanged = h('label', { class: 'graph-check' }, this.#changed, marked);
    this.#sides = (['source', 'result'] as const).map((side) => h('input', { type: 'radio', name: 'graph-side', value: side }));
    this.#sides[both ? 0 : 1]!.checked = true;
    const label = (index: number, text: Node | Text) => h('label', { class: 'graph-check' }, this.#sides[index]!, text);
    this.element = h('section', { class: 'graph-find', 'aria-labelledby': 'graph-find-title' },
      h('h2', { id: 'graph-find-title' }, t('Nodes')),
      h('div', { class: 'field' }, h('label', { for: 'graph-search' }, h('span', {}, t('Search'))), this.#search),
      both && h('div', { class: 'graph-sides', role: 'radiogroup', 'aria-label': t('Nodes of') }, label(0, t('Model')), label(1, this.#resultTitle)),
      this.#onlyChanged, this.#list, this.#count, this.#more);
    this.#search.addEventListener('input', () => this.#fill());
    for (const input of [...this.#sides, this.#changed]) input.addEventListener('change', () => this.#fill());
    this.#list.addEventListener('click', ({ target }) => {
      const option = (target as Element).closest<HTMLElement>('[role=option]');
      if (option) this.#choose(Number(option.dataset['index']));
    });
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
      event.preventDefault();
      if (this.#found.length === 0) return;
      this.#list.focus();
      this.#choose(0);
    });
  }

  get side(): Side {
    return this.#sides[1]!.checked ? 'result' : 'source';
  }

  show(states: Record<Side, State>, resultTitle: Text): void {
    this.#states = states;
    fill(this.#resultTitle, resultTitle);
    this.#fill();
  }

  /** The node was selected elsewhere. */
  select(side: Side, key: string | undefined): void {
    if (side !== this.side) {
      for (const input of this.#sides) input.checked = input.value === side;
      this.#selected = key;
      return this.#fill();
    }
    this.#selected = key;
    this.#mark();
  }

  #fill(): void {
    const state = this.#states[this.side];
    const nodes = [...state.nodes.values()];
    // Constants are many, and say little.
    const all = [...nodes.filter((node) => !isConstant(node)), ...nodes.filter(isConstant)];
    this.#onlyChanged.hidden = this.side === 'source' || !all.some(({ change }) => change);
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const changes = !this.#onlyChanged.hidden && this.#changed.checked;
    const found = all.filter((node) => (!changes || node.change) && (words.length === 0 || matches(node, words)));
    this.#found = words.length === 0 ? found : byType(found, words);
    this.#shown = AT_ONCE;
    this.#draw();
  }

  #grow(): void {
    this.#shown += AT_ONCE;
    this.#draw();
    this.#list.focus();
  }

  #draw(): void {
    const { nodes } = this.#states[this.side];
    fill(this.#list, ...this.#found.slice(0, this.#shown).map((node, index) => {
      const { op, name, graph, change } = node;
      return h('div', { role: 'option', id: `graph-option-${index}`, 'data-index': String(index), 'aria-selected': 'false' },
        h('strong', {}, op), ' ', h('span', {}, name.slice(0, LONGEST_NAME)),
        change !== undefined && h('em', { class: change }, CHANGES[change]),
        graph !== '' && h('small', {}, t('in {graph}', { graph: String(graphTitle(graph, nodes)).slice(0, LONGEST_NAME) })));
    }));
    const left = this.#found.length - this.#shown;
    fill(this.#count, this.#found.length === 0 ? t('No such node.') : countText(this.#found.length, 'node'), left > 0 && t(', the first {n} shown', { n: this.#shown }));
    this.#more.hidden = left <= 0;
    this.#mark();
  }

  #mark(): void {
    this.#list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    const index = this.#index();
    const option = this.#list.children[index];
    this.#list.hidden = this.#found.length === 0;
    if (!option) return this.#list.removeAttribute('aria-activedescendant');
    option.setAttribute('aria-selected', 'true');
    this.#list.setAttribute('aria-activedescendant', option.id);
    const [{ top, bottom }, { top: first, bottom: last }] = [option.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    if (top < first) this.#list.scrollTop -= first - top;
    else if (bottom > last) this.#list.scrollTop += bottom - last;
  }

  #index(): number {
    return this.#found.findIndex(({ key }) => key === this.#selected);
  }

  #choose(index: number): void {
    const node = this.#found[Math.min(Math.max(index, 0), Math.min(this.#found.length, this.#shown) - 1)];
    if (node) this.onSelect(this.side, node.key);
  }

  #key(event: KeyboardEvent): void {
    const at = this.#index();
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: Infinity, PageDown: at + 8, PageUp: at - 8, Enter: at, ' ': at }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#choose(to);
  }
}

/** Operations of the type that is looked for come before nodes that only have the word in a name. */
function byType(nodes: readonly ShownNode[], words: readonly string[]): ShownNode[] {
  const rank = ({ op, source }: ShownNode) => {
    const types = [op, source?.op ?? ''].map((type) => type.toLowerCase());
    if (types.some((type) => words.includes(type))) return 0;
    if (types.some((type) => words.some((word) => type.startsWith(word)))) return 1;
    return types.some((type) => words.some((word) => type.includes(word))) ? 2 : 3;
  };
  const ranks: ShownNode[][] = [[], [], [], []];
  for (const node of nodes) ranks[rank(node)]!.push(node);
  return ranks.flat();
}

function matches({ name, op, source, out }: ShownNode, words: readonly string[]): boolean {
  const text = [name, op, source?.op ?? '', ...out.flatMap((tensor) => tensor?.names ?? [])].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
