/**
 * The functions of the core for extensions: a flat table over numbers. `g` is a graph's number, `n` a node's, `i` an
 * input's, `o` an output's. None throws: PENDING, NaN or undefined means that takeError() has the reason.
 */
import type { Message } from '../../library/shared/messages.js';

/** Both sides have it; they must be from the same build. */
export const TABLE_VERSION = 5;

/** The integer result of a function that failed. */
export const PENDING = -0x8000_0000;

/** A port as one number: node * PORTS + index. */
export const PORTS = 2 ** 20;

/** An integer; as text if a number cannot hold it. */
export type Integer = number | string;

/** The record of a tensor: a constant of the core, bytes, or an integer tensor known element by element. */
export type TensorRecord = readonly [
  type: string,
  shape: readonly number[],
  content: { constant: number } | { bytes: Uint8Array } | { elements: readonly (Integer | null)[] },
];

/** An attribute's value with its kind. */
export type Encoded =
  | readonly ['null']
  | readonly ['boolean', boolean]
  | readonly ['integer', Integer]
  | readonly ['float', number]
  | readonly ['text', string]
  | readonly ['integers', readonly Integer[]]
  | readonly ['floats', readonly number[]]
  | readonly ['texts', readonly string[]]
  | readonly ['type', string]
  /** Alternating lower and upper bounds, -1 for no upper bound; null when the rank is unknown. */
  | readonly ['shape', readonly number[] | null]
  | readonly ['tensor', TensorRecord]
  | readonly ['graph', number];

/** A condition on an attribute: a value, or the number of a predicate. */
export type Condition = readonly [attribute: string, value: Encoded | number];
export interface PatternRecord {
  readonly nodes: readonly (readonly [alias: string, conditions: readonly Condition[]])[];
  /** Port numbers that do not matter are -1. */
  readonly edges: readonly (readonly [from: string, to: string, input: number, output: number])[];
}
/** Whether predicate `index` is true for a node, or for its output `o` unless that is -1. */
export type Predicate = (index: number, n: number, o: number) => boolean;

export interface CoreTable {
  extensionTable(): number;
  takeError(): Message;
  /** The text for a number that nodeOp or elementType returned. */
  textOf(id: number): string;

  graphFacts(g: number): { framework: string; layout: string; options: [name: string, value: string][] } | undefined;
  /** 0 load, 1 front, 2 middle, 3 layout, 4 back. */
  graphPhase(g: number): number;
  nodeIds(g: number): Int32Array | undefined;
  opNodeIds(g: number, op: string): Int32Array | undefined;
  /** -1: there is none. */
  findNode(g: number, key: string): number;
  /** Adds a node without ports. Its key is made from `name`; with `exact` it is `name`. */
  addNode(g: number, op: string, name: string, exact: boolean): number;
  removeNode(g: number, n: number): number;
  topologicalOrder(g: number): Int32Array | undefined;
  cleanUp(g: number): number;
  renameNodes(g: number, nodes: readonly number[], names: readonly string[]): number;

  /** False for a removed one. */
  nodeExists(g: number, n: number): boolean;
  nodeOp(g: number, n: number): number;
  setNodeOp(g: number, n: number, op: string): number;
  nodeName(g: number, n: number): string | undefined;
  setNodeName(g: number, n: number, name: string): number;
  nodeKey(g: number, n: number): string | undefined;
  /** null when the attribute is absent. */
  attribute(g: number, n: number, key: string): Encoded | null | undefined;
  attributeKeys(g: number, n: number): string[] | undefined;
  setAttribute(g: number, n: number, key: string, value: Encoded): number;
  deleteAttribute(g: number, n: number, key: string): number;
  needsInference(g: number, n: number): number;
  requireInference(g: number, n: number, required: boolean): number;
  /** Runs the operation's own inference. */
  inferNode(g: number, n: number): number;
  /** Which of inferOwn(), typeInferOwn() and irAttributesOwn() of ExtensionCallbacks act for the node, and its own IR type and version. */
  setOwnFunctions(g: number, n: number, infers: boolean, infersTypes: boolean, writes: boolean, type: string | undefined, version: string | undefined): number;
  /** IR type and version of the node's definition; empty when it has none. */
  nodeDefinition(g: number, n: number): [type: string, version: string] | undefined;
  /** The attributes in the IR of a node of a built-in operation; null for another operation. */
  irAttributes(g: number, n: number): readonly (readonly [name: string, value: string])[] | null | undefined;
  isOperation(op: string): boolean;
  /** The number of inputs that a built-in operation can have; -1 if it is not known, or may be any. */
  mostInputs(op: string): number;
  /** The attributes of a built-in operation that have defaults. */
  operationDefaults(op: string): readonly (readonly [name: string, value: Encoded])[] | undefined;
  frameworkNode(g: number, n: number): { name: string; opType: string; domain: string; framework: string; attributes: string[] } | null | undefined;
  frameworkAttribute(g: number, n: number, name: string): Encoded | null | undefined;
  /** The field at a path of the node's message: values, the field names of a message, or the number of several messages. */
  frameworkField(g: number, n: number, path: string): Encoded | readonly ['message', readonly string[]] | readonly ['messages', number] | null | undefined;

  inPortIds(g: number, n: number): Int32Array | undefined;
  outPortIds(g: number, n: number): Int32Array | undefined;
  hasInPort(g: number, n: number, i: number): number;
  hasOutPort(g: number, n: number, o: number): number;
  addInPort(g: number, n: number, i: number): number;
  addOutPort(g: number, n: number, o: number): number;
  deleteInPort(g: number, n: number, i: number): number;
  deleteOutPort(g: number, n: number, o: number): number;
  /** The port that feeds an input, -1 for none. */
  source(g: number, n: number, i: number, control: boolean): number;
  destinations(g: number, n: number, o: number, control: boolean): Float64Array | undefined;
  connectPorts(g: number, from: number, to: number, control: boolean): number;
  disconnectIn(g: number, n: number, i: number, control: boolean): number;
  disconnectOut(g: number, n: number, o: number, control: boolean): number;
  /** Operations of a connection: its source (-1 for none) and destinations. Modes: 0 default, 1 merge, 2 source, 3 dest. */
  setSource(g: number, source: number, destinations: readonly number[], port: number, mode: number): number;
  setDestination(g: number, source: number, destinations: readonly number[], port: number, mode: number): number;
  insertNode(g: number, source: number, destinations: readonly number[], n: number, mode: number): number;

  /** The rank, -1 when it is unknown; the bounds of each dimension are at the front of dimensions(). */
  shape(g: number, n: number, o: number): number;
  /** A view of the heap, valid until the heap grows, which empties the view. */
  dimensions(): Float64Array;
  setShape(g: number, n: number, o: number, bounds: readonly number[] | null): number;
  value(g: number, n: number, o: number): TensorRecord | null | undefined;
  setValue(g: number, n: number, o: number, value: TensorRecord): number;
  /** -1 when it is unknown. */
  elementType(g: number, n: number, o: number): number;
  setElementType(g: number, n: number, o: number, type: string): number;
  tensorNames(g: number, n: number, o: number): string[] | undefined;
  addTensorNames(g: number, n: number, o: number, names: readonly string[]): number;
  constantBytes(constant: number): Uint8Array | undefined;

  /** For each match, and in it for each alias in order: node and output, -1 for the operation itself. */
  matches(g: number, pattern: PatternRecord, predicate: Predicate): Int32Array | undefined;
  /** The output port of tensor `port` of the current match of the configuration. */
  matchOutput(port: number): number;
  /** The node of the current match whose name matches `pattern`, -1 for none. */
  matchNode(pattern: string): number;
  /** A warning of the module `file`, which may be unknown: empty. */
  warn(text: string, node: string, file: string): void;
}

/** An error in extension code, in the form shown to the user. */
export interface Failure {
  readonly text: string;
  readonly hint: string;
  readonly node: string;
  readonly file: string;
}

/** The class of a record, and `<root>/<path>` of its module, for messages. */
export interface ClassRecord {
  readonly name: string;
  readonly file: string;
}

export interface OpRecord extends ClassRecord {
  readonly op: string;
  readonly type: string;
  readonly version: string;
  readonly infers: boolean;
  readonly infersTypes: boolean;
  readonly layout: readonly (readonly [what: string, rule: string])[];
}
export interface ExtractorRecord extends ClassRecord {
  readonly op: string;
  readonly framework: string;
}
export interface TransformRecord extends ClassRecord {
  readonly framework: string;
  readonly phase: 'front' | 'middle' | 'back';
  /** 'general' and 'subgraph' are enabled by the configuration file. */
  readonly kind: 'plain' | 'general' | 'subgraph';
  readonly replacementId: string;
  /** For the kind 'subgraph': the class has no replaceSubGraph(), so the core rewires what generateSubGraph() makes. */
  readonly generates: boolean;
  readonly id: string;
  readonly runAfter: readonly string[];
  readonly runBefore: readonly string[];
  readonly runNotRecursively: boolean;
  readonly forceCleanUp: boolean;
  readonly forceShapeInference: boolean;
}

/** A sub-graph that the configuration has selected. */
export interface SubgraphRecord {
  /** JSON. */
  readonly customAttributes: string;
  readonly scope: string;
  readonly nodes: readonly number[];
  /** For each tensor that enters it, the input ports that consume it. */
  readonly inputs: readonly Float64Array[];
  readonly outputs: number;
}

/** Says what shapes the outputs of layers have whose operations nobody knows. */
export interface ShapesRecord {
  readonly framework: string;
}

/** The user's extensions: their data for the core, and the functions that it calls. No function throws. */
export interface ExtensionCallbacks {
  readonly ops: readonly OpRecord[];
  readonly extractors: readonly ExtractorRecord[];
  readonly transforms: readonly TransformRecord[];
  readonly shapeProviders: readonly ShapesRecord[];
  /** The bounds of the outputs' shapes, as those of the inputs in `inputs`. */
  shapes(provider: number, g: number, n: number, inputs: readonly (readonly number[] | null)[]): readonly (readonly number[] | null)[] | Failure;
  infer(op: number, g: number, n: number): Failure | null;
  typeInfer(op: number, g: number, n: number): Failure | null;
  irAttributes(op: number, g: number, n: number): readonly (readonly [name: string, value: string])[] | Failure;
  /** For a node that has such functions of its own. */
  inferOwn(g: number, n: number): Failure | null;
  typeInferOwn(g: number, n: number): Failure | null;
  irAttributesOwn(g: number, n: number): readonly (readonly [name: string, value: string])[] | Failure;
  extractorEnabled(extractor: number): boolean;
  extract(extractor: number, g: number, n: number): boolean | Failure;
  transformEnabled(transform: number): boolean;
  graphCondition(transform: number, g: number): boolean | Failure;
  run(transform: number, g: number): Failure | null;
  transformGraph(transform: number, g: number, customAttributes: string): Failure | null;
  replaceSubGraph(transform: number, g: number, match: SubgraphRecord): Failure | null;
  generateSubGraph(transform: number, g: number, match: SubgraphRecord): readonly (readonly [alias: string, n: number])[] | Failure;
}
