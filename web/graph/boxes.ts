/**
 * What is drawn of a graph: its nodes as boxes with edges. Constants, and nodes computed only from them, are a part of the box that reads
 * them.
 */
import { keyOf } from '@mo/wasm/report';

import { isConstant, plainName, type Change, type ShownNode, type State } from './states.js';

export const HEIGHT = 44;
const NARROWEST = 96;
const WIDEST = 240;
const PADDING = 20;
/** Widths are rounded up to a multiple of this, so that blocks of a network whose names differ a little have one layout. */
const ROUND = 16;
const LONGEST_LABEL = 30;
const MOST_PASSES = 6;
/** Operations that give another result each time, and those with bodies. They have boxes even if all their inputs are constants. */
const VARYING = /random|multinomial|^(if|loop|while|case|scan|tensoriterator)$/i;

export interface Box {
  readonly node: ShownNode;
  readonly title: string;
  readonly name: string;
  readonly width: number;
  /** What the step does to the node, or to constants in its box. */
  change: Change | undefined;
}

export interface Drawing {
  readonly boxes: readonly Box[];
  /** The box of each node, for a constant that of its first reader. */
  readonly at: ReadonlyMap<string, number>;
  /** From and to, as numbers of boxes. */
  readonly edges: Int32Array;
}

export interface BoxOptions {
  readonly graph: string;
  readonly constants: boolean;
  /** The width of a text as it will be drawn. */
  readonly measure: (text: string, font: 'title' | 'name') => number;
}

export function boxesOf({ nodes, former }: State, { graph, constants, measure }: BoxOptions): Drawing {
  const own = [...nodes.values()].filter((node) => node.graph === graph);
  const links = own.flatMap((node) => inputsOf(node).filter((key) => nodes.has(key)).map((key) => [key, node.key] as const));
  for (const edge of former) if (nodes.get(edge[0])?.graph === graph) links.push(edge);
  const readers = new Map<string, string>();
  for (const [from, to] of links) if (!readers.has(from)) readers.set(from, to);
  const folded = constants ? new Set<string>() : foldable(own, readers);
  const boxes: Box[] = [];
  const at = new Map<string, number>();
  for (const node of own) {
    if (folded.has(node.key)) continue;
    at.set(node.key, boxes.length);
    boxes.push(boxOf(node, measure));
  }
  for (const key of folded) {
    const box = at.get(boxKey(key, folded, readers))!;
    at.set(key, box);
    const { change } = nodes.get(key)!;
    if (change) boxes[box]!.change ??= change === 'wrong' ? change : 'changed';
  }
  const edges = links.filter(([from, to]) => !folded.has(from) && !folded.has(to)).flatMap(([from, to]) => [at.get(from)!, at.get(to)!]);
  return { boxes, at, edges: Int32Array.from(edges) };
}

function inputsOf(node: ShownNode): string[] {
  return node.in.flatMap((source) => (source ? [keyOf(node.graph, source[0])] : []));
}

/** Constants that a node reads, and nodes computed only from such constants. */
function foldable(nodes: readonly ShownNode[], readers: ReadonlyMap<string, string>): Set<string> {
  const folded = new Set<string>();
  // A producer may come after its readers, so the nodes are passed again.
  for (let before = -1, pass = 0; before !== folded.size && pass < MOST_PASSES; pass++) {
    before = folded.size;
    for (const node of nodes) {
      if (!readers.has(node.key)) continue;
      const inputs = inputsOf(node);
      if (isConstant(node) || (inputs.length > 0 && !VARYING.test(node.op) && inputs.every((key) => folded.has(key)))) folded.add(node.key);
    }
  }
  return folded;
}

function boxKey(key: string, folded: ReadonlySet<string>, readers: ReadonlyMap<string, string>): string {
  let at = key;
  while (folded.has(at)) at = readers.get(at)!;
  return at;
}

function boxOf(node: ShownNode, measure: BoxOptions['measure']): Box {
  const title = shortened(node.op || 'Node');
  const plain = plainName(node);
  const name = shortened(plain.slice(plain.replace(/\/$/, '').lastIndexOf('/') + 1));
  const wide = Math.max(measure(title, 'title'), measure(name, 'name')) + PADDING;
  return { node, title, name, width: Math.min(Math.max(Math.ceil(wide / ROUND) * ROUND, NARROWEST), WIDEST), change: node.change };
}

/** Both ends of a long text. */
function shortened(text: string): string {
  return text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 13)}…${text.slice(-12)}`;
}
