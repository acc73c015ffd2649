/** Runs each kind of transformation over a graph. */
import { core } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import { callingModule } from '../core/failure.js';
import { asNode, isDataNode, isOutPort, outPort, type GraphObject } from '../graph/objects.js';
import type { Graph, Node, OutPort } from '../types.js';
import { findMatches } from './pattern.js';
import type { EdgesMatch, Match, Pattern, Replacement, SubgraphMatch } from './transformation.js';

type Replaced = Node | OutPort | string;

/** Every method that a transformation of some base class may have. */
export interface Methods {
  findAndReplacePattern?(graph: Graph): unknown;
  pattern?(): Pattern;
  replacePattern?(graph: Graph, match: Match): unknown;
  replaceSubGraph?(graph: Graph, match: Match | SubgraphMatch): unknown;
  replaceOp?(graph: Graph, node: Node): Replaced | readonly Replaced[];
  generateSubGraph?(graph: Graph, match: Match | SubgraphMatch): Replacement;
  inputEdgesMatch?(graph: Graph, match: Match, replacement: Replacement): EdgesMatch;
  outputEdgesMatch?(graph: Graph, match: Match, replacement: Replacement): EdgesMatch;
  nodesToRemove?(graph: Graph, match: Match): readonly Node[];
  transformGraph?(graph: Graph, customAttributes: Readonly<Record<string, unknown>>): unknown;
}

/** Runs it once. `op` is for a FrontReplacementOp. */
export function runTransformation(graph: GraphObject, transformation: Methods, op: string | undefined): void {
  if (transformation.findAndReplacePattern) return settled(transformation.findAndReplacePattern(graph));
  const pattern = op === undefined ? transformation.pattern?.() : { nodes: { op: { op } }, edges: [] };
  if (!pattern) throw new MoError('it has neither findAndReplacePattern() nor pattern()');
  const replace = replacer(graph, transformation);
  for (const match of findMatches(graph, pattern)) {
    if (isWhole(match)) replace(match);
    else core().warn('a match was skipped: one of its nodes has been removed', '', callingModule());
  }
}

function replacer(graph: GraphObject, transformation: Methods): (match: Match) => void {
  if (transformation.replaceSubGraph) return (match) => settled(transformation.replaceSubGraph!(graph, match));
  if (transformation.replacePattern) return (match) => settled(transformation.replacePattern!(graph, match));
  if (transformation.replaceOp) return ({ op }) => replaceOp(graph, transformation, op!);
  if (transformation.generateSubGraph) return (match) => replaceBySubGraph(graph, transformation, match);
  throw new MoError('it has no method that replaces what the pattern finds: replaceSubGraph, replacePattern, replaceOp or generateSubGraph');
}

function replaceOp(graph: GraphObject, transformation: Methods, node: Node): void {
  const given = transformation.replaceOp!(graph, node);
  settled(given);
  const outputs = [given].flat() as Replaced[];
  for (const port of node.outPorts().values()) {
    if (port.disconnected()) continue;
    const replaced = outputs[port.index];
    if (replaced === undefined) throw new MoError(`replaceOp() gives nothing for output ${port.index}, which has consumers`, { node });
    port.getConnection()!.setSource(portOf(graph, replaced));
  }
  graph.removeNode(node);
}

function portOf(graph: GraphObject, replaced: Replaced): OutPort {
  if (isOutPort(replaced)) return replaced;
  const node = typeof replaced === 'string' ? graph.getNode(replaced) : replaced;
  if (!node) throw new MoError(`there is no node "${String(replaced)}"`);
  return asNode(node).outPort(0);
}

function replaceBySubGraph(graph: GraphObject, transformation: Methods, match: Match): void {
  const made = transformation.generateSubGraph!(graph, match);
  settled(made);
  const end = (nodes: Replacement, alias: string): Node => {
    if (!Object.hasOwn(nodes, alias)) throw new MoError(`there is no "${alias}" among ${Object.keys(nodes).join(', ')}`);
    return nodes[alias]!;
  };
  for (const [[from, fromPort], [to, toPort]] of transformation.inputEdgesMatch?.(graph, match, made) ?? []) {
    const source = end(match, from).inPort(fromPort).getSource();
    if (source) end(made, to).inPort(toPort).connect(source);
  }
  for (const [[from, fromPort], [to, toPort]] of transformation.outputEdgesMatch?.(graph, match, made) ?? [])
    end(match, from).outPort(fromPort).getConnection()?.setSource(outPort(end(made, to).outPort(toPort)));
  graph.removeNodes(transformation.nodesToRemove?.(graph, match) ?? Object.values(match).filter((node) => !isDataNode(node)));
}

function isWhole(match: Match): boolean {
  return Object.values(match).every((node) => {
    const { graph, number } = asNode(isDataNode(node) ? node.producer.node : node);
    return core().nodeExists(graph.number, number);
  });
}

/** Methods must not be async: a conversion does not wait. */
export function settled(result: unknown): void {
  if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') throw new MoError('a method of an extension cannot be async');
}
