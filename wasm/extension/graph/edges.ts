/** Edges for low-level code. The graph has no such objects: they are derived from the ports. */
import type { Edge, Node } from '../types.js';
import { dataNode } from './data-node.js';
import { attributesOf, attributesToTensor } from './edge-attributes.js';
import { asNode, isDataNode } from './objects.js';

export function inEdges(node: Node): readonly Edge[] {
  if (isDataNode(node)) return [{ from: node.producer.node, to: node, attributes: attributesToTensor(node.producer) }];
  return [...asNode(node).inPorts().values()].flatMap((port): Edge[] => {
    const source = port.getSource();
    if (!source) return [];
    return [{ from: port.graph.hasTensors ? dataNode(source) : source.node, to: node, attributes: attributesOf(port, source) }];
  });
}

export function outEdges(node: Node): readonly Edge[] {
  if (isDataNode(node))
    return node.producer.getDestinations().map((port) => ({ from: node, to: port.node, attributes: attributesOf(port, node.producer) }));
  return [...asNode(node).outPorts().values()].flatMap((port): Edge[] => {
    if (port.graph.hasTensors) return [{ from: node, to: dataNode(port), attributes: attributesToTensor(port) }];
    return port.getDestinations().map((to) => ({ from: node, to: to.node, attributes: attributesOf(to, port) }));
  });
}
