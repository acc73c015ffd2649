import { checked, core, joinPort } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import type { Connection, InPort, OutPort, PortData, TensorNames } from '../types.js';
import { ModelConnection } from './connection.js';
import { forgetEdge } from './edge-attributes.js';
import { joinPorts, OBJECT, type GraphObject, type InPortObject, type NodeObject, type OutPortObject } from './objects.js';
import { PortTensor } from './port-data.js';

export abstract class ModelPort {
  abstract readonly type: 'in' | 'out';
  abstract getConnection(): Connection | null;
  abstract disconnect(): void;
  abstract disconnected(): boolean;

  constructor(
    readonly node: NodeObject,
    readonly index: number,
    readonly controlFlow: boolean,
  ) {}

  get graph(): GraphObject {
    return this.node.graph;
  }

  get joined(): number {
    return joinPort(this.node.number, this.index);
  }

  get data(): PortData {
    this.requireTensor();
    return new PortTensor(this.graph, () => this.producer(), this.type);
  }

  getTensorNames(): string[] {
    const port = this.producer();
    return port ? checked(core().tensorNames(this.graph.number, port.node.number, port.index)) : [];
  }

  addTensorNames(names: readonly string[]): void {
    const port = this.producer();
    if (!port) throw new MoError(`input ${this.index} is free: it has no tensor to name`, { node: this.node });
    checked(core().addTensorNames(this.graph.number, port.node.number, port.index, names.map(String)));
  }

  toString(): string {
    return `${this.type} port ${this.index} of "${this.node.name}"`;
  }

  /** The output that owns the tensor. */
  protected abstract producer(): OutPortObject | null;

  /** Control flow orders operations; it carries no tensor and has no connection. */
  protected requireTensor(): void {
    if (this.controlFlow) throw new MoError('a control-flow port carries no tensor', { node: this.node });
  }
}

export class ModelInPort extends ModelPort implements InPortObject {
  readonly type = 'in';

  get [OBJECT](): 'in port' {
    return 'in port';
  }

  getSource(): OutPortObject | null {
    const port = checked(core().source(this.graph.number, this.node.number, this.index, this.controlFlow));
    return port < 0 ? null : this.graph.outPortAt(port, this.controlFlow);
  }

  getConnection(): Connection | null {
    this.requireTensor();
    return this.disconnected() ? null : new ModelConnection(this.getSource(), [this]);
  }

  setSource(port: OutPort, mode?: TensorNames): void {
    new ModelConnection(this.getSource(), [this]).setSource(port, mode);
  }

  connect(port: OutPort): void {
    joinPorts(port, this);
  }

  disconnect(): void {
    checked(core().disconnectIn(this.graph.number, this.node.number, this.index, this.controlFlow));
    forgetEdge(this);
  }

  disconnected(): boolean {
    return this.getSource() === null;
  }

  protected producer(): OutPortObject | null {
    return this.getSource();
  }
}

export class ModelOutPort extends ModelPort implements OutPortObject {
  readonly type = 'out';

  get [OBJECT](): 'out port' {
    return 'out port';
  }

  getDestinations(): InPortObject[] {
    const ports = checked(core().destinations(this.graph.number, this.node.number, this.index, this.controlFlow));
    return Array.from(ports, (port) => this.graph.inPortAt(port, this.controlFlow));
  }

  getDestination(): InPortObject | null {
    const ports = this.getDestinations();
    if (ports.length > 1) throw new MoError(`output ${this.index} has ${ports.length} consumers: use getDestinations()`, { node: this.node });
    return ports[0] ?? null;
  }

  getConnection(): Connection | null {
    this.requireTensor();
    const ports = this.getDestinations();
    return ports.length ? new ModelConnection(this, ports) : null;
  }

  setDestination(port: InPort, mode?: TensorNames): void {
    new ModelConnection(this, this.getDestinations()).setDestination(port, mode);
  }

  addDestination(port: InPort): void {
    joinPorts(this, port);
  }

  connect(port: InPort): void {
    joinPorts(this, port);
  }

  disconnect(): void {
    checked(core().disconnectOut(this.graph.number, this.node.number, this.index, this.controlFlow));
  }

  disconnected(): boolean {
    return this.getDestinations().length === 0;
  }

  protected producer(): OutPortObject {
    return this;
  }
}
