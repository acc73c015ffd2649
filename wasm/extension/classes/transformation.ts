/** The base classes of transformations, with the required members. drivers.ts runs them. */
import type { Graph, Node, OutPort } from '../types.js';

export type NodePattern = { readonly [attribute: string]: unknown | ((value: any, node: Node) => boolean) };
export interface Pattern {
  nodes: Readonly<Record<string, NodePattern>>;
  edges: readonly (readonly [from: string, to: string, attributes?: { in?: number; out?: number; [name: string]: unknown }])[];
}
export type Match = Readonly<Record<string, Node>>;
export type Replacement = Readonly<Record<string, Node>>;
export type EdgesMatch = readonly (readonly [from: readonly [alias: string, port: number], to: readonly [alias: string, port: number]])[];

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

export abstract class FrontReplacementPattern extends PatternReplacement {}

/** `replaceSubGraph` does all the rewiring; without it the converter does, according to the other methods. */
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

export abstract class FrontReplacementFromConfigFileSubGraph extends Transformation {
  static replacementId: string;
  generateSubGraph?(graph: Graph, match: SubgraphMatch): Replacement;
  replaceSubGraph?(graph: Graph, match: SubgraphMatch): void;
}

export abstract class FrontReplacementFromConfigFileGeneral extends Transformation {
  static replacementId: string;
  abstract transformGraph(graph: Graph, customAttributes: Readonly<Record<string, unknown>>): void;
}

/** A pattern of the middle and back phases must include the tensors between operations (`kind: 'data'`). */
export abstract class MiddleReplacementPattern extends PatternReplacement {}

export abstract class BackReplacementPattern extends PatternReplacement {}
