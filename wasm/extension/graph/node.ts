import { checked, core, textOf } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import type { Attribute, FrameworkNode, Node } from '../types.js';
import { copyOf, decode, encode } from './attribute.js';
import { AttributeHolder } from './attribute-holder.js';
import { computedAttribute, setComputed } from './computed-attributes.js';
import { dataNode } from './data-node.js';
import { ModelFrameworkNode } from './framework-node.js';
import { asNode, OBJECT, type GraphObject, type NodeObject } from './objects.js';
import { ModelInPort, ModelOutPort } from './port.js';

/** A node's own attributes of these names take precedence over what the operation has. */
const OWN_DEFINITION: ReadonlySet<string> = new Set(['infer', 'type_infer', 'IE', 'type', 'version']);

/** An operation of the core. There is only one object for each; it stores only what the core cannot hold. */
export class ModelNode extends AttributeHolder implements NodeObject {
  readonly kind = 'op';
  readonly #in = new Map<string | number, ModelInPort>();
  readonly #out = new Map<string | number, ModelOutPort>();
  /** Functions and other objects. */
  #own: Map<string, unknown> | undefined;

  constructor(
    readonly graph: GraphObject,
    readonly number: number,
  ) {
    super();
  }

  get [OBJECT](): 'node' {
    return 'node';
  }

  get id(): string {
    return checked(core().nodeKey(this.graph.number, this.number));
  }

  get name(): string {
    return checked(core().nodeName(this.graph.number, this.number));
  }

  set name(name: string) {
    checked(core().setNodeName(this.graph.number, this.number, String(name)));
  }

  get op(): string {
    return textOf(checked(core().nodeOp(this.graph.number, this.number)));
  }

  get pb(): FrameworkNode | undefined {
    const facts = checked(core().frameworkNode(this.graph.number, this.number));
    return facts ? new ModelFrameworkNode(this, facts) : undefined;
  }

  override get<T = Attribute>(attribute: string): T | undefined;
  override get<T = Attribute>(attribute: string, otherwise: T): T;
  override get(attribute: string, otherwise?: unknown): unknown {
    if (attribute === 'op') return this.op;
    if (attribute === 'name') return this.name;
    if (this.#own?.has(attribute)) return this.#own.get(attribute);
    const encoded = checked(core().attribute(this.graph.number, this.number, attribute));
    if (encoded !== null) return decode(encoded, this.graph);
    const computed = computedAttribute(this, attribute);
    return computed === undefined ? otherwise : computed;
  }

  set(attribute: string, value: Attribute): void {
    if (value === undefined) return this.delete(attribute);
    if (setComputed(this, attribute, value)) return;
    const encoded = OWN_DEFINITION.has(attribute) ? undefined : encode(value);
    if (encoded) {
      checked(core().setAttribute(this.graph.number, this.number, attribute, encoded));
      this.#own?.delete(attribute);
      return;
    }
    checked(core().deleteAttribute(this.graph.number, this.number, attribute));
    (this.#own ??= new Map()).set(attribute, copyOf(value));
    if (OWN_DEFINITION.has(attribute)) this.#tellDefinition();
  }

  own(attribute: string): unknown {
    return this.#own?.get(attribute);
  }

  #tellDefinition(): void {
    if (!this.#own) return;
    const has = (name: string) => Boolean(this.own(name));
    const text = (name: string) => (this.#own!.has(name) ? String(this.own(name) ?? '') : undefined);
    checked(core().setOwnFunctions(this.graph.number, this.number, has('infer'), has('type_infer'), has('IE'), text('type'), text('version')));
  }

  delete(attribute: string): void {
    if (this.#own?.delete(attribute) && OWN_DEFINITION.has(attribute)) this.#tellDefinition();
    checked(core().deleteAttribute(this.graph.number, this.number, attribute));
  }

  /** In the order in which they were extracted or set. */
  attributeNames(): string[] {
    return [...checked(core().attributeKeys(this.graph.number, this.number)), ...(this.#own?.keys() ?? [])];
  }

  inPort(index: number, { controlFlow = false }: { controlFlow?: boolean } = {}): ModelInPort {
    if (!isNumber(index) || !controlFlow && !checked(core().hasInPort(this.graph.number, this.number, index)))
      throw new MoError(`there is no input port ${index}: the node has ${listed(this.inPorts())}`, { node: this });
    return this.inPortObject(index, controlFlow);
  }

  outPort(index: number, { controlFlow = false }: { controlFlow?: boolean } = {}): ModelOutPort {
    if (!isNumber(index) || !controlFlow && !checked(core().hasOutPort(this.graph.number, this.number, index)))
      throw new MoError(`there is no output port ${index}: the node has ${listed(this.outPorts())}`, { node: this });
    return this.outPortObject(index, controlFlow);
  }

  inPortObject(index: number, controlFlow: boolean): ModelInPort {
    const key = controlFlow ? `control ${index}` : index;
    const port = this.#in.get(key) ?? new ModelInPort(this, index, controlFlow);
    this.#in.set(key, port);
    return port;
  }

  outPortObject(index: number, controlFlow: boolean): ModelOutPort {
    const key = controlFlow ? `control ${index}` : index;
    const port = this.#out.get(key) ?? new ModelOutPort(this, index, controlFlow);
    this.#out.set(key, port);
    return port;
  }

  inPorts(): ReadonlyMap<number, ModelInPort> {
    const numbers = checked(core().inPortIds(this.graph.number, this.number));
    return new Map(Array.from(numbers, (index) => [index, this.inPortObject(index, false)]));
  }

  outPorts(): ReadonlyMap<number, ModelOutPort> {
    const numbers = checked(core().outPortIds(this.graph.number, this.number));
    return new Map(Array.from(numbers, (index) => [index, this.outPortObject(index, false)]));
  }

  isInPortConnected(index: number): boolean {
    return this.inPorts().has(index) && !this.inPort(index).disconnected();
  }

  isOutPortConnected(index: number): boolean {
    return this.outPorts().has(index) && !this.outPort(index).disconnected();
  }

  addInputPort(index: number): ModelInPort {
    this.#requireNumber(index);
    checked(core().addInPort(this.graph.number, this.number, index));
    return this.inPort(index);
  }

  addOutputPort(index: number): ModelOutPort {
    this.#requireNumber(index);
    checked(core().addOutPort(this.graph.number, this.number, index));
    return this.outPort(index);
  }

  deleteInputPort(index: number): void {
    this.#requireNumber(index);
    checked(core().deleteInPort(this.graph.number, this.number, index));
  }

  deleteOutputPort(index: number): void {
    this.#requireNumber(index);
    checked(core().deleteOutPort(this.graph.number, this.number, index));
  }

  inNode(index = 0): Node {
    const source = this.inPort(index).getSource();
    if (!source) throw new MoError(`input ${index} is free`, { node: this });
    return this.graph.hasTensors ? dataNode(source) : source.node;
  }

  outNode(index = 0): Node {
    const port = this.outPort(index);
    if (this.graph.hasTensors) return dataNode(port);
    const destination = port.getDestinations()[0];
    if (!destination) throw new MoError(`output ${index} has no consumer`, { node: this });
    return destination.node;
  }

  inNodes(): Readonly<Record<number, Node>> {
    const connected = [...this.inPorts().values()].filter((port) => !port.disconnected());
    return Object.fromEntries(connected.map((port) => [port.index, this.inNode(port.index)]));
  }

  outNodes(): Readonly<Record<number, Node>> {
    const seen = [...this.outPorts().values()].filter((port) => this.graph.hasTensors || !port.disconnected());
    return Object.fromEntries(seen.map((port) => [port.index, this.outNode(port.index)]));
  }

  getOutputs(): readonly (readonly [node: Node, edge: { in: number; out: number }])[] {
    return [...this.outPorts().values()].flatMap((port) =>
      port.getDestinations().map((to) => [to.node, { in: to.index, out: port.index }] as const));
  }

  insertNodeAfter(node: Node, outPort = 0): void {
    const source = this.outPort(outPort);
    const connection = source.getConnection();
    if (connection) connection.insertNode(node);
    else source.connect(asNode(node).inPort(0));
  }

  override toString(): string {
    return `node "${this.name}" (${this.op})`;
  }

  #requireNumber(index: number): void {
    if (!isNumber(index)) throw new MoError(`a port has a whole number, not ${index}`, { node: this });
  }
}

/** On its way to the core any other number, or none, would become one that means another port. */
function isNumber(index: number): boolean {
  return typeof index === 'number' && (index | 0) === index;
}

function listed(ports: ReadonlyMap<number, unknown>): string {
  return ports.size ? [...ports.keys()].join(', ') : 'none';
}
