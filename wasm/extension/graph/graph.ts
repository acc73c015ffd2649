import { cachedGraph, checked, core, entry, splitPort } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import type { Attributes, Edge, Graph, Node } from '../types.js';
import { copyOf, sameValue } from './attribute.js';
import { dataNode } from './data-node.js';
import { attributesOf } from './edge-attributes.js';
import { inEdges, outEdges } from './edges.js';
import { ModelNode } from './node.js';
import { asNode, joinPorts, OBJECT, type GraphObject, type InPortObject, type OutPortObject } from './objects.js';

/** The change of layout belongs to the middle phase. */
const PHASES = ['load', 'front', 'middle', 'middle', 'back'] as const;

export class ModelGraph implements GraphObject {
  readonly #nodes: (ModelNode | undefined)[] = [];
  #facts: { framework: string; layout: string; options: [name: string, value: string][] } | undefined;

  #phase = 0;
  #phaseAt = -1;

  constructor(readonly number: number) {}

  get [OBJECT](): 'graph' {
    return 'graph';
  }

  get framework(): Graph['framework'] {
    return this.#known().framework as Graph['framework'];
  }

  get layout(): Graph['layout'] {
    return checked(core().graphFacts(this.number)).layout as Graph['layout'];
  }

  get options(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#known().options);
  }

  get phase(): Graph['phase'] {
    return PHASES[this.#phaseNumber()]!;
  }

  get hasTensors(): boolean {
    return this.#phaseNumber() >= 2;
  }

  readonly node: Readonly<Record<string, Node>> = new Proxy({}, {
    get: (_target, id) => (typeof id === 'string' ? this.getNode(id) : undefined),
    has: (_target, id) => typeof id === 'string' && this.getNode(id) !== undefined,
    ownKeys: () => this.nodes().map(({ id }) => id),
    getOwnPropertyDescriptor: (_target, id) => {
      const value = typeof id === 'string' ? this.getNode(id) : undefined;
      return value && { value, enumerable: true, configurable: true };
    },
  });

  nodeAt(n: number): ModelNode {
    return (this.#nodes[n] ??= new ModelNode(this, n));
  }

  inPortAt(port: number, controlFlow = false): InPortObject {
    const [n, index] = splitPort(port);
    return this.nodeAt(n).inPortObject(index, controlFlow);
  }

  outPortAt(port: number, controlFlow = false): OutPortObject {
    const [n, index] = splitPort(port);
    return this.nodeAt(n).outPortObject(index, controlFlow);
  }

  graphAt(g: number): ModelGraph {
    return graphAt(g);
  }

  nodes(): Node[] {
    const ops = this.#all(core().nodeIds(this.number));
    if (!this.hasTensors) return ops;
    return ops.flatMap((op): Node[] => [op, ...Array.from(op.outPorts().values(), dataNode)]);
  }

  getOpNodes({ op, ...attributes }: Attributes = {}): Node[] {
    const named = typeof op === 'string';
    const nodes = this.#all(named ? core().opNodeIds(this.number, op) : core().nodeIds(this.number));
    const filters = Object.entries(named || op === undefined ? attributes : { op, ...attributes });
    return nodes.filter((node) => filters.every(([name, wanted]) => {
      const value = node.get<unknown>(name);
      return typeof wanted === 'function' ? Boolean(wanted(value, node)) : sameValue(value, wanted);
    }));
  }

  getNode(id: string): Node | undefined {
    const n = checked(core().findNode(this.number, id));
    if (n >= 0) return this.nodeAt(n);
    const end = id.lastIndexOf('/data_');
    const index = Number(id.slice(end + 6));
    const producer = end > 0 && this.hasTensors ? checked(core().findNode(this.number, id.slice(0, end))) : -1;
    const port = producer >= 0 ? this.nodeAt(producer).outPorts().get(index) : undefined;
    return port && dataNode(port);
  }

  removeNode(node: Node): void {
    const known = typeof node === 'string' ? this.getNode(node) : node;
    if (known?.graph !== this) throw new MoError('only a node of this graph can be removed from it');
    checked(core().removeNode(this.number, asNode(known).number));
  }

  removeNodes(nodes: Iterable<Node>): void {
    for (const node of [...nodes]) this.removeNode(node);
  }

  topologicalOrder(): Node[] {
    return this.#all(core().topologicalOrder(this.number));
  }

  cleanUp(): void {
    checked(core().cleanUp(this.number));
  }

  addNode(id: string, { op = id, name, ...attributes }: Attributes): Node {
    const node = this.nodeAt(checked(core().addNode(this.number, String(op), id, true)));
    if (name !== undefined) node.name = String(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.set(key, value);
    return node;
  }

  addEdgesFrom(edges: readonly (readonly [from: string, to: string, attributes: { in: number; out: number }])[]): void {
    for (const [from, to, attributes] of edges) this.createEdge(this.#byId(from), this.#byId(to), attributes.out, attributes.in, attributes as Attributes);
  }

  /** Adds missing ports. */
  createEdge(from: Node, to: Node, outPort = 0, inPort = 0, attributes: Attributes = {}): void {
    const [source, destination] = [asNode(from), asNode(to)];
    const output = source.outPorts().get(outPort) ?? source.addOutputPort(outPort);
    const input = destination.inPorts().get(inPort) ?? destination.addInputPort(inPort);
    joinPorts(output, input);
    Object.assign(attributesOf(input, output), copyOf(attributes), { in: inPort, ...(this.hasTensors ? {} : { out: outPort }) });
  }

  inEdges(node: Node): readonly Edge[] {
    return inEdges(node);
  }

  outEdges(node: Node): readonly Edge[] {
    return outEdges(node);
  }

  #phaseNumber(): number {
    if (this.#phaseAt !== entry()) {
      this.#phase = checked(core().graphPhase(this.number));
      this.#phaseAt = entry();
    }
    return this.#phase;
  }

  #byId(id: string): Node {
    const node = this.getNode(id);
    if (!node) throw new MoError(`there is no node "${id}"`);
    return node;
  }

  #all(numbers: Int32Array | undefined): ModelNode[] {
    return Array.from(checked(numbers), (n) => this.nodeAt(n));
  }

  #known() {
    return (this.#facts ??= checked(core().graphFacts(this.number)));
  }
}

/** The only object for graph `g` of the conversion. */
export function graphAt(g: number): ModelGraph {
  return cachedGraph(g, (number) => new ModelGraph(number));
}

/**
 * Renames several nodes in one step, so that they can swap names.
 *
 * @example
 * ```js
 * import { renameNodes } from '@mo/wasm/extension';
 *
 * // `b` takes the name that `a` had.
 * export const swap = (a, b) => renameNodes([[a, `${a.name}/inner`], [b, a.name]]);
 * ```
 */
export function renameNodes(pairs: readonly (readonly [node: Node, name: string])[]): void {
  const nodes = pairs.map(([node]) => asNode(node));
  const graph = nodes[0]?.graph;
  if (!graph) return;
  if (nodes.some((node) => node.graph !== graph)) throw new MoError('nodes of different graphs are renamed one graph at a time');
  checked(core().renameNodes(graph.number, nodes.map(({ number }) => number), pairs.map(([, name]) => String(name))));
}
