/** One of the two graphs side by side, with its title and controls. */
import { button, fill, h, setText } from '../page/dom.js';
import { countText, t, type LiveText, type Text } from '../language/texts.js';
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

  constructor(readonly side: Side, title: LiveText, layouts: Layouts, onPress: (key: string | undefined) => void) {
    this.canvas = new GraphCanvas(title, side, layouts, onPress);
    this.#title = h('h2', { id: `graph-${side}-title` }, title);
    setText(this.#choice, 'aria-label', t('Graph of {title}', { title }));
    this.#choice.addEventListener('change', () => this.turnTo(this.#choice.value));
    const zoom = (label: string, name: LiveText, factor: number) => {
      const one = button(label, 'quiet', () => {
        this.canvas.camera.zoom(factor);
        this.canvas.moved();
      });
      setText(one, 'aria-label', t('{name}, {title}', { name, title }));
      return one;
    };
    const fit = button(t('Fit'), 'quiet', () => this.canvas.fit());
    setText(fit, 'aria-label', t('Fit, {title}', { title }));
    this.element = h('section', { class: `graph-pane ${side}`, 'aria-labelledby': this.#title.id },
      h('div', { class: 'graph-pane-head' }, this.#title, this.#count, this.#choice,
        h('span', { class: 'graph-zoom' }, zoom('−', t('Zoom out'), 0.8), zoom('+', t('Zoom in'), 1.25), fit)),
      this.canvas.element);
  }

  get title(): Text {
    return this.#title.textContent!;
  }

  set title(title: Text) {
    fill(this.#title, title);
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
    fill(this.#count, countText(boxes.length, 'node'), folded > 0 && t(', '), folded > 0 && countText(folded, 'constant'));
  }
}
