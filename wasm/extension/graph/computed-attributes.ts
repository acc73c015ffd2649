/** Attributes that are not stored: they are computed from the node. */
import { checked, core } from '../core/bridge.js';
import type { Attribute, Node, Tensor } from '../types.js';
import type { NodeObject } from './objects.js';
import { classByName, type AttrRecord, type OpClass } from './op-classes.js';

/** undefined: there is no such attribute. */
export function computedAttribute(node: NodeObject, attribute: string): unknown {
  switch (attribute) {
    case 'kind':
      return node.kind;
    case 'id':
      return node.id;
    case 'pb':
      return node.pb;
    case 'type':
      return definition(node)?.[0] || null;
    case 'version':
      return definition(node)?.[1] || undefined;
    case 'infer':
      return inference(node);
    case 'type_infer':
      return classOf(node)?.typeInfer;
    case 'IE':
      return recordsOf(node);
    case 'in_ports_count':
      return node.inPorts().size;
    case 'out_ports_count':
      return node.outPorts().size;
    case 'need_shape_inference':
      return checked(core().needsInference(node.graph.number, node.number)) !== 0;
    case 'shape':
      return valueOfConst(node)?.shape;
    case 'data_type':
      return valueOfConst(node)?.type;
    default:
      return undefined;
  }
}

/** Sets an attribute that is not simply stored, and ignores `id`, `kind` and `pb`. Returns false for any other attribute. */
export function setComputed(node: NodeObject, attribute: string, value: Attribute): boolean {
  const { graph, number } = node;
  switch (attribute) {
    case 'op':
      checked(core().setNodeOp(graph.number, number, String(value)));
      return true;
    case 'name':
      node.name = String(value);
      return true;
    case 'in_ports_count':
      setPorts(Number(value), [...node.inPorts().keys()], (i) => node.addInputPort(i), (i) => node.deleteInputPort(i));
      return true;
    case 'out_ports_count':
      setPorts(Number(value), [...node.outPorts().keys()], (i) => node.addOutputPort(i), (i) => node.deleteOutputPort(i));
      return true;
    case 'need_shape_inference':
      checked(core().requireInference(graph.number, number, Boolean(value)));
      return true;
    default:
      return ['id', 'kind', 'pb'].includes(attribute);
  }
}

function setPorts(count: number, present: readonly number[], add: (index: number) => void, remove: (index: number) => void): void {
  for (let index = 0; index < count; index++) if (!present.includes(index)) add(index);
  for (const index of present) if (index >= count) remove(index);
}

/** A constant's shape and type are those of its value, unless its extractor has set them. */
function valueOfConst(node: NodeObject): Tensor | undefined {
  return node.op === 'Const' ? node.get<Tensor>('value') : undefined;
}

function definition(node: NodeObject): [string, string] {
  return checked(core().nodeDefinition(node.graph.number, node.number));
}

function classOf(node: NodeObject): OpClass | undefined {
  return classByName(node.op);
}

/** The operation's inference as a function of a node: the user's, or the core's. */
function inference(node: NodeObject): ((node: Node) => void) | null {
  const own = classOf(node);
  if (own) return own.infer ?? null;
  return definition(node)[1] ? builtIn : null;
}

/** The records of the IR attributes: the class's, or those of the core, whose values are as the node is when the IR is written. */
function recordsOf(node: NodeObject): readonly AttrRecord[] | undefined {
  const own = classOf(node);
  if (own) return own.backendAttrs?.() ?? own.supportedAttrs?.();
  return written(node)?.map(([name]): AttrRecord => [name, (one) => written(one as NodeObject)?.find(([other]) => other === name)?.[1]]);
}

function written({ graph, number }: NodeObject): readonly (readonly [name: string, value: string])[] | null {
  return checked(core().irAttributes(graph.number, number));
}

function builtIn(node: Node): void {
  const { graph, number } = node as NodeObject;
  checked(core().inferNode(graph.number, number));
}
