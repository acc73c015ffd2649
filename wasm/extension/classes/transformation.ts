/** The base classes of transformations, with the required members. drivers.ts runs them. */
import type { Graph, Node, OutPort } from '../types.js';

/** The attributes that a node has to have; a function as a value is a predicate. */
export type NodePattern = { readonly [attribute: string]: unknown | ((value: any, node: Node) => boolean) };
/** A sub-graph to look for: nodes by aliases, and the edges between them. */
export interface Pattern {
  nodes: Readonly<Record<string, NodePattern>>;
  edges: readonly (readonly [from: string, to: string, attributes?: { in?: number; out?: number; [name: string]: unknown }])[];
}
/** The nodes that were found, by the aliases of the pattern. */
export type Match = Readonly<Record<string, Node>>;
/** The nodes that take the place of those found, by names of your choice. */
export type Replacement = Readonly<Record<string, Node>>;
/** Which ports of found nodes become which ports of new ones. */
export type EdgesMatch = readonly (readonly [from: readonly [alias: string, port: number], to: readonly [alias: string, port: number]])[];

/**
 * What all transformations have in common: when they run, and in which order.
 *
 * @example
 * ```js
 * import { BackReplacementPattern } from '@mo/wasm/extension';
 *
 * export class AfterAll extends BackReplacementPattern {
 *   static id = 'AfterAll';
 *   static graphCondition = [(graph) => graph.framework === 'onnx'];
 *   findAndReplacePattern(graph) {
 *     for (const node of graph.getOpNodes({ op: 'Relu' })) node.name += '/checked';
 *   }
 * }
 * ```
 */
export abstract class Transformation {
  static enabled?: boolean;
  static id?: string;
  /** True: the model's own graph only. False: bodies too, which is the default. */
  static runNotRecursively?: boolean;
  static forceCleanUp?: boolean;
  static forceShapeInference?: boolean;
  static graphCondition?: readonly ((graph: Graph) => boolean)[];
  /** Classes, or names of built-in ones and anchors. */
  static runBefore?: readonly (string | Function)[];
  static runAfter?: readonly (string | Function)[];
}

abstract class PatternReplacement extends Transformation {
  pattern?(): Pattern;
  replacePattern?(graph: Graph, match: Match): void;
  /** Generic form: instead of the two above. */
  findAndReplacePattern?(graph: Graph): void;
}

/**
 * A rewrite of the framework's operations, before shapes are known.
 *
 * @example
 * ```js
 * import { FrontReplacementPattern } from '@mo/wasm/extension';
 *
 * export class ExpOfLog extends FrontReplacementPattern {
 *   pattern() {
 *     return { nodes: { exp: { op: 'Exp' }, log: { op: 'Log' } }, edges: [['exp', 'log', { in: 0 }]] };
 *   }
 *   replacePattern(graph, { exp, log }) {
 *     log.outPort(0).getConnection().setSource(exp.inPort(0).getSource());
 *   }
 * }
 * ```
 */
export abstract class FrontReplacementPattern extends PatternReplacement {}

/**
 * `replaceSubGraph` does all the rewiring; without it the converter does, according to the other methods.
 *
 * @example
 * ```js
 * import { FrontReplacementSubgraph, ops } from '@mo/wasm/extension';
 *
 * export class LogOfExp extends FrontReplacementSubgraph {
 *   pattern() {
 *     return { nodes: { exp: { op: 'Exp' }, log: { op: 'Log' } }, edges: [['exp', 'log', { in: 0 }]] };
 *   }
 *   generateSubGraph(graph, { exp }) {
 *     return { copy: ops.create(graph, 'Identity', { name: `${exp.name}/copy` }) };
 *   }
 *   inputEdgesMatch() {
 *     return [[['exp', 0], ['copy', 0]]];
 *   }
 *   outputEdgesMatch() {
 *     return [[['log', 0], ['copy', 0]]];
 *   }
 * }
 * ```
 */
export abstract class FrontReplacementSubgraph extends Transformation {
  pattern?(): Pattern;
  findAndReplacePattern?(graph: Graph): void;
  replaceSubGraph?(graph: Graph, match: Match): void;
  generateSubGraph?(graph: Graph, match: Match): Replacement;
  /** From inputs of matched nodes to inputs of new ones. */
  inputEdgesMatch?(graph: Graph, match: Match, replacement: Replacement): EdgesMatch;
  /** From outputs of matched nodes to outputs of new ones. */
  outputEdgesMatch?(graph: Graph, match: Match, replacement: Replacement): EdgesMatch;
  /** All matched nodes when absent. */
  nodesToRemove?(graph: Graph, match: Match): readonly Node[];
}

/**
 * Replaces each operation of one type by others.
 *
 * @example
 * ```js
 * import { FrontReplacementOp, ops } from '@mo/wasm/extension';
 *
 * export class Cube extends FrontReplacementOp {
 *   static op = 'Cube';
 *   replaceOp(graph, node) {
 *     const x = node.inPort(0).getSource();
 *     const square = ops.create(graph, 'Mul', { name: `${node.name}/square` }, [x, x]);
 *     return ops.create(graph, 'Mul', { name: `${node.name}/cube` }, [square, x]);
 *   }
 * }
 * ```
 */
export abstract class FrontReplacementOp extends Transformation {
  static op: string;
  /** For each output of the replaced node: a node, a port of one, or a node id; a single one needs no list. */
  replaceOp?(graph: Graph, node: Node): Node | OutPort | string | readonly (Node | OutPort | string)[];
  /** Instead of `replaceOp`: does all the rewiring itself. `match` has only the key `op`. */
  replaceSubGraph?(graph: Graph, match: Match): void;
}

/** A sub-graph that a configuration file describes. */
export interface SubgraphMatch {
  /** A node by its alias: its name below the scope, or, for a match by points, its name. undefined if there is none. */
  readonly [alias: string]: unknown;
  readonly customAttributes: Readonly<Record<string, unknown>>;
  readonly scope: string;
  matchedNodes(): Node[];
  inputsCount(): number;
  outputsCount(): number;
  inputNodes(port: number): readonly (readonly [node: Node, port: number])[];
  singleInputNode(port: number): readonly [node: Node, port: number];
  outputNode(port: number): readonly [node: Node, port: number];
  nodeByPattern(regex: string): Node | null;
}

/**
 * Replaces a sub-graph that an entry of the transformations configuration describes.
 *
 * @example
 * ```js
 * import { FrontReplacementFromConfigFileSubGraph, ops } from '@mo/wasm/extension';
 *
 * export class Block extends FrontReplacementFromConfigFileSubGraph {
 *   static replacementId = 'MyBlock'; // `id` of the entry in --transformations_config
 *   generateSubGraph(graph, match) {
 *     const [input, port] = match.singleInputNode(0);
 *     return { block: ops.create(graph, 'Relu', {}, [input.inPort(port).getSource()]) };
 *   }
 * }
 * ```
 */
export abstract class FrontReplacementFromConfigFileSubGraph extends Transformation {
  static replacementId: string;
  generateSubGraph?(graph: Graph, match: SubgraphMatch): Replacement;
  replaceSubGraph?(graph: Graph, match: SubgraphMatch): void;
}

/**
 * Rewrites the whole graph with the attributes of an entry of the transformations configuration.
 *
 * @example
 * ```js
 * import { FrontReplacementFromConfigFileGeneral, log } from '@mo/wasm/extension';
 *
 * export class Renamer extends FrontReplacementFromConfigFileGeneral {
 *   static replacementId = 'MyRenamer';
 *   transformGraph(graph, { suffix }) {
 *     log.info(`${graph.nodes().length} nodes get ${suffix}`);
 *     for (const node of graph.nodes()) node.name += String(suffix);
 *   }
 * }
 * ```
 */
export abstract class FrontReplacementFromConfigFileGeneral extends Transformation {
  static replacementId: string;
  abstract transformGraph(graph: Graph, customAttributes: Readonly<Record<string, unknown>>): void;
}

/**
 * A pattern of the middle and back phases must include the tensors between operations (`kind: 'data'`).
 *
 * @example
 * ```js
 * import { MiddleReplacementPattern } from '@mo/wasm/extension';
 *
 * export class ReluOfRelu extends MiddleReplacementPattern {
 *   pattern() {
 *     return {
 *       nodes: { first: { op: 'Relu' }, data: { kind: 'data' }, second: { op: 'Relu' } },
 *       edges: [['first', 'data'], ['data', 'second']],
 *     };
 *   }
 *   replacePattern(graph, { first, second }) {
 *     second.outPort(0).getConnection().setSource(first.outPort(0));
 *   }
 * }
 * ```
 */
export abstract class MiddleReplacementPattern extends PatternReplacement {}

/**
 * A rewrite of the IR's operations, the last before it is written.
 *
 * @example
 * ```js
 * import { BackReplacementPattern, ops } from '@mo/wasm/extension';
 *
 * export class FloorInTwo extends BackReplacementPattern {
 *   findAndReplacePattern(graph) {
 *     for (const node of graph.getOpNodes({ op: 'Floor' })) {
 *       const ceiling = ops.create(graph, 'Ceiling', { name: `${node.name}/ceiling` }, [node.inPort(0).getSource()]);
 *       node.outPort(0).getConnection().setSource(ceiling.outPort(0));
 *     }
 *   }
 * }
 * ```
 */
export abstract class BackReplacementPattern extends PatternReplacement {}
