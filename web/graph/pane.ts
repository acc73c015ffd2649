/** One of the two graphs side by side, with its title and controls. */
import { button, fill, h } from '../dom.js';
import { countText } from '../text.js';
import { GraphCanvas } from './canvas.js';
import { graphsOf, graphTitle, type State } from './states.js';
import type { Layouts } from './workers.js';

export type Side = 'source' | 'result';

const NONE: State = { nodes: new Map(), former: [] };

export class Pane {
  readonly canvas: GraphCanvas;
  readonly element: HTMLElement;
  graphs: readonly string[] = [];
  graph = '';
  state = NONE;
  readonly #title: HTMLElement;
  readonly #count = h('span', { class: 'graph-count' });
  readonly #choice = h('select', { class: 'graph-choice' });
  #constants = false;

  constructor(readonly side: Side, title: string, layouts: Layouts, onPress: (key: string | undefined) => void) {
    this.canvas = new GraphCanvas(title, side, layouts, onPress);
    this.#title = h('h2', { id: `graph-${side}-title` }, title);
    this.#choice.setAttribute('aria-label', `Graph of ${title}`);
    this.#choice.addEventListener('change', () => this.turnTo(this.#choice.value));
    const zoom = (label: string, name: string, factor: number) => {
      const one = button(label, 'quiet', () => {
        this.canvas.camera.zoom(factor);
        this.canvas.moved();
      });
      one.setAttribute('aria-label', `${name}, ${title}`);
      return one;
    };
    const fit = button('Fit', 'quiet', () => this.canvas.fit());
    fit.setAttribute('aria-label', `Fit, ${title}`);
    this.element = h('section', { class: `graph-pane ${side}`, 'aria-labelledby': this.#title.id },
      h('div', { class: 'graph-pane-head' }, this.#title, this.#count, this.#choice,
        h('span', { class: 'graph-zoom' }, zoom('−', 'Zoom out', 0.8), zoom('+', 'Zoom in', 1.25), fit)),
      this.canvas.element);
  }

  get title(): string {
    return this.#title.textContent!;
  }

  set title(title: string) {
    this.#title.textContent = title;
  }

  /** Shows a state, in the same graph as before if it is still there. */
  show(state: State, constants: boolean, keep = false): void {
    this.state = state;
    this.graphs = graphsOf(state);
    this.#constants = constants;
    if (!this.graphs.includes(this.graph)) this.graph = '';
    fill(this.#choice, ...this.graphs.map((path) => h('option', { value: path }, graphTitle(path, state.nodes))));
    this.#choice.hidden = this.graphs.length < 2;
    this.#draw(keep);
  }

  /** Shows the node, whichever graph it is in. */
  centre(key: string): void {
    const node = this.state.nodes.get(key);
    if (!node) return;
    if (node.graph !== this.graph) this.turnTo(node.graph);
    this.canvas.centre(key);
  }

  turnTo(graph: string): void {
    this.graph = graph;
    this.#draw(false);
  }

  #draw(keep: boolean): void {
    this.#choice.value = this.graph;
    const { boxes, at } = this.canvas.show(this.state, this.graph, this.#constants, keep);
    const folded = at.size - boxes.length;
    this.#count.textContent = countText(boxes.length, 'node') + (folded > 0 ? `, ${countText(folded, 'constant')}` : '');
  }
}
