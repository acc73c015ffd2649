/** `@mo/wasm/extension`: what extensions import. */
import { core } from './core/bridge.js';
import { MoError } from './core/error.js';
import { callingModule } from './core/failure.js';
import { emit } from './core/log.js';
import { ModelConnection } from './graph/connection.js';
import { ModelNode } from './graph/node.js';
import { isGraph } from './graph/objects.js';
import { ModelPort } from './graph/port.js';
import type { Graph as GraphView, Node as NodeView, Port as PortView } from './types.js';

export { MoError } from './core/error.js';
export { CaffePythonFrontExtractorOp, FrontExtractorOp, MXNetCustomFrontExtractorOp } from './classes/extractor.js';
export { onnxAttr, toArray } from './graph/framework-node.js';
export { renameNodes } from './graph/graph.js';
export { tfDtypeExtractor, tfTensorContent, tfTensorShape } from './graph/tf-attributes.js';
export { Op, ops, type AttributesOf } from './classes/op.js';
export type { AttrRecord } from './graph/op-classes.js';
export type { Operations } from './operations.js';
export { int64Array, select, tensor } from './values/tensor.js';
export {
  BackReplacementPattern, FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileSubGraph, FrontReplacementOp,
  FrontReplacementPattern, FrontReplacementSubgraph, MiddleReplacementPattern, Transformation,
} from './classes/transformation.js';
export type { EdgesMatch, Match, NodePattern, Pattern, Replacement, SubgraphMatch } from './classes/transformation.js';
export type {
  Attribute, Attributes, CaffeShapeProvider, Dim, Edge, ElementType, FrameworkNode, InPort, OutPort, PortData, Shape, Tensor,
  TensorNames,
  TfAttribute, TfAttributes, TfFunction, TfShape, TfTensor,
} from './types.js';

/** A model, or the body of an operation. */
export type Graph = GraphView;
export type Node = NodeView;

/**
 * `new Node(graph, id)` returns the node with that id and creates nothing.
 *
 * @example
 * ```js
 * import { Node } from '@mo/wasm/extension';
 *
 * const nodeOf = (graph) => new Node(graph, 'conv1');
 * ```
 */
export const Node: new (graph: GraphView, id: string) => NodeView = Object.assign(
  function (graph: GraphView, id: string): NodeView {
    const node = isGraph(graph) ? graph.getNode(id) : undefined;
    if (!node) throw new MoError(`there is no node "${id}"`);
    return node;
  } as unknown as new (graph: GraphView, id: string) => NodeView,
  { prototype: ModelNode.prototype },
);

/** A class for `instanceof` that cannot make objects of its own. */
function onlyFor<Made>({ prototype }: { prototype: object }, from: string): abstract new (...none: never) => Made {
  const refuse = function (): never {
    throw new MoError(from);
  };
  return Object.assign(refuse, { prototype }) as unknown as abstract new (...none: never) => Made;
}

/**
 * For `instanceof`; connections are obtained from ports.
 *
 * @example
 * ```js
 * import { Connection } from '@mo/wasm/extension';
 *
 * const isConnection = (value) => value instanceof Connection;
 * ```
 */
export type Connection = import('./types.js').Connection;
export const Connection = onlyFor<Connection>(ModelConnection, 'a connection is obtained from a port: port.getConnection()');

/**
 * For `instanceof`; ports are obtained from nodes.
 *
 * @example
 * ```js
 * import { Port } from '@mo/wasm/extension';
 *
 * const indexOf = (value) => (value instanceof Port ? value.index : undefined);
 * ```
 */
export type Port = PortView;
export const Port = onlyFor<Port>(ModelPort, 'a port is obtained from a node: node.inPort(0), node.outPort(0)');

/**
 * Lines for the user. Warnings are part of the conversion's result; the others show at their log level.
 *
 * @example
 * ```js
 * import { log } from '@mo/wasm/extension';
 *
 * log.warn('the model has no class names');
 * log.debug('shown with --log_level DEBUG');
 * ```
 */
export const log = {
  debug: (message: string): void => emit('debug', message),
  info: (message: string): void => emit('info', message),
  warn: (message: string): void => core().warn(String(message), '', callingModule()),
};

