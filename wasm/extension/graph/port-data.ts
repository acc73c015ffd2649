import { checked, core, dimensions, textOf } from '../core/bridge.js';
import { MoError } from '../core/error.js';
import type { ElementType, PortData, Shape, Tensor } from '../types.js';
import { decodeBounds, encodeBounds } from '../values/shape.js';
import { fromRecord, toRecord } from '../values/tensor.js';
import type { GraphObject, OutPortObject } from './objects.js';

/** What is known about the tensor of a port; for an input, about its source. */
export class PortTensor implements PortData {
  constructor(
    private readonly graph: GraphObject,
    private readonly producer: () => OutPortObject | null,
    private readonly side: 'in' | 'out',
  ) {}

  getShape(): Shape {
    return this.#read((g, n, o) => readShape(g, n, o));
  }

  getValue(): Tensor | null {
    return this.#read((g, n, o) => {
      const record = checked(core().value(g, n, o));
      return record && fromRecord(record);
    });
  }

  getType(): ElementType | null {
    return this.#read((g, n, o) => {
      const type = checked(core().elementType(g, n, o));
      return type < 0 ? null : (textOf(type) as ElementType);
    });
  }

  setShape(shape: Shape): void {
    const bounds = encodeBounds(shape);
    if (this.side === 'in' && this.getValue()) throw new MoError('the shape of a known value cannot be set through an input port');
    this.#write((g, n, o) => core().setShape(g, n, o, bounds));
  }

  setValue(value: Tensor): void {
    const record = toRecord(value);
    this.#write((g, n, o) => core().setValue(g, n, o, record));
  }

  setType(type: ElementType): void {
    if (this.side === 'in') throw new MoError('an element type is set on an output port');
    this.#write((g, n, o) => core().setElementType(g, n, o, type));
  }

  /** Before partial inference nothing is known about tensors. */
  #read<T>(read: (g: number, n: number, o: number) => T): T | null {
    if (!this.graph.hasTensors) return null;
    const port = this.producer();
    return port && read(this.graph.number, port.node.number, port.index);
  }

  #write(write: (g: number, n: number, o: number) => number): void {
    if (!this.graph.hasTensors) throw new MoError('shapes, values and types cannot be set before the middle phase: infer does it');
    const port = this.producer();
    if (!port) throw new MoError('the input port is free: it has no tensor');
    checked(write(this.graph.number, port.node.number, port.index));
  }
}

function readShape(g: number, n: number, o: number): Shape {
  const rank = checked(core().shape(g, n, o));
  if (rank < 0) return null;
  return decodeBounds(dimensions(), rank);
}
