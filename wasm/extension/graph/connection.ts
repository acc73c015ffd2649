import { checked, core } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import type { Connection, InPort, Node, OutPort, TensorNames } from '../types.js';
import { asNode, inPort, joinPorts, outPort, type GraphObject, type InPortObject, type OutPortObject } from './objects.js';

const MODES: readonly (TensorNames | undefined)[] = [undefined, 'merge', 'source', 'dest'];

/** A source and its destinations at the time of the call; only its own changes are visible in it. */
export class ModelConnection implements Connection {
  #source: OutPortObject | null;
  #destinations: InPortObject[];

  constructor(source: OutPortObject | null, destinations: readonly InPortObject[]) {
    this.#source = source;
    this.#destinations = [...destinations];
  }

  getSource(): OutPort | null {
    return this.#source;
  }

  getDestinations(): InPort[] {
    return [...this.#destinations];
  }

  getDestination(): InPort | null {
    if (this.#destinations.length > 1) throw new MoError(`the connection has ${this.#destinations.length} destinations: use getDestinations()`);
    return this.#destinations[0] ?? null;
  }

  setSource(port: OutPort, mode?: TensorNames): void {
    const source = outPort(port);
    checked(core().setSource(this.#graph(source), this.#from(), this.#to(), source.joined, modeNumber(mode)));
    this.#source = source;
  }

  /** Disconnects all destinations and `port` first; then `port` is the only destination. */
  setDestination(port: InPort, mode?: TensorNames): void {
    const destination = inPort(port);
    if (!this.#source) throw new MoError('the connection has no source');
    if (this.#destinations.length > 1) this.remove();
    checked(core().setDestination(this.#graph(destination), this.#from(), this.#to(), destination.joined, modeNumber(mode)));
    this.#destinations = [destination];
  }

  addDestination(port: InPort): void {
    if (!this.#source) throw new MoError('the connection has no source');
    const destination = inPort(port);
    joinPorts(this.#source, destination);
    if (!this.#destinations.some(({ joined }) => joined === destination.joined)) this.#destinations.push(destination);
  }

  insertNode(node: Node, mode: TensorNames = 'merge'): void {
    const between = asNode(node);
    checked(core().insertNode(this.#graph({ graph: between.graph }), this.#from(), this.#to(), between.number, modeNumber(mode)));
    this.#source = between.outPort(0);
  }

  remove(): void {
    for (const destination of this.#destinations.splice(0)) destination.disconnect();
  }

  #from(): number {
    return this.#source ? this.#source.joined : -1;
  }

  #to(): number[] {
    return this.#destinations.map((port) => port.joined);
  }

  #graph({ graph }: { graph: GraphObject }): number {
    const own = this.#source?.graph ?? this.#destinations[0]?.graph;
    if (own && own !== graph) throw new MoError('ports of different graphs cannot be joined');
    return graph.number;
  }
}

function modeNumber(mode: TensorNames | undefined): number {
  const number = MODES.indexOf(mode);
  if (number < 0) throw new MoError(`whose tensor names survive is 'merge', 'source' or 'dest', not '${mode}'`);
  return number;
}
