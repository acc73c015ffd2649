/** `@mo/wasm/extension`: what extensions import. */
import { core } from './bridge.js';
import { ModelConnection } from './connection.js';
import { MoError } from './error.js';
import { ModelGraph } from './graph.js';
import { emit } from './log.js';
import { ModelNode } from './node.js';
import type { Graph as GraphView, Node as NodeView } from './types.js';

export { MoError } from './error.js';
export { CaffePythonFrontExtractorOp, FrontExtractorOp, MXNetCustomFrontExtractorOp } from './extractor.js';
export { onnxAttr, toArray } from './framework-node.js';
export { renameNodes } from './graph.js';
export { Op, ops, type AttributesOf, type AttrRecord } from './op.js';
export type { Operations } from './operations.js';
export { int64Array, select, tensor } from './tensor.js';
export {
  BackReplacementPattern, FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileSubGraph, FrontReplacementOp,
  FrontReplacementPattern, FrontReplacementSubgraph, MiddleReplacementPattern, Transformation,
} from './transformation.js';
export type { EdgesMatch, Match, NodePattern, Pattern, Replacement, SubgraphMatch } from './transformation.js';
export type {
  Attribute, Attributes, Dim, Edge, ElementType, FrameworkNode, InPort, OutPort, Port, PortData, Shape, Tensor, TensorNames,
} from './types.js';

export type Graph = GraphView;
export type Node = NodeView;

/** `new Node(graph, id)` is the node of that id; nothing is made. */
export const Node: new (graph: GraphView, id: string) => NodeView = Object.assign(
  function (graph: GraphView, id: string): NodeView {
    const node = graph instanceof ModelGraph ? graph.getNode(id) : undefined;
    if (!node) throw new MoError(`there is no node "${id}"`);
    return node;
  } as unknown as new (graph: GraphView, id: string) => NodeView,
  { prototype: ModelNode.prototype },
);

/** For `instanceof`: connections come from ports. */
export type Connection = import('./types.js').Connection;
export const Connection: abstract new (...none: never) => Connection = ModelConnection;

/** Lines for the user. Warnings are part of the conversion's result; the others show at their log level. */
export const log = {
  debug: (message: string): void => emit('debug', message),
  info: (message: string): void => emit('info', message),
  warn: (message: string): void => core().warn(String(message), ''),
};

