/** The Transposes that the change from NHWC to NCHW has put into the IR, and why. */
import { keyOf, type Trace } from '@mo/wasm/report';

import { fill, h } from '../dom.js';
import { countText } from '../text.js';
import { nodeLink, tensorText } from './details.js';
import type { ShownNode, State } from './states.js';

const MOST = 200;
/** Names in a sentence. */
const NAMED = 5;

const REASONS: Readonly<Record<string, string>> = {
  PreserveRuntimeInfo: 'The inputs and outputs of the model stay as the framework has them; inside, channels come before height and width.',
  InsertLayoutPropagationTranspose: 'One side computes with channels before height and width, the other one as the framework does.',
  ConvertLayoutDependentOperations: 'This one operation needs its axes in another order than what is around it.',
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

/** What has changed since the conversion with the former layouts, in words. */
export function difference(before: readonly string[], now: readonly string[]): string {
  const parts = [
    partOf(before.filter((name) => !now.includes(name)), 'went'),
    partOf(now.filter((name) => !before.includes(name)), 'came'),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : `With the new layouts no Transpose went and none came: the IR has ${countText(now.length, 'Transpose')} as before.`;
}

function partOf(names: readonly string[], what: string): string {
  const more = names.length - NAMED;
  return names.length === 0 ? '' : `With the new layouts ${countText(names.length, 'Transpose')} ${what}: ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

export function transposePanel(trace: Trace, ir: State, go: (key: string) => void, { choices, before }: LayoutPanel): HTMLElement {
  const { inserted, gone } = insertedTransposes(trace, ir);
  const own = [...ir.nodes.values()].filter(({ op }) => op === 'Transpose').length - inserted.length;
  const panel = h('section', { class: 'graph-layout', 'aria-labelledby': 'graph-layout-title' });
  const also = [
    gone > 0 && `${gone.toLocaleString('en')} more ${gone === 1 ? 'was' : 'were'} inserted, and merged with others or removed later.`,
    own > 0 && `${countText(own, 'other Transpose')} of the IR ${own === 1 ? 'comes' : 'come'} from the model.`,
  ].filter(Boolean).join(' ');
  fill(panel,
    h('h2', { id: 'graph-layout-title', tabindex: '-1', ...(before && { 'aria-describedby': 'graph-difference' }) }, 'Layout'),
    choices,
    before && h('p', { class: 'graph-difference', id: 'graph-difference' }, difference(before, transposesOf(ir))),
    h('p', { class: 'graph-hint' }, `${inserted.length === 0 ? 'The change of the layout has put no Transpose into the IR.' : `${countText(inserted.length, 'Transpose')} inserted:`} ${also}`),
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
    h('p', {}, ...tensorText(producer && { ...producer.out[input![1]], names: [] }), ' to ', ...tensorText({ ...node.out[0], names: [] })),
    h('p', {}, REASONS[transform] ?? 'It keeps what is computed the same.', ' ', h('small', {}, `By ${transform}.`)),
    producer && h('p', {}, 'Behind ', link(producer)),
    readers.length > 0 && h('p', {}, 'Before ', ...readers.slice(0, 5).flatMap((reader, index) => [index > 0 ? ', ' : '', link(reader)])));
}
