/**
 * Internal interfaces of graphs, nodes and ports. Their classes form layers above this file: connection, port, node, graph.
 * Each uses those above it only through these interfaces.
 */
import { checked, core } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import { forgetEdge } from './edge-attributes.js';
import type { Graph, InPort, Node, OutPort, Port } from '../types.js';

/** Marks the converter's own objects, on their prototypes; no object of an extension has it. */
export const OBJECT = Symbol('object of the engine');
type Kind = 'graph' | 'node' | 'tensor' | 'in port' | 'out port';

export interface GraphObject extends Graph {
  readonly [OBJECT]: 'graph';
  readonly number: number;
  /** From the middle phase on there are tensors between operations. */
  readonly hasTensors: boolean;
  nodeAt(n: number): NodeObject;
  inPortAt(port: number, controlFlow?: boolean): InPortObject;
  outPortAt(port: number, controlFlow?: boolean): OutPortObject;
  /** Another graph of the same model. */
  graphAt(g: number): GraphObject;
}

/** An operation. */
export interface NodeObject extends Node {
  readonly [OBJECT]: 'node';
  readonly graph: GraphObject;
  readonly number: number;
  readonly op: string;
  /** Attributes of the node that only JavaScript can hold. */
  own(attribute: string): unknown;
  inPort(index: number, options?: { controlFlow?: boolean }): InPortObject;
  outPort(index: number, options?: { controlFlow?: boolean }): OutPortObject;
  /** The port's object, whether the node has the port or not. */
  inPortObject(index: number, controlFlow: boolean): InPortObject;
  outPortObject(index: number, controlFlow: boolean): OutPortObject;
  inPorts(): ReadonlyMap<number, InPortObject>;
  outPorts(): ReadonlyMap<number, OutPortObject>;
  addInputPort(index: number): InPortObject;
  addOutputPort(index: number): OutPortObject;
}

/** The tensor of an output, as it occurs in patterns. */
export interface TensorObject extends Node {
  readonly [OBJECT]: 'tensor';
  readonly producer: OutPortObject;
}

interface PortObject extends Port {
  readonly node: NodeObject;
  readonly graph: GraphObject;
  readonly controlFlow: boolean;
  /** The port as one number: see PORTS. */
  readonly joined: number;
}
export interface InPortObject extends PortObject, InPort {
  readonly [OBJECT]: 'in port';
  readonly type: 'in';
  readonly node: NodeObject;
  getSource(): OutPortObject | null;
}
export interface OutPortObject extends PortObject, OutPort {
  readonly [OBJECT]: 'out port';
  readonly type: 'out';
  readonly node: NodeObject;
  getDestination(): InPortObject | null;
  getDestinations(): InPortObject[];
}

function is(value: unknown, kind: Kind): boolean {
  return typeof value === 'object' && value !== null && (value as { [OBJECT]?: Kind })[OBJECT] === kind;
}

export function isGraph(value: unknown): value is GraphObject {
  return is(value, 'graph');
}

export function isDataNode(value: unknown): value is TensorObject {
  return is(value, 'tensor');
}

export function isOutPort(value: unknown): value is OutPortObject {
  return is(value, 'out port');
}

function isInPort(value: unknown): value is InPortObject {
  return is(value, 'in port');
}

/** The node as one of the core's operations. */
export function asNode(node: unknown): NodeObject {
  if (is(node, 'node')) return node as NodeObject;
  throw new MoError(isDataNode(node) ? 'an operation is needed here, not a tensor' : 'a node is needed here');
}

export function outPort(port: unknown): OutPortObject {
  if (isOutPort(port)) return port;
  throw new MoError(isInPort(port) ? `an output port is needed here, not an input port: ${port}` : 'an output port is needed here');
}

export function inPort(port: unknown): InPortObject {
  if (isInPort(port)) return port;
  throw new MoError(isOutPort(port) ? `an input port is needed here, not an output port: ${port}` : 'an input port is needed here');
}

export function joinPorts(from: unknown, to: unknown): void {
  const [source, destination] = [outPort(from), inPort(to)];
  if (source.graph !== destination.graph) throw new MoError('ports of different graphs cannot be joined', { node: destination.node });
  if (source.controlFlow !== destination.controlFlow) throw new MoError('a control-flow port joins only another one', { node: destination.node });
  checked(core().connectPorts(source.graph.number, source.joined, destination.joined, source.controlFlow));
  forgetEdge(destination);
}
