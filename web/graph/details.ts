/** What is known of the selected node. */
import { keyOf, type TraceTensor } from '@mo/wasm/report';

import { button, fill, h, type Child } from '../page/dom.js';
import { t, type LiveText, type Text } from '../language/texts.js';
import type { Layer } from './layers.js';
import type { Pane, Side } from './pane.js';
import { bodiesOf, CHANGES, graphTitle, type ShownNode } from './states.js';

const MOST = 50;
const LONGEST = 2000;

export interface Surroundings {
  /** That of the node. */
  readonly pane: Pane;
  /** The graph beside it, and the nodes there that are linked to this one. */
  readonly beside?: { readonly pane: Pane; readonly linked: readonly string[] };
  /** Missing before the layers are read, and at steps other than the last. */
  readonly layer: Layer | undefined;
  /** What is said of the node besides. */
  readonly notes?: Node | undefined;
  readonly go: (side: Side, key: string) => void;
}

export function showDetails(panel: HTMLElement, node: ShownNode, { pane, beside, layer, notes, go }: Surroundings): void {
  const { graph, op, name, source, change } = node;
  const { side } = pane;
  const { nodes } = pane.state;
  const to = (of: Pane, key: string) => nodeLink(of.state.nodes.get(key), () => go(of.side, key));
  const readers = readersOf(node, nodes);
  const bodies = bodiesOf(node, pane.graphs);
  const hadFocus = panel.contains(document.activeElement);
  fill(panel,
    h('h2', { id: 'graph-details-title', tabindex: '-1' }, cut(name) || op),
    facts([
      [t('Operation'), code(op)],
      change && change !== 'wrong' && [t('In this step'), CHANGES[change]],
      graph !== '' && [t('Graph'), graphTitle(graph, nodes)],
      source && [t('Framework'), h('span', {}, code([source.domain, source.op].filter(Boolean).join('.')), originOf(source))],
      layer && [t('Layer of the IR'), h('span', {}, `${layer.number}`, t(', '), code(layer.type), t(', '), layer.version, layer.line !== undefined && originOf(layer))],
    ]),
    notes,
    bodies.length > 0 && h('h3', {}, t('Bodies')),
    bodies.length > 0 && h('div', { class: 'graph-links' }, ...bodies.map((path) => button(t('Open {graph}', { graph: graphTitle(path, nodes) }), 'quiet', () => pane.turnTo(path)))),
    ...(beside ? part(side === 'source' ? t('Became, in {graph}', { graph: beside.pane.title }) : t('Made from, in the model'), beside.linked, (other) => to(beside.pane, other)) : []),
    ...part(t('Inputs'), node.in, (input, port) => h('span', {}, `${port} `, ...(input ? inputOf(keyOf(graph, input[0]), input[1]) : [t('not connected')]))),
    ...part(t('Outputs'), node.out, (tensor, port) => h('span', {}, `${port} `, ...tensorText(tensor))),
    ...part(t('Read by'), readers, (reader) => to(pane, reader.key)),
    ...attributes(t('Attributes'), Object.entries(node.attributes)),
    ...attributes(t('Data of the layer'), layer?.data ?? []),
  );
  // The link that led here is gone.
  if (hadFocus) panel.querySelector('h2')?.focus();

  function inputOf(key: string, port: number): Child[] {
    const producer = nodes.get(key);
    return producer ? [nodeLink(producer, () => go(side, key)), ' ', ...tensorText(producer.out[port])] : [t('not in the graph any more')];
  }
}

function readersOf({ graph, id, key }: ShownNode, nodes: Pane['state']['nodes']): ShownNode[] {
  return [...nodes.values()].filter((other) => other.graph === graph && other.key !== key && other.in.some((input) => input?.[0] === id));
}

function originOf({ offset, line }: Pick<NonNullable<ShownNode['source']>, 'offset' | 'line'>): Text {
  if (line !== undefined) return t(', line {line} of the file', { line });
  return offset === undefined ? '' : t(', byte {byte} of the file', { byte: offset });
}

/** A list with a title, or nothing; a long one is cut. */
function part<Item>(title: LiveText, items: readonly Item[], show: (item: Item, index: number) => Node): HTMLElement[] {
  if (items.length === 0) return [];
  const more = items.length - MOST;
  return [h('h3', {}, title), h('ul', { class: 'graph-parts' }, ...items.slice(0, MOST).map((item, index) => h('li', {}, show(item, index))), more > 0 && h('li', {}, t('and {n} more', { n: more })))];
}

export function nodeLink(node: ShownNode | undefined, onClick: () => void): HTMLElement {
  if (!node) return h('span', {}, t('not in the graph any more'));
  return button(`${node.op} ${cut(node.name)}`, 'link', onClick);
}

function attributes(title: LiveText, rows: readonly (readonly [name: string, value: string])[]): HTMLElement[] {
  return rows.length === 0 ? [] : [h('h3', {}, title), facts(rows.map(([name, value]) => [name, code(value)] as const))];
}

function facts(rows: readonly (readonly [name: Text, value: Node | Text] | false | undefined)[]): HTMLElement {
  return h('dl', { class: 'graph-facts' }, ...rows.flatMap((row) => (row ? [h('dt', {}, row[0]), h('dd', {}, row[1])] : [])));
}

export function tensorText(tensor: TraceTensor | null | undefined): Child[] {
  const { shape, type, names = [] } = tensor ?? {};
  const value = [type, shape].filter(Boolean).join(' ');
  return [...(value ? [code(value)] : []), ...(names.length > 0 ? [h('small', {}, ` ${cut(names.join(', '))}`)] : [])];
}

function code(text: string): HTMLElement {
  return h('code', {}, cut(text));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
