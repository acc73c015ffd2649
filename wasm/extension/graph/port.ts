import { checked, core, joinPort } from './bridge.js';
import { ModelConnection } from './connection.js';
import { MoError } from './error.js';
import type { ModelGraph } from './graph.js';
import type { ModelNode } from './node.js';
import { PortTensor } from './port-data.js';
import type { Connection, InPort, OutPort, PortData, TensorNames } from './types.js';

abstract class ModelPort {
  abstract readonly type: 'in' | 'out';

  constructor(
    readonly node: ModelNode,
    readonly index: number,
    readonly controlFlow: boolean,
  ) {}

  get graph(): ModelGraph {
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

  /** The output whose tensor it is. */
  protected abstract producer(): ModelOutPort | null;

  /** Control flow orders operations; it carries no tensor and has no connection. */
  protected requireTensor(): void {
    if (this.controlFlow) throw new MoError('a control-flow port carries no tensor', { node: this.node });
  }
}

export class ModelInPort extends ModelPort implements InPort {
  readonly type = 'in';

  getSource(): ModelOutPort | null {
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
  }

  disconnected(): boolean {
    return this.getSource() === null;
  }

  protected producer(): ModelOutPort | null {
    return this.getSource();
  }
}

export class ModelOutPort extends ModelPort implements OutPort {
  readonly type = 'out';

  getDestinations(): ModelInPort[] {
    const ports = checked(core().destinations(this.graph.number, this.node.number, this.index, this.controlFlow));
    return Array.from(ports, (port) => this.graph.inPortAt(port, this.controlFlow));
  }

  getDestination(): ModelInPort | null {
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

  protected producer(): ModelOutPort {
    return this;
  }
}

export function joinPorts(from: unknown, to: unknown): void {
  const [source, destination] = [outPort(from), inPort(to)];
  if (source.graph !== destination.graph) throw new MoError('ports of different graphs cannot be joined', { node: destination.node });
  if (source.controlFlow !== destination.controlFlow) throw new MoError('a control-flow port joins only another one', { node: destination.node });
  checked(core().connectPorts(source.graph.number, source.joined, destination.joined, source.controlFlow));
}

export function outPort(port: unknown): ModelOutPort {
  if (port instanceof ModelOutPort) return port;
  throw new MoError(port instanceof ModelInPort ? `an output port is needed here, not an input port: ${port}` : 'an output port is needed here');
}

export function inPort(port: unknown): ModelInPort {
  if (port instanceof ModelInPort) return port;
  throw new MoError(port instanceof ModelOutPort ? `an input port is needed here, not an output port: ${port}` : 'an input port is needed here');
}

