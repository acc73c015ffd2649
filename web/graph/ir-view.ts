/** The graph of an IR that is looked at, with what the verifier has found. */
import type { IrGraph, Message } from '@mo/wasm';
import { keyOf } from '@mo/wasm/report';

import { fill, h } from '../page/dom.js';
import { cutMessage } from '../ir/cut.js';
import { safeText } from '../language/shown.js';
import { t, type LiveText, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { followPalette } from './colours.js';
import { showDetails } from './details.js';
import type { Layer } from './layers.js';
import { legend } from './legend.js';
import { NodeList } from './list.js';
import { Pane } from './pane.js';
import type { ShownNode, State } from './states.js';
import type { Layouts } from './workers.js';

/** Where a layer begins in the .xml: what a message and a node have in common. */
export type Spot = Pick<Message, 'line' | 'column'>;

const textOf = ({ line, column }: Spot): string => `${line}:${column}`;

export class IrGraphView {
  readonly element: HTMLElement;
  readonly #pane: Pane;
  readonly #list = new NodeList(t('Only with findings'), false, (_, key) => this.select(key));
  readonly #details = h('section', { class: 'graph-details', 'aria-labelledby': 'graph-details-title' });
  readonly #status = h('p', { class: 'unseen', role: 'status' });
  readonly #constants = h('input', { type: 'checkbox' });
  readonly #layers = new Map<string, Layer>();
  readonly #keys = new Map<string, string>();
  readonly #messages = new Map<string, Message[]>();
  #selected: string | undefined;

  constructor({ nodes }: IrGraph, messages: readonly Message[], layouts: Layouts, signal: AbortSignal, at?: Spot) {
    const title = t('IR');
    this.#pane = new Pane('result', title, layouts, (key) => (key === undefined ? this.#unselect() : this.select(key)));
    for (const { graph = '', id, op, layer, version, line, column } of nodes) {
      const key = keyOf(graph, id);
      this.#keys.set(textOf({ line, column }), key);
      this.#layers.set(key, { number: layer, type: op, version, line, data: [] });
    }
    for (const message of messages) {
      const key = message.node === '' ? undefined : this.#keys.get(textOf(message));
      if (key !== undefined) this.#messages.set(key, [...(this.#messages.get(key) ?? []), message]);
    }
    const state = this.#stateOf(nodes);
    this.#constants.addEventListener('change', () => this.#draw(state));
    this.element = h('div', { class: 'graph-view single' },
      h('div', { class: 'graph-panes' }, this.#pane.element),
      h('div', { class: 'graph-side' }, this.#list.element, this.#details, legend(this.#constants)),
      this.#status);
    this.#unselect();
    followPalette(signal, () => this.#pane.canvas.recolour());
    signal.addEventListener('abort', () => this.#pane.canvas.end(), { once: true });
    this.#pane.show(state, false);
    this.#list.show({ source: state, result: state }, title);
    const key = at && this.#keys.get(textOf(at));
    if (key !== undefined) this.select(key);
  }

  select(key: string): void {
    const node = this.#pane.state.nodes.get(key);
    if (!node) return;
    this.#selected = key;
    this.#list.select('result', key);
    this.#pane.centre(key);
    this.#pane.canvas.mark(key, []);
    const found = this.#messages.get(key);
    showDetails(this.#details, node, { pane: this.#pane, layer: this.#layers.get(key), notes: found && messageList(found.map(cutMessage)), go: (_, key) => this.select(key) });
    this.#say(t('{node}, {graph}', { node: `${node.op} ${node.name}`, graph: this.#pane.title }));
  }

  #unselect(): void {
    this.#selected = undefined;
    this.#list.select('result', undefined);
    this.#pane.canvas.mark(undefined, []);
    fill(this.#details, h('h2', { id: 'graph-details-title' }, t('No node selected')), h('p', { class: 'graph-hint' }, t('Choose one in the list or in the drawing.')));
  }

  #stateOf(nodes: IrGraph['nodes']): State {
    const shown = nodes.map(({ graph = '', id, name, op, in: inputs = [], out = [], attributes = {} }): [string, ShownNode] => {
      const key = keyOf(graph, id);
      const isWrong = this.#messages.get(key)?.some(({ severity }) => severity === 'error');
      return [key, { graph, id, key, name, op, in: inputs, out, attributes, ...(isWrong && { change: 'wrong' as const }) }];
    });
    return { nodes: new Map(shown), former: [] };
  }

  #draw(state: State): void {
    this.#pane.show(state, this.#constants.checked, false);
    if (this.#selected !== undefined) this.select(this.#selected);
  }

  #say(text: Text | LiveText): void {
    this.#status.textContent = safeText(text).slice(0, 500);
  }
}
