import { checked, core } from '../core/bridge.js';
import type { CoreTable } from '../core/core-table.js';
import { MoError } from '../core/error.js';
import type { FrameworkNode, Node, Tensor, TfAttributes } from '../types.js';
import { ModelTensor } from '../values/tensor.js';
import { decode } from './attribute.js';
import { asNode, type NodeObject } from './objects.js';
import { tfAttributes } from './tf-attributes.js';

type FrameworkFacts = NonNullable<ReturnType<CoreTable['frameworkNode']>>;

/** A node of the framework's model, read again from its file on demand. */
export class ModelFrameworkNode implements FrameworkNode {
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  readonly framework: FrameworkNode['framework'];
  readonly #node: NodeObject;
  readonly #attributes: readonly string[];
  #attr: TfAttributes | undefined;

  constructor(node: NodeObject, { name, opType, domain, framework, attributes }: FrameworkFacts) {
    this.name = name;
    this.opType = opType;
    this.domain = domain;
    this.framework = framework as FrameworkNode['framework'];
    this.#node = node;
    this.#attributes = attributes;
  }

  attribute(name: string, otherwise?: unknown): unknown {
    const encoded = checked(core().frameworkAttribute(this.#node.graph.number, this.#node.number, name));
    return encoded === null ? otherwise : decode(encoded, this.#node.graph);
  }

  get attr(): TfAttributes {
    return (this.#attr ??= this.framework === 'tf' ? tfAttributes(this) : {});
  }

  attributeNames(): string[] {
    return [...this.#attributes];
  }

  field(path: string): unknown {
    const found = checked(core().frameworkField(this.#node.graph.number, this.#node.number, path));
    if (found === null) return undefined;
    switch (found[0]) {
      case 'message': {
        const message = {};
        for (const name of found[1]) Object.defineProperty(message, name, { enumerable: true, get: () => this.field(`${path}.${name}`) });
        return message;
      }
      case 'messages':
        return Array.from({ length: found[1] }, (_, index) => this.field(`${path}.${index}`));
      default:
        return decode(found, this.#node.graph);
    }
  }
}

const KINDS: Record<string, (value: unknown) => boolean> = {
  i: isInteger,
  f: (value) => typeof value === 'number',
  s: (value) => typeof value === 'string',
  t: (value) => value instanceof ModelTensor,
  ints: (value) => Array.isArray(value) && value.every(isInteger),
  floats: (value) => Array.isArray(value) && value.every((item) => typeof item === 'number'),
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

/**
 * An attribute of the ONNX node of `node`, or `otherwise` if it is absent.
 *
 * @throws {MoError} when it is of another kind, or the node does not come from a model.
 *
 * @example
 * ```js
 * import { onnxAttr } from '@mo/wasm/extension';
 *
 * const axisOf = (node) => onnxAttr(node, 'axis', 'i', -1);
 * ```
 */
export function onnxAttr(node: Node, name: string, kind: 'i' | 'f' | 's' | 't' | 'ints' | 'floats' | 'strings', otherwise?: unknown): unknown {
  const pb = asNode(node).pb;
  if (!pb) throw new MoError('the node does not come from a model: it has no pb', { node });
  if (!(kind in KINDS)) throw new MoError(`an ONNX attribute is of kind ${Object.keys(KINDS).join(', ')}, not "${kind}"`, { node });
  const value = pb.attribute(name);
  if (value === undefined) return otherwise;
  if (!KINDS[kind]!(value) && !isEmpty(value, kind)) throw new MoError(`attribute "${name}" is not of kind "${kind}"`, { node });
  return value;
}

/**
 * The tensor of a framework: `toArray(onnxAttr(node, 'value', 't'))`.
 *
 * @example
 * ```js
 * import { onnxAttr, toArray } from '@mo/wasm/extension';
 *
 * const valueOf = (node) => toArray(onnxAttr(node, 'value', 't')).get({ asNumbers: true });
 * ```
 */
export function toArray(frameworkTensor: unknown): Tensor {
  if (frameworkTensor instanceof ModelTensor) return frameworkTensor;
  throw new MoError('toArray takes a tensor of the framework, as onnxAttr(node, name, "t") gives it');
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** An empty list fits every kind of list. */
function isEmpty(value: unknown, kind: string): boolean {
  return Array.isArray(value) && value.length === 0 && kind.length > 1;
}
