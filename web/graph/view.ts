/** The model and its IR side by side, with what is known of their nodes and of the way from one to the other. */
import type { Trace } from '@mo/wasm/report';

import { fill, h } from '../page/dom.js';
import { safeText } from '../language/shown.js';
import { t, type LiveText, type Text } from '../language/texts.js';
import type { Done } from '../convert/task.js';
import { followPalette } from './colours.js';
import { showDetails } from './details.js';
import { readLayers, type Layer } from './layers.js';
import { LayoutSwitch, type Converted } from './layout-switch.js';
import { legend } from './legend.js';
import { Links } from './links.js';
import { NodeList } from './list.js';
import { Pane, type Side } from './pane.js';
import { endsOf, stateAt, type State } from './states.js';
import { StepBar } from './steps.js';
import { transposePanel, transposesOf } from './transposes.js';
import { findOrigins, type Layouts } from './workers.js';

/** What the choice of layouts needs of the page. */
export interface LayoutPage {
  readonly converted: () => Converted;
  readonly onNews: (show: () => void) => void;
  /** The Transposes of the IR before a change of layouts. */
  readonly before: readonly string[] | undefined;
  /** Converts with the layouts that are chosen; gets the names of the Transposes that are there now. */
  readonly convert: (transposes: readonly string[]) => void;
}

export class GraphView {
  readonly element: HTMLElement;
  readonly #panes: Readonly<Record<Side, Pane>>;
  readonly #links: Links;
  readonly #list = new NodeList(t('Only what this step changed'), true, (side, key) => this.select(side, key));
  readonly #details = h('section', { class: 'graph-details', 'aria-labelledby': 'graph-details-title' });
  readonly #status = h('p', { class: 'unseen', role: 'status' });
  readonly #constants = h('input', { type: 'checkbox' });
  readonly #steps: StepBar;
  readonly #source: State;
  #selected: { readonly side: Side; readonly key: string } | undefined;
  #change = -1;
  #layers: ReadonlyMap<string, Layer> | undefined;

  constructor(private readonly trace: Trace, private readonly done: Done, layouts: Readonly<Record<Side, Layouts>>, signal: AbortSignal, layout: LayoutPage) {
    const pane = (side: Side, title: LiveText) => new Pane(side, title, layouts[side], (key) => (key === undefined ? this.#unselect() : this.select(side, key)));
    this.#panes = { source: pane('source', t('Model')), result: pane('result', t('IR')) };
    this.#links = new Links(trace);
    const { source, result: last } = endsOf(trace);
    this.#source = source;
    this.#steps = new StepBar(trace, () => this.#step(), () => this.#nextChange());
    const onIr = (key: string) => {
      this.#steps.toEnd();
      this.select('result', key);
    };
    this.#constants.addEventListener('change', () => this.#show(false));
    const choices = new LayoutSwitch(layout.converted, () => layout.convert(transposesOf(last)), (text) => this.#say(text));
    layout.onNews(() => choices.show());
    this.element = h('div', { class: 'graph-view' },
      this.#steps.element,
      h('div', { class: 'graph-panes' }, this.#panes.source.element, this.#panes.result.element),
      h('div', { class: 'graph-side' }, this.#list.element, this.#details, transposePanel(trace, last, onIr, { choices: choices.element, before: layout.before }), legend(this.#constants)),
      this.#status);
    this.#unselect();
    followPalette(signal, () => this.#eachPane((pane) => pane.canvas.recolour()));
    signal.addEventListener('abort', () => this.#eachPane((pane) => pane.canvas.end()), { once: true });
    this.#panes.source.show(this.#source, false);
    this.#panes.result.show(last, false);
    this.#showList();
    // The first drawing does not wait for the origins.
    const first = Promise.all([this.#panes.source.canvas.first, this.#panes.result.canvas.first]);
    void first.then(() => findOrigins(trace, done.report, signal)).then((origins) => {
      this.#links.add(origins);
      this.#refresh();
    });
  }

  /** Shows a node with what is linked to it, in both graphs. */
  select(side: Side, key: string): void {
    const node = this.#panes[side].state.nodes.get(key);
    if (!node) return;
    this.#selected = { side, key };
    this.#list.select(side, key);
    this.#panes[side].centre(key);
    const [linked] = this.#refresh();
    if (linked !== undefined) this.#panes[other(side)].centre(linked);
    const values = { node: `${node.op} ${node.name}`, graph: this.#panes[side].title };
    this.#say(linked === undefined ? t('{node}, {graph}', values) : t('{node}, {graph}, linked to {other}', { ...values, other: this.#panes[other(side)].state.nodes.get(linked)!.name }));
  }

  #unselect(): void {
    this.#selected = undefined;
    this.#list.select(this.#list.side, undefined);
    this.#eachPane((pane) => pane.canvas.mark(undefined, []));
    fill(this.#details, h('h2', { id: 'graph-details-title' }, t('No node selected')), h('p', { class: 'graph-hint' }, t('Choose one in the list or in a drawing.')));
  }

  /** Marks and describes the selected node again. Returns the nodes that are linked to it. */
  #refresh(): readonly string[] {
    if (!this.#selected) return [];
    const { side, key } = this.#selected;
    const node = this.#panes[side].state.nodes.get(key);
    if (!node) {
      this.#unselect();
      return [];
    }
    const others = this.#panes[other(side)];
    const linked = side === 'source' ? this.#links.resultsOf(node, others.state.nodes) : this.#links.sourcesOf(node, others.state.nodes);
    this.#panes[side].canvas.mark(key, []);
    others.canvas.mark(undefined, linked);
    showDetails(this.#details, node, { pane: this.#panes[side], beside: { pane: others, linked }, layer: this.#layersAt(side).get(key), go: (side, key) => this.select(side, key) });
    return linked;
  }

  /** The layers are read when they are wanted. */
  #layersAt(side: Side): ReadonlyMap<string, Layer> {
    if (side === 'source' || !this.#steps.isLast) return new Map();
    if (!this.#layers) {
      this.#layers = new Map();
      const xml = this.done.downloads.find(({ name }) => name.endsWith('.xml'));
      if (xml) void readLayers(xml.content, this.#links).then((layers) => {
        this.#layers = layers;
        this.#refresh();
      });
    }
    return this.#layers;
  }

  #step(): void {
    const { result } = this.#panes;
    result.title = this.#steps.title;
    result.show(stateAt(this.trace, this.#steps.index), this.#constants.checked, true);
    this.#change = -1;
    this.#showList();
    this.#refresh();
    const first = this.#changes()[0];
    if (first !== undefined) result.centre(first);
    this.#say(this.#steps.text);
  }

  /** Selects the next node that the step has changed, in the order of the graph. */
  #nextChange(): void {
    const changes = this.#changes();
    if (changes.length === 0) return this.#say(t('This step changed no node.'));
    this.#change = (this.#change + 1) % changes.length;
    this.select('result', changes[this.#change]!);
  }

  #changes(): string[] {
    return [...this.#panes.result.state.nodes.values()].filter(({ change }) => change).map(({ key }) => key);
  }

  #show(keep: boolean): void {
    this.#eachPane((pane) => pane.show(pane.state, this.#constants.checked, keep));
    if (this.#selected) this.#panes[this.#selected.side].centre(this.#selected.key);
    this.#refresh();
  }

  #showList(): void {
    this.#list.show({ source: this.#source, result: this.#panes.result.state }, this.#panes.result.title);
  }

  #eachPane(work: (pane: Pane) => void): void {
    for (const pane of Object.values(this.#panes)) work(pane);
  }

  #say(text: Text): void {
    this.#status.textContent = safeText(text).slice(0, 500);
  }
}

function other(side: Side): Side {
  return side === 'source' ? 'result' : 'source';
}
