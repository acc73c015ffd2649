/** Edges for low-level code. The graph has no such objects: they are derived from the ports. */
import type { Edge, Node } from '../types.js';
import { dataNode } from './data-node.js';
import { asNode, isDataNode } from './objects.js';

/** An edge with a tensor at one end has only one of the two numbers. */
const half = (attributes: { in?: number; out?: number }) => attributes as Edge['attributes'];

export function inEdges(node: Node): readonly Edge[] {
  if (isDataNode(node)) return [{ from: node.producer.node, to: node, attributes: half({ out: node.producer.index }) }];
  return [...asNode(node).inPorts().values()].flatMap((port): Edge[] => {
    const source = port.getSource();
    if (!source) return [];
    if (port.graph.hasTensors) return [{ from: dataNode(source), to: node, attributes: half({ in: port.index }) }];
    return [{ from: source.node, to: node, attributes: { in: port.index, out: source.index } }];
  });
}

export function outEdges(node: Node): readonly Edge[] {
  if (isDataNode(node))
    return node.producer.getDestinations().map((port) => ({ from: node, to: port.node, attributes: half({ in: port.index }) }));
  return [...asNode(node).outPorts().values()].flatMap((port): Edge[] => {
    if (port.graph.hasTensors) return [{ from: node, to: dataNode(port), attributes: half({ out: port.index }) }];
    return port.getDestinations().map((to) => ({ from: node, to: to.node, attributes: { in: to.index, out: port.index } }));
  });
}
