/**
 * The attributes of edges: `in` and `out` follow from the ports, others are what low-level code has set. An edge has one object for them, by
 * the input where it ends; it is gone when another tensor feeds the input.
 */
import type { Edge } from '../types.js';

type EdgeAttributes = Edge['attributes'];
/** What an edge needs of a port object. */
interface PortOfEdge {
  readonly index: number;
  readonly graph: { readonly hasTensors: boolean };
}
const known = new WeakMap<PortOfEdge, { readonly source: PortOfEdge; readonly attributes: EdgeAttributes }>();

/** From the middle phase on, these are the attributes of the edge from the tensor. */
export function attributesOf(port: PortOfEdge, source: PortOfEdge): EdgeAttributes {
  let edge = known.get(port);
  if (edge?.source !== source) known.set(port, edge = { source, attributes: {} as EdgeAttributes });
  edge.attributes.in = port.index;
  if (port.graph.hasTensors) delete (edge.attributes as { out?: number }).out;
  else edge.attributes.out = source.index;
  return edge.attributes;
}

const toTensors = new WeakMap<PortOfEdge, EdgeAttributes>();

/** Those of the edge from an operation to its tensor. */
export function attributesToTensor(port: PortOfEdge): EdgeAttributes {
  const attributes = toTensors.get(port) ?? ({} as EdgeAttributes);
  toTensors.set(port, attributes);
  return Object.assign(attributes, { out: port.index });
}

/** The edge at an input is another one, or there is none. */
export function forgetEdge(port: PortOfEdge): void {
  known.delete(port);
}
