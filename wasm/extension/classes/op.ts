import { checked, core } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import { copyOf, decode } from '../graph/attribute.js';
import { asNode, isGraph, isOutPort, type NodeObject } from '../graph/objects.js';
import { classByName, type AttrRecord, type OpClass } from '../graph/op-classes.js';
import type { Attributes, Graph, Node, OutPort, Tensor } from '../types.js';
import { toRecord } from '../values/tensor.js';
import { inPortsOf, outPortsOf } from './port-counts.js';
import type { Operations } from '../operations.js';

/**
 * A new operation. Its instances hold attributes for nodes; a created node is independent of them.
 *
 * @example
 * ```js
 * import { Op } from '@mo/wasm/extension';
 *
 * export class SoftThreshold extends Op {
 *   static op = 'SoftThreshold';
 *   static type = 'SoftThreshold';
 *   static version = 'my_operations';
 *   static inPortsCount = 1;
 *   static outPortsCount = 1;
 *   static defaults = { threshold: 0.5 };
 *   static infer(node) {
 *     node.outPort(0).data.setShape(node.inPort(0).data.getShape());
 *   }
 *   static backendAttrs() {
 *     return ['threshold'];
 *   }
 * }
 * ```
 */
export abstract class Op {
  static op: string;
  /** IR type; an operation without one must be replaced before the IR is written. */
  static type?: string;
  /** Operation set in the IR; 'experimental' when absent. */
  static version?: string;
  static inPortsCount?: number;
  static outPortsCount?: number;
  /** Attribute defaults; attributes of the constructor and of updateNodeStat take precedence. */
  static defaults?: Attributes;
  /** True: the framework's operation of that name becomes this one, without an extractor. */
  static enabled?: boolean;
  /**
   * Which attributes and inputs follow an NHWC to NCHW permutation, and how: `{ axis: 'inv', pads: 'perm', 'input:1': 'axis' }`.
   * Rules: perm (one value per axis), inv (axes), order, axis, shape, slice, keep, transpose. None by default: element-wise.
   * `{ '*': 'reshapes' }`: the operation depends on the order of elements, and keeps the framework's layout.
   */
  static layout?: Readonly<Record<string, string>>;
  /** Shape and value propagation. */
  static infer?(node: Node): void;
  static typeInfer?(node: Node): void;
  /** Attributes written to the IR; `backendAttrs` takes precedence over `supportedAttrs`. */
  static supportedAttrs?(): readonly AttrRecord[];
  static backendAttrs?(): readonly AttrRecord[];

  readonly graph: Graph;
  readonly attributes: Attributes;

  constructor(graph: Graph, attributes: Attributes = {}) {
    this.graph = graph;
    this.attributes = copyOf({ ...(new.target as unknown as OpClass).defaults, ...attributes });
  }

  /**
   * Makes `node` this operation: sets its ports, its defaults, and `attributes`, which take precedence. The node then has the operation's
   * number of ports, where it has one: an input too many is disconnected and goes.
   */
  static updateNodeStat(node: Node, attributes: Attributes = {}): void {
    become(asNode(node), this as unknown as OpClass, attributes);
  }

  /** Adds a node; output 0 of each of `inputs`, or the given port, feeds the input with that index. */
  createNode(inputs: readonly (Node | OutPort)[] = [], attributes: Attributes = {}): Node {
    const op = this.constructor as unknown as OpClass;
    return make(this.graph, op.op ?? '', { ...this.attributes, ...attributes }, inputs, op);
  }
}

function become(node: NodeObject, op: OpClass, { in_ports_count, out_ports_count, op: _op, name, ...attributes }: Attributes): void {
  if (!op.op) throw new MoError(`class ${op.name} has no static op`);
  node.set('op', op.op);
  if (name !== undefined) node.set('name', name);
  const own = !isBuiltIn(op);
  grow(node, Number(in_ports_count ?? op.inPortsCount ?? 0), Number(out_ports_count ?? op.outPortsCount ?? 1));
  shrink(node, in_ports_count ?? (own ? op.inPortsCount : limitOf(op.op)), out_ports_count ?? (own ? op.outPortsCount : undefined));
  setAll(node, { ...op.defaults, ...attributes });
}

const HINT = 'names are those of patterns; operations of extensions are found by their static op';

/** The common part of extension classes and built-in operations when a node is created. */
function make(graph: Graph, op: string, given: Attributes, inputs: readonly (Node | OutPort)[], own: OpClass | undefined): Node {
  if (!isGraph(graph)) throw new MoError('an operation is made in a graph');
  if (!own && !core().isOperation(op)) throw new MoError(`there is no operation "${op}"`, { hint: HINT });
  const { name, id, in_ports_count, out_ports_count, op: _op, ...attributes } = { ...own?.defaults, ...given };
  const node = graph.nodeAt(checked(core().addNode(graph.number, op, String(name ?? id ?? ''), false)));
  const outputs = own ? own.outPortsCount ?? 1 : outPortsOf(op, attributes);
  const least = Number(in_ports_count ?? own?.inPortsCount ?? (own ? 0 : inPortsOf(op)));
  grow(node, Math.max(least, inputs.length), Number(out_ports_count ?? outputs));
  setAll(node, attributes);
  inputs.forEach((input, index) => node.inPort(index).connect(output(input)));
  return node;
}

function grow(node: NodeObject, inputs: number, outputs: number): void {
  for (let index = 0; index < inputs; index++) if (!core().hasInPort(node.graph.number, node.number, index)) node.addInputPort(index);
  for (let index = 0; index < outputs; index++) if (!core().hasOutPort(node.graph.number, node.number, index)) node.addOutputPort(index);
}

/** Removes ports from these numbers on; undefined: none. An output that is used is kept, so that its consumers are told of it. */
function shrink(node: NodeObject, inputs: unknown, outputs: unknown): void {
  if (inputs !== undefined) for (const index of node.inPorts().keys()) if (index >= Number(inputs)) node.deleteInputPort(index);
  if (outputs !== undefined) for (const [index, port] of node.outPorts()) if (index >= Number(outputs) && port.disconnected()) node.deleteOutputPort(index);
}

function limitOf(op: string): number | undefined {
  const limit = core().mostInputs(op);
  return limit < 0 ? undefined : limit;
}

function setAll(node: NodeObject, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.set(name, value);
}

function output(input: Node | OutPort): OutPort {
  return isOutPort(input) ? input : asNode(input).outPort(0);
}

/** The attributes of `ops.create` for an operation: those of a built-in operation, and those of every node. */
export type AttributesOf<Name> = Attributes & (Name extends keyof Operations ? Operations[Name] : unknown);

/**
 * Create operations, built-in ones and those of extensions.
 *
 * @example
 * ```js
 * import { ops, tensor } from '@mo/wasm/extension';
 *
 * function half(graph, port) {
 *   const factor = ops.constant(graph, tensor('f32', [], [0.5]), { name: 'half' });
 *   return ops.create(graph, 'Mul', { name: 'halved' }, [port, factor]);
 * }
 * ```
 */
export const ops = {
  create<Name extends string>(graph: Graph, op: Name | keyof Operations, attributes = {} as AttributesOf<Name>, inputs: readonly (Node | OutPort)[] = []): Node {
    return make(graph, op, attributes, inputs, classByName(op));
  },

  constant(graph: Graph, value: Tensor, attributes: Attributes = {}): Node {
    toRecord(value);
    return make(graph, 'Const', { name: 'Const', ...attributes, value }, [], undefined);
  },

  /** An operation whose inputs at the given ports are constants; `input` feeds port 0. */
  createWithConstInputs(
    graph: Graph,
    op: string,
    constants: Readonly<Record<number, Tensor>>,
    attributes: Attributes = {},
    input?: Node | OutPort,
  ): Node {
    const node = asNode(ops.create(graph, op, attributes));
    for (const [port, value] of Object.entries(constants)) {
      grow(node, Number(port) + 1, 0);
      node.inPort(Number(port)).connect(ops.constant(graph, value, { name: `${node.name}/const_${port}` }).outPort(0));
    }
    if (input) node.inPort(0).connect(output(input));
    return node;
  },

  /** The class of an extension's operation, or a class for a built-in operation. */
  classByName(op: string): typeof Op | undefined {
    return (classByName(op) as unknown as typeof Op | undefined) ?? builtIn(op);
  },

  /** Gives `node` the operation's defaults and `attributes`; called by extractors. */
  updateNodeStat(op: string | typeof Op, node: Node, attributes: Attributes = {}): void {
    const known = typeof op === 'string' ? ops.classByName(op) : op;
    if (!known) throw new MoError(`there is no operation "${String(op)}"`, { node });
    known.updateNodeStat(node, attributes);
  },
};

const builtIns = new Map<string, typeof Op>();

function isBuiltIn(op: OpClass): boolean {
  return builtIns.get(op.op ?? '') === (op as unknown);
}

function builtIn(op: string): typeof Op | undefined {
  const known = builtIns.get(op);
  if (known || !core().isOperation(op)) return known;
  const made = class extends Op {
    static override op = op;
    static override inPortsCount = inPortsOf(op);
    static override outPortsCount = outPortsOf(op, {});
    static override get defaults(): Attributes {
      return Object.fromEntries(checked(core().operationDefaults(op)).map(([name, value]) => [name, decode(value)]));
    }
  };
  Object.defineProperty(made, 'name', { value: op });
  builtIns.set(op, made);
  return made;
}
