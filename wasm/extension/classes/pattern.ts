/** Converts patterns for the core, and matches for extensions. */
import { checked, core } from '../core/bridge.js';
import type { Condition, PatternRecord } from '../core/core-table.js';
import { MoError } from '../core/error.js';
import { encode, sameValue } from '../graph/attribute.js';
import { dataNode } from '../graph/data-node.js';
import type { GraphObject } from '../graph/objects.js';
import type { Node } from '../types.js';
import type { Match, NodePattern, Pattern } from './transformation.js';

type Predicate = (node: Node) => unknown;

/** All matches of `pattern`, found before any is replaced. */
export function findMatches(graph: GraphObject, pattern: Pattern): Match[] {
  const predicates: Predicate[] = [];
  const record = encodePattern(pattern, predicates);
  const aliases = record.nodes.map(([alias]) => alias);
  let thrown: { error: unknown } | undefined;
  const holds = (index: number, n: number, o: number): boolean => {
    if (thrown) return false;
    try {
      return Boolean(predicates[index]!(nodeOf(graph, n, o)));
    } catch (error) {
      thrown = { error };
      return false;
    }
  };
  const found = core().matches(graph.number, record, holds);
  if (thrown) throw thrown.error;
  return split(checked(found), 2 * aliases.length).map((row) =>
    Object.fromEntries(aliases.map((alias, i) => [alias, nodeOf(graph, row[2 * i]!, row[2 * i + 1]!)])));
}

function nodeOf(graph: GraphObject, n: number, o: number): Node {
  const node = graph.nodeAt(n);
  return o < 0 ? node : dataNode(node.outPortObject(o, false));
}

function encodePattern(pattern: Pattern, predicates: Predicate[]): PatternRecord {
  if (!isRecord(pattern) || !isRecord(pattern.nodes) || !Array.isArray(pattern.edges))
    throw new MoError("pattern() returns an object with 'nodes' and 'edges': { nodes: { alias: { op: 'Mul' } }, edges: [['from', 'to']] }");
  const nodes = Object.entries(pattern.nodes).map(([alias, conditions]) => [alias, encodeConditions(alias, conditions, predicates)] as const);
  if (nodes.length === 0) throw new MoError('a pattern has at least one node');
  const edges = pattern.edges.map(encodeEdge);
  return { nodes, edges };
}

/** The core itself compares literals of `op` and `kind`. All other conditions become predicates, which it calls. */
function encodeConditions(alias: string, conditions: NodePattern, predicates: Predicate[]): Condition[] {
  if (!isRecord(conditions)) throw new MoError(`node "${alias}" of the pattern is an object of attributes, for example { op: 'Mul' }`);
  return Object.entries(conditions).map(([name, wanted]): Condition => {
    const encoded = typeof wanted === 'function' || name !== 'op' && name !== 'kind' ? undefined : encode(wanted);
    if (encoded) return [name, encoded];
    return [name, predicates.push(predicateOf(name, wanted)) - 1];
  });
}

/** An absent attribute matches only the literal null; a function is called for it, too. */
function predicateOf(name: string, wanted: unknown): Predicate {
  if (typeof wanted === 'function') return (node) => (wanted as (value: unknown, node: Node) => unknown)(node.get<unknown>(name), node);
  return (node) => sameValue(node.get<unknown>(name) ?? null, wanted);
}

/** The core warns of an edge with an unknown node. */
function encodeEdge(edge: Pattern['edges'][number]): PatternRecord['edges'][number] {
  const [from, to, { in: input = -1, out = -1, ...others } = {}] = edge;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new MoError(`an edge of a pattern may ask for 'in' and 'out', not for "${unknown}"`);
  return [String(from), String(to), Number(input), Number(out)];
}

function isRecord(value: unknown): value is Record<string, any> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function split(numbers: Int32Array, size: number): Int32Array[] {
  return Array.from({ length: numbers.length / size }, (_, row) => numbers.subarray(row * size, (row + 1) * size));
}
