import { MoError } from '../core/error.js';
import type { Attribute, FrameworkNode, InPort, Node, OutPort, Shape, ElementType, Tensor } from '../types.js';
import { AttributeHolder } from './attribute-holder.js';
import { OBJECT, type GraphObject, type OutPortObject, type TensorObject } from './objects.js';

/** The tensor of an output, as it occurs in patterns of the middle and back phases (`kind: 'data'`). */
export class DataNode extends AttributeHolder implements TensorObject {
  readonly kind = 'data';
  readonly graph: GraphObject;
  readonly pb: FrameworkNode | undefined = undefined;

  constructor(readonly producer: OutPortObject) {
    super();
    this.graph = producer.graph;
  }

  get [OBJECT](): 'tensor' {
    return 'tensor';
  }

  get id(): string {
    return `${this.producer.node.id}/data_${this.producer.index}`;
  }

  get name(): string {
    return this.producer.getTensorNames()[0] ?? this.id;
  }

  set name(name: string) {
    this.producer.addTensorNames([name]);
  }

  override get<T = Attribute>(attribute: string): T | undefined;
  override get<T = Attribute>(attribute: string, otherwise: T): T;
  override get(attribute: string, otherwise?: unknown): unknown {
    switch (attribute) {
      case 'kind':
        return this.kind;
      case 'id':
        return this.id;
      case 'name':
        return this.name;
      case 'shape':
        return this.producer.data.getShape();
      case 'value':
        return this.producer.data.getValue();
      case 'data_type':
        return this.producer.data.getType();
      default:
        return otherwise;
    }
  }

  set(attribute: string, value: Attribute): void {
    const { data } = this.producer;
    if (attribute === 'shape') data.setShape(value as Shape);
    else if (attribute === 'value') data.setValue(value as Tensor);
    else if (attribute === 'data_type') data.setType(value as ElementType);
    else if (attribute === 'name') this.name = String(value);
    else throw new MoError(`a tensor has shape, value, data_type and name, but no "${attribute}"`, { node: this.producer.node });
  }

  delete(attribute: string): void {
    throw new MoError(`"${attribute}" of a tensor cannot be deleted`, { node: this.producer.node });
  }

  attributeNames(): string[] {
    return ['shape', 'value', 'data_type'].filter((name) => this.hasValid(name));
  }

  inNode(): Node {
    return this.producer.node;
  }

  outNode(index = 0): Node {
    const destination = this.producer.getDestinations()[index];
    if (!destination) throw new MoError(`the tensor has no consumer ${index}`, { node: this.producer.node });
    return destination.node;
  }

  inNodes(): Readonly<Record<number, Node>> {
    return { 0: this.inNode() };
  }

  outNodes(): Readonly<Record<number, Node>> {
    return { ...this.producer.getDestinations().map((port) => port.node) };
  }

  getOutputs(): readonly (readonly [node: Node, edge: { in: number; out: number }])[] {
    return this.producer.getDestinations().map((port) => [port.node, { in: port.index, out: this.producer.index }] as const);
  }

  inPort(): InPort {
    return this.#refuse();
  }

  outPort(): OutPort {
    return this.#refuse();
  }

  inPorts(): ReadonlyMap<number, InPort> {
    return new Map();
  }

  outPorts(): ReadonlyMap<number, OutPort> {
    return new Map();
  }

  isInPortConnected(): boolean {
    return false;
  }

  isOutPortConnected(): boolean {
    return false;
  }

  addInputPort(): InPort {
    return this.#refuse();
  }

  addOutputPort(): OutPort {
    return this.#refuse();
  }

  deleteInputPort(): void {
    this.#refuse();
  }

  deleteOutputPort(): void {
    this.#refuse();
  }

  insertNodeAfter(): void {
    this.#refuse();
  }

  #refuse(): never {
    throw new MoError('a tensor has no ports: ask the operation that makes it', { node: this.producer.node });
  }
}

const made = new WeakMap<OutPortObject, DataNode>();

/** The only object for the tensor of an output. */
export function dataNode(port: OutPortObject): DataNode {
  const known = made.get(port) ?? new DataNode(port);
  made.set(port, known);
  return known;
}
