/** The Transposes that the change from NHWC to NCHW has put into the IR, and why. */
import { keyOf, type Trace } from '@mo/wasm/report';

import { compose, fill, h } from '../page/dom.js';
import { listText, plural, t, type LiveText, type Text } from '../language/texts.js';
import { nodeLink, tensorText } from './details.js';
import type { ShownNode, State } from './states.js';

const MOST = 200;
/** Names in a sentence. */
const NAMED = 5;

const REASONS: Readonly<Record<string, LiveText>> = {
  PreserveRuntimeInfo: t('The inputs and outputs of the model keep the order of the framework; inside, channels come before height and width.'),
  InsertLayoutPropagationTranspose: t('One side has channels before height and width, the other has the order of the framework.'),
  ConvertLayoutDependentOperations: t('This operation needs another order of axes than its neighbours.'),
};

export interface Inserted {
  readonly node: ShownNode;
  readonly transform: string;
}

/** The Transposes of the layout phase that are still in the IR, and how many have gone since. */
export function insertedTransposes(trace: Trace, { nodes }: State): { readonly inserted: readonly Inserted[]; readonly gone: number } {
  const added = trace.steps.filter(({ phase }) => phase === 'layout')
    .flatMap(({ transform = '', added = [] }) => added.filter(({ op }) => op === 'Transpose').map(({ graph = '', id }) => ({ key: keyOf(graph, id), transform })));
  const inserted = added.flatMap(({ key, transform }) => {
    const node = nodes.get(key);
    return node ? [{ node, transform }] : [];
  });
  return { inserted, gone: added.length - inserted.length };
}

/** What stands in the panel besides the Transposes. */
export interface LayoutPanel {
  readonly choices: HTMLElement;
  /** The names of the Transposes that the IR had before the layouts were changed. */
  readonly before: readonly string[] | undefined;
}

export function transposesOf({ nodes }: State): string[] {
  return [...nodes.values()].filter(({ op }) => op === 'Transpose').map(({ name }) => name);
}

/** What has changed since the conversion with the former layouts, in sentences. */
export function difference(before: readonly string[], now: readonly string[]): LiveText[] {
  const went = before.filter((name) => !now.includes(name));
  const came = now.filter((name) => !before.includes(name));
  const parts = [
    went.length > 0 && plural(went.length, 'The new layouts removed {n} Transpose: {names}.', 'The new layouts removed {n} Transposes: {names}.', { names: firstOf(went) }),
    came.length > 0 && plural(came.length, 'The new layouts added {n} Transpose: {names}.', 'The new layouts added {n} Transposes: {names}.', { names: firstOf(came) }),
  ].filter((sentence) => sentence !== false);
  if (parts.length > 0) return parts;
  return [plural(now.length, 'The new layouts neither removed nor added a Transpose: the IR still has {n} Transpose.',
    'The new layouts neither removed nor added a Transpose: the IR still has {n} Transposes.')];
}

function firstOf(names: readonly string[]): Text {
  const more = names.length - NAMED;
  const first = listText(names.slice(0, NAMED));
  return more > 0 ? t('{list} and {n} more', { list: first, n: more }) : first;
}

export function transposePanel(trace: Trace, ir: State, go: (key: string) => void, { choices, before }: LayoutPanel): HTMLElement {
  const { inserted, gone } = insertedTransposes(trace, ir);
  const own = [...ir.nodes.values()].filter(({ op }) => op === 'Transpose').length - inserted.length;
  const panel = h('section', { class: 'graph-layout', 'aria-labelledby': 'graph-layout-title' });
  const also = [
    gone > 0 && plural(gone, '{n} more was inserted, and merged with others or removed later.', '{n} more were inserted, and merged with others or removed later.'),
    own > 0 && plural(own, '{n} other Transpose of the IR comes from the model.', '{n} other Transposes of the IR come from the model.'),
  ].filter((sentence) => sentence !== false);
  fill(panel,
    h('h2', { id: 'graph-layout-title', tabindex: '-1', ...(before && { 'aria-describedby': 'graph-difference' }) }, t('Layout')),
    choices,
    before && h('p', { class: 'graph-difference', id: 'graph-difference' }, ...difference(before, transposesOf(ir)).flatMap((sentence, index) => [index > 0 && ' ', sentence])),
    h('p', { class: 'graph-hint' },
      inserted.length === 0 ? t('The change of the layout has put no Transpose into the IR.') : plural(inserted.length, '{n} Transpose inserted:', '{n} Transposes inserted:'),
      ...also.flatMap((sentence) => [' ', sentence])),
    inserted.length > 0 && h('ul', { class: 'graph-parts' }, ...inserted.slice(0, MOST).map((one) => entry(one, ir, go))));
  return panel;
}

function entry({ node, transform }: Inserted, { nodes }: State, go: (key: string) => void): HTMLElement {
  const [input] = node.in;
  const producer = input ? nodes.get(keyOf(node.graph, input[0])) : undefined;
  const readers = [...nodes.values()].filter(({ graph, in: inputs }) => graph === node.graph && inputs.some((input) => input?.[0] === node.id));
  const link = (node: ShownNode) => nodeLink(node, () => go(node.key));
  return h('li', {},
    link(node),
    compose(h('p'), '{from} to {to}', { from: tensorText(producer && { ...producer.out[input![1]], names: [] }), to: tensorText({ ...node.out[0], names: [] }) }),
    h('p', {}, REASONS[transform] ?? t('It keeps the result the same.'), ' ', h('small', {}, t('By {transformation}.', { transformation: transform }))),
    producer && compose(h('p'), 'Behind {node}', { node: link(producer) }),
    readers.length > 0 && compose(h('p'), 'Before {nodes}', { nodes: readers.slice(0, 5).flatMap((reader, index) => [index > 0 && t(', '), link(reader)]) }));
}
