/** What a trace shows: the graph at each step, with what the step does to it. */
import { keyOf, Replay, type GraphNode, type NodePlace, type Trace, type TraceStep } from '@mo/wasm/report';

import { listText, plural, t, type LiveText, type Text } from '../language/texts.js';

const MOST_NAMES = 3;

/** What a step has done to a node; in an IR that is looked at, what is wrong. */
export type Change = 'added' | 'removed' | 'changed' | 'wrong';

export const CHANGES: Readonly<Record<Change, LiveText>> = { added: t('added'), removed: t('removed'), changed: t('changed'), wrong: t('wrong') };

/** A node at a step; one that the step removes is as it was before. */
export interface ShownNode extends GraphNode {
  readonly key: string;
  readonly change?: Change;
}

/** Whether the node is a constant: of the IR, or as ONNX and TensorFlow have them. */
export const isConstant = ({ op }: GraphNode): boolean => op === 'Const' || op === 'Constant';

/** The graph behind a step, and what the step has removed. */
export interface State {
  /** By key, in the order in which they came into being. */
  readonly nodes: ReadonlyMap<string, ShownNode>;
  /** Edges from removed nodes to nodes that are still there. */
  readonly former: readonly (readonly [from: string, to: string])[];
}

/** The model as it was loaded, and the graph that is written. */
export function endsOf(trace: Trace): { readonly source: State; readonly result: State } {
  const replay = new Replay(trace).applyUntil(1);
  const source: State = { nodes: shown(replay), former: [] };
  return { source, result: stateAt(trace, trace.steps.length - 1, replay) };
}

/** `replay` has not carried out this step yet. */
export function stateAt(trace: Trace, index: number, replay = new Replay(trace)): State {
  const { step } = replay.applyUntil(index);
  if (!step || isFirst(step)) return { nodes: shown(replay.applyUntil(index + 1)), former: [] };
  const gone = new Map<string, GraphNode>();
  const former: [string, string][] = [];
  for (const place of step.removed ?? []) {
    const key = keyOf(...place);
    const node = replay.at(place);
    if (!node) continue;
    gone.set(key, node);
    for (const reader of replay.readers(key)) former.push([key, reader]);
  }
  replay.apply();
  const changes = new Map<string, Change>();
  for (const { graph = '', id, op, name, in: inputs, attributes } of step.changed ?? [])
    if (op !== undefined || name !== undefined || inputs || attributes) changes.set(keyOf(graph, id), 'changed');
  for (const { graph = '', id } of step.added ?? []) changes.set(keyOf(graph, id), 'added');
  const nodes = shown(replay, changes);
  // A body that takes the place of another one may have nodes with the same keys.
  for (const [key, node] of gone) if (!nodes.has(key)) nodes.set(key, { ...node, key, change: 'removed' });
  return { nodes, former: former.filter(([from, to]) => nodes.get(from)?.change === 'removed' && nodes.get(to)?.change !== 'removed') };
}

function isFirst({ phase, transform = '' }: TraceStep): boolean {
  return phase === 'load' && transform === '';
}

function shown({ nodes }: Replay, changes: ReadonlyMap<string, Change> = new Map()): Map<string, ShownNode> {
  return new Map(Array.from(nodes, ([key, node]) => {
    const change = changes.get(key);
    return [key, change ? { ...node, key, change } : { ...node, key }];
  }));
}

/** The step for people: what it is called, and what it does. */
export function textOf(step: TraceStep): LiveText {
  const { phase, transform = '', added = [], removed = [], changed = [], decomposed = [] } = step;
  if (isFirst(step)) return plural(added.length, 'load, {n} node of the model', 'load, {n} nodes of the model');
  if (phase === 'emit') return t('emit, the graph as it is written');
  const altered = changed.filter(({ op, name, in: inputs, attributes }) => op !== undefined || name !== undefined || inputs || attributes).length;
  const counts = [
    removed.length > 0 && t('{n} removed', { n: removed.length }),
    added.length > 0 && t('{n} added', { n: added.length }),
    altered > 0 && t('{n} changed', { n: altered }),
    changed.length > altered && plural(changed.length - altered, 'shapes or types of {n} node', 'shapes or types of {n} nodes'),
  ].filter((count) => count !== false);
  const names = [...new Set(decomposed.map(({ transform }) => transform))].filter((name) => name !== transform);
  const title = transform ? `${phase} · ${transform}` : phase;
  const done = listText([title, ...counts]);
  return names.length === 0 ? done : t('{done}; with {transformations}', { done, transformations: someOf(names) });
}

function someOf(names: readonly string[]): LiveText {
  const list = listText(names.slice(0, MOST_NAMES));
  return names.length > MOST_NAMES ? t('{list} and {n} more', { list, n: names.length - MOST_NAMES }) : list;
}

/** The name without the suffix that the core adds to an output. */
export function plainName({ name }: ShownNode): string {
  return name.replace(/\/sink_port_0$/, '');
}

/** The place of a graph in words: "12.body/3.body" is the body of node 3 in that of node 12. */
export function graphTitle(path: string, nodes: ReadonlyMap<string, ShownNode>): Text {
  if (path === '') return t('Main graph');
  const cut = path.lastIndexOf('/') + 1;
  const [, id = '', attribute = ''] = /^(\d+)\.(.*)$/.exec(path.slice(cut)) ?? [];
  const place: NodePlace = [path.slice(0, Math.max(cut - 1, 0)), Number(id)];
  return `${nodes.get(keyOf(...place))?.name ?? id} · ${attribute}`;
}

/** The bodies of a node: paths of graphs. */
export function bodiesOf({ graph, id }: ShownNode, graphs: readonly string[]): string[] {
  const start = `${graph === '' ? '' : `${graph}/`}${id}.`;
  return graphs.filter((path) => path.startsWith(start) && !path.slice(start.length).includes('/'));
}

/** The paths of all graphs, the model's own first. */
export function graphsOf({ nodes }: State): string[] {
  return [...new Set(['', ...Array.from(nodes.values(), ({ graph }) => graph)])];
}
