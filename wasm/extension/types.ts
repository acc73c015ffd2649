/**
 * The interface of models for extension code: graphs, nodes, ports, connections, tensors. Its methods are of three levels: 1, a graph as nodes
 * and edges; 2, nodes and their neighbours; 3, ports and connections, which transformations should use. The others are for code that was
 * written for them.
 */
import type { Framework } from '../library/shared/formats.js';

/** One dimension: a number, or null when unknown, or an interval; `null` as the upper bound means unbounded. */
export type Dim = number | null | readonly [min: number, max: number | null];
/** null: the rank is unknown. */
export type Shape = readonly Dim[] | null;
/** The types of elements that an IR may have. */
export type ElementType =
  | 'f64' | 'f32' | 'f16' | 'bf16' | 'f8e4m3' | 'f8e5m2' | 'f8e8m0' | 'f4e2m1' | 'nf4'
  | 'i64' | 'i32' | 'i16' | 'i8' | 'i4' | 'u64' | 'u32' | 'u16' | 'u8' | 'u4' | 'u1' | 'boolean' | 'string';

/** A value: fully or partly known. `get` reads the bytes of a large constant only when called. */
export interface Tensor {
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Elements in row-major order; null for an unknown integer element. 64-bit integers are bigint unless `asNumbers`. */
  get(options?: { asNumbers?: boolean }): ArrayLike<number | bigint | string | boolean | null>;
  /** The same bytes in another shape. Throws if the number of elements differs. */
  reshape(shape: readonly number[]): Tensor;
}

/** A value of an attribute of a node. */
export type Attribute =
  | null | boolean | number | bigint | string | readonly Attribute[] | Tensor | Graph
  | ((...args: any[]) => unknown) | { readonly [key: string]: Attribute };
/** Attributes by their names. */
export type Attributes = Record<string, Attribute | undefined>;

/** A model, or the body of an operation. */
export interface Graph {
  readonly framework: Framework;
  readonly phase: 'load' | 'front' | 'middle' | 'back';
  readonly layout: 'NCHW' | 'NHWC';
  readonly options: Readonly<Record<string, unknown>>;
  /** Level 3. All operations in order of creation; from the middle phase on also the tensors, each after its operation. */
  nodes(): Node[];
  /** `graph.node['id']` */
  readonly node: Readonly<Record<string, Node>>;
  /** Level 3. Operations whose attributes equal all of `attributes`; a function as a value is a predicate. */
  getOpNodes(attributes?: Attributes): Node[];
  /** Level 3. */
  getNode(id: string): Node | undefined;
  /** Level 3. */
  removeNode(node: Node): void;
  /** Level 3. */
  removeNodes(nodes: Iterable<Node>): void;
  /** Level 3. */
  topologicalOrder(): Node[];
  /** Level 3. */
  cleanUp(): void;
  /** Level 1. @deprecated Low level: prefer `ops.create` and ports. Throws when the id is taken. */
  addNode(id: string, attributes: Attributes): Node;
  /** Level 1. @deprecated Low level: prefer ports. Attributes besides `in` and `out` stay on the edge. */
  addEdgesFrom(edges: readonly (readonly [from: string, to: string, attributes: { in: number; out: number; [name: string]: unknown }])[]): void;
  /** Level 2. @deprecated Low level: prefer ports. Attributes stay on the edge. */
  createEdge(from: Node, to: Node, outPort?: number, inPort?: number, attributes?: Attributes): void;
  /** Level 1. @deprecated Low level: prefer ports. */
  inEdges(node: Node): readonly Edge[];
  /** Level 1. @deprecated Low level: prefer ports. */
  outEdges(node: Node): readonly Edge[];
}
/** Low level. In the front phase an edge joins operations; later it has only `out` from an operation to a tensor, only `in` from a tensor to an operation. */
export interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly attributes: { in: number; out: number; [name: string]: unknown };
}

/** An operation; in the middle and back phases a pattern may also name a tensor (`kind: 'data'`), with the same interface. */
export interface Node {
  readonly graph: Graph;
  readonly id: string;
  readonly kind: 'op' | 'data';
  name: string;
  /** The framework's own node: `pb.attribute('axis')`, `pb.opType`, `pb.name`; undefined for nodes made by a rewrite. */
  readonly pb: FrameworkNode | undefined;
  /** Level 3. */
  get<T = Attribute>(attribute: string): T | undefined;
  /** Level 3. */
  get<T = Attribute>(attribute: string, otherwise: T): T;
  /** Level 3. */
  set(attribute: string, value: Attribute): void;
  /** Level 3. */
  has(attribute: string): boolean;
  /** Level 3. As `has`, and the value is neither null nor undefined. */
  hasValid(attribute: string): boolean;
  /** Level 3. */
  delete(attribute: string): void;
  /** Level 3. The attributes that were extracted or set, besides op and name; of a tensor those that are known. */
  attributeNames(): string[];
  /** Level 3. Throws if there is no such port. */
  inPort(index: number, options?: { controlFlow?: boolean }): InPort;
  /** Level 3. */
  outPort(index: number, options?: { controlFlow?: boolean }): OutPort;
  /** Level 3. Keyed by port number: numbers stay when another port is deleted. */
  inPorts(): ReadonlyMap<number, InPort>;
  /** Level 3. */
  outPorts(): ReadonlyMap<number, OutPort>;
  /** Level 3. */
  isInPortConnected(index: number): boolean;
  /** Level 3. */
  isOutPortConnected(index: number): boolean;
  /** Level 3. */
  addInputPort(index: number): InPort;
  /** Level 3. */
  addOutputPort(index: number): OutPort;
  /** Level 3. */
  deleteInputPort(index: number): void;
  /** Level 3. */
  deleteOutputPort(index: number): void;
  /** Level 2. @deprecated Low level: the neighbouring node (an operation in the front phase, a data node later). */
  inNode(index?: number): Node;
  /** Level 2. @deprecated Low level. */
  outNode(index?: number): Node;
  /** Level 2. @deprecated Low level. */
  inNodes(): Readonly<Record<number, Node>>;
  /** Level 2. @deprecated Low level. */
  outNodes(): Readonly<Record<number, Node>>;
  /** Level 2. @deprecated Low level. */
  getOutputs(): readonly (readonly [node: Node, edge: { in: number; out: number }])[];
  /** Level 2. @deprecated Low level: prefer `Connection.insertNode`. */
  insertNodeAfter(node: Node, outPort?: number): void;
}
/** A node as the model's file has it. */
export interface FrameworkNode {
  readonly name: string;
  readonly opType: string;
  readonly framework: Graph['framework'];
  /** Of ONNX; '' elsewhere. */
  readonly domain: string;
  /** A named attribute of the node. */
  attribute(name: string, otherwise?: unknown): unknown;
  attributeNames(): string[];
  /**
   * Any field of the framework's message, read on demand; undefined if it is absent. A path consists of field names, and of positions in
   * repeated fields: `pb.field('attribute.0.name')`. An enum's value is its name, a message an object whose fields are read
   * when they are touched.
   */
  field(path: string): unknown;
  /** TensorFlow: the attributes as the messages that they are in the file, `pb.attr['T'].type`; empty elsewhere. */
  readonly attr: TfAttributes;
}

/**
 * The shapes of the outputs of a layer that `CustomLayersMapping.xml` registers, one for each output, by those of its bottoms. A module in
 * front/caffe/ exports it as `caffeShapeProvider`, or as its default. There is no Caffe here to ask.
 */
export type CaffeShapeProvider = (layer: FrameworkNode, inputShapes: readonly Shape[]) => readonly Shape[];

/** Absent fields have protobuf's defaults, absent attributes are undefined. A DataType is its name: 'DT_FLOAT'. */
export type TfAttributes = Readonly<Record<string, TfAttribute>>;
/** An AttrValue: one of these fields is set. */
export interface TfAttribute {
  readonly s: string;
  readonly i: number | bigint;
  readonly f: number;
  readonly b: boolean;
  readonly type: string;
  readonly shape: TfShape;
  readonly tensor: TfTensor;
  readonly placeholder: string;
  readonly func: TfFunction;
  readonly list: {
    readonly s: readonly string[];
    readonly i: readonly (number | bigint)[];
    readonly f: readonly number[];
    /** 0 or 1. */
    readonly b: readonly number[];
    readonly type: readonly string[];
    readonly shape: readonly TfShape[];
    readonly tensor: readonly TfTensor[];
    readonly func: readonly TfFunction[];
  };
}
/** A TensorShapeProto; a size of -1 is not known. */
export interface TfShape {
  readonly dim: readonly { readonly size: number | bigint; readonly name: string }[];
  readonly unknown_rank: boolean;
}
/** A TensorProto. `tfTensorContent` reads its value, wherever the file has it. */
export interface TfTensor {
  readonly dtype: string;
  readonly tensor_shape: TfShape;
  readonly [field: string]: unknown;
}
/** A function of a TensorFlow graph, by its name. */
export interface TfFunction {
  readonly name: string;
  readonly attr: TfAttributes;
}

/** What is known about a port's tensor. In the front phase the getters return null and the setters throw. */
export interface PortData {
  /** Level 3. */
  getShape(): Shape;
  /** Level 3. */
  setShape(shape: Shape): void;
  /** Level 3. */
  getValue(): Tensor | null;
  /** Level 3. */
  setValue(value: Tensor): void;
  /** Level 3. */
  getType(): ElementType | null;
  /** Level 3. */
  setType(type: ElementType): void;
}
/** An input or an output of a node. */
export interface Port {
  readonly node: Node;
  readonly index: number;
  readonly type: 'in' | 'out';
  readonly data: PortData;
  /** Level 3. null for an unconnected port: connect it with its own `connect` or `setSource`. */
  getConnection(): Connection | null;
  /** Level 3. */
  disconnect(): void;
  /** Level 3. */
  disconnected(): boolean;
  /** Level 3. */
  getTensorNames(): string[];
  /** Level 3. */
  addTensorNames(names: readonly string[]): void;
}
/** An input of a node, which one output feeds. */
export interface InPort extends Port {
  readonly type: 'in';
  /** Level 3. */
  getSource(): OutPort | null;
  /** Level 3. */
  setSource(port: OutPort, mode?: TensorNames): void;
  /** Level 3. */
  connect(port: OutPort): void;
}
/** An output of a node, which any number of inputs read. */
export interface OutPort extends Port {
  readonly type: 'out';
  /** Level 3. Throws if there is more than one. */
  getDestination(): InPort | null;
  /** Level 3. */
  getDestinations(): InPort[];
  /** Level 3. */
  setDestination(port: InPort, mode?: TensorNames): void;
  /** Level 3. */
  addDestination(port: InPort): void;
  /** Level 3. */
  connect(port: InPort): void;
}
/** Which tensor names are kept. */
export type TensorNames = 'merge' | 'source' | 'dest';

/** A source and its destinations: all of them, or a single input. */
export interface Connection {
  /** Level 3. */
  getSource(): OutPort | null;
  /** Level 3. Throws if there is more than one. */
  getDestination(): InPort | null;
  /** Level 3. */
  getDestinations(): InPort[];
  /** Level 3. */
  setSource(port: OutPort, mode?: TensorNames): void;
  /** Level 3. */
  setDestination(port: InPort, mode?: TensorNames): void;
  /** Level 3. */
  addDestination(port: InPort): void;
  /** Level 3. Inserts `node` between the source and all destinations, through its ports 0. */
  insertNode(node: Node, mode?: TensorNames): void;
  /** Level 3. */
  remove(): void;
}
