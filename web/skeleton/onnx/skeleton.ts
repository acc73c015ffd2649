/**
 * An ONNX model without weights and names, in which a failure can be looked for: graph, operations, attributes and shapes stay. Nodes, tensors,
 * dimensions and domains have other names, weights are halves or, where they are large, inputs.
 */
import { MoError } from '@mo/wasm';

import type { Anonymous, Kind } from '../../report/anonymous.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton as Made } from '../types.js';
import { Rewriter, type Numbers, type Rule, type Rules } from '../rewriter.js';
import { concat, field, type Field, type Range } from '../wire.js';
import {
  AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto, TensorShapeProto_Dimension, TypeProto, TypeProto_Optional, TypeProto_Sequence,
  TypeProto_SparseTensor, TypeProto_Tensor, ValueInfoProto,
} from './fields.js';
import { shellOf, writeInput, writeTensor } from './tensor.js';
import { NoGraph, SizeOverflow } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** The most bytes that the skeleton has in place of the weights of a tensor. */
const MOST = 4096;
/** The same for a tensor in an attribute, which cannot become an input. */
const MOST_INSIDE = 1 << 24;
const KNOWN_DOMAINS = /^(?:ai\.onnx(?:\.(?:ml|training|preview|preview\.training))?|com\.microsoft|)$/;
/** Settings that are texts: modes, directions, equations. */
const SETTING = /^[\w.,>\- ]{0,64}$/;
const ACTIVATION = /^(?:affine|elu|hardsigmoid|leakyrelu|relu|scaledtanh|sigmoid|softplus|softsign|tanh|thresholdedrelu)$/i;
/** A list of at most so many floats is a setting such as scales; a longer one is weights. */
const FEW = 8;

/** @throws {MoError} when the file is no ONNX model. */
export async function onnxSkeleton({ main }: Failed, names: Anonymous): Promise<Made> {
  return { name: 'skeleton.onnx', content: await new Skeleton((main as { file: Blob }).file, names).make() };
}

class Skeleton {
  readonly #rewriter: Rewriter;
  /** The weights that have become inputs of the model. */
  readonly #inputs = new Map<string, Uint8Array>();
  #weightCount = 0;

  constructor(file: Blob, private readonly names: Anonymous) {
    this.#rewriter = new Rewriter(file);
  }

  async make(): Promise<Uint8Array> {
    let graphs = 0;
    const graph: Rule = (one) => (graphs++, this.#graph(one, true));
    const model = await this.#message(this.#rewriter.wire.whole, ModelProto, {
      ir_version: 'keep', model_version: 'keep', graph, opset_import: this.#opset, functions: (one) => this.#function(one),
    });
    if (graphs === 0) throw new MoError([pageMessage(NoGraph, msg`the file has no graph`, 'choose the model file itself')]);
    return model;
  }

  #message<M extends Numbers>(range: Range, message: M, rules: Rules<M>): Promise<Uint8Array> {
    return this.#rewriter.rewrite(range, message, rules);
  }

  async #graph(range: Range, isMain: boolean): Promise<Uint8Array> {
    const value = this.#value;
    const content = await this.#rewriter.rewriteNested(range, GraphProto, {
      node: (node) => this.#node(node), name: async () => 'graph', initializer: (weight) => this.#initializer(weight),
      input: async (input) => (this.#inputs.has(await this.#nameIn(input)) ? undefined : value(input)), output: value, value_info: value,
    });
    return isMain ? concat([content, ...Array.from(this.#inputs.values(), (input) => field(GraphProto.input, input))]) : content;
  }

  async #function(range: Range): Promise<Uint8Array> {
    return this.#message(range, FunctionProto, {
      name: 'keep', input: this.#tensor, output: this.#tensor, attribute: 'keep', node: (node) => this.#node(node, true), opset_import: this.#opset, domain: this.#domain,
      overload: 'keep', attribute_proto: (attribute) => this.#attribute(attribute, true), value_info: this.#value,
    });
  }

  /** A Constant with large weights becomes an input, except in a function: its inputs are those that its caller gives. */
  async #node(range: Range, isInFunction = false): Promise<Uint8Array | undefined> {
    let [domain, op, output] = ['', '', ''];
    const attributes: Field[] = [];
    for (const one of await this.#rewriter.wire.fields(range)) {
      if (one.number === NodeProto.output) output ||= await this.#rewriter.wire.text(one);
      if (one.number === NodeProto.op_type) op = await this.#rewriter.wire.text(one);
      if (one.number === NodeProto.attribute) attributes.push(one);
      if (one.number === NodeProto.domain) domain = await this.#rewriter.wire.text(one);
    }
    if (op === 'Constant' && !isInFunction)
      for (const attribute of attributes)
        for (const one of await this.#rewriter.wire.fields(attribute)) if (one.number === AttributeProto.t && (await this.#becomesInput(one, output))) return undefined;
    return this.#message(range, NodeProto, {
      input: this.#tensor, output: this.#tensor, name: (one) => this.#renamed(one, 'n'), op_type: 'keep',
      attribute: (attribute) => this.#attribute(attribute, KNOWN_DOMAINS.test(domain)), domain: this.#domain, overload: 'keep',
    });
  }

  async #attribute(range: Range, isKnown: boolean): Promise<Uint8Array> {
    let floats = 0;
    for (const { number, begin, end } of await this.#rewriter.wire.fields(range)) if (number === AttributeProto.floats) floats += (end - begin) / 4;
    const graph: Rule = (body) => this.#graph(body, false);
    const tensor: Rule = (weights) => this.#weights(weights);
    return this.#message(range, AttributeProto, {
      name: 'keep', f: 'keep', i: 'keep', t: tensor, g: graph, ints: 'keep', tensors: tensor, graphs: graph, type: 'keep', ref_attr_name: 'keep',
      s: async (text) => this.#setting(text, isKnown ? SETTING : /^$/),
      floats: async (one) => (floats > FEW ? new Uint8Array(one.end - one.begin) : this.#rewriter.wire.bytes(one)),
      strings: async (text) => this.#setting(text, ACTIVATION),
    });
  }

  async #setting(range: Range, known: RegExp): Promise<string> {
    const text = range.end - range.begin > 64 ? undefined : await this.#rewriter.wire.text(range);
    return text !== undefined && known.test(text) ? text : 'text';
  }

  async #initializer(range: Range): Promise<Uint8Array | undefined> {
    const shell = await shellOf(this.#rewriter.wire, range, MOST, this.#weightCount++);
    if (!shell.data) return this.#addInput(shell, shell.name);
    return this.#written(range, shell);
  }

  async #weights(range: Range): Promise<Uint8Array> {
    return this.#written(range, await shellOf(this.#rewriter.wire, range, MOST_INSIDE, this.#weightCount++));
  }

  #written(range: Range, { data, ...shell }: Awaited<ReturnType<typeof shellOf>>): Uint8Array {
    if (!data) throw new MoError([pageMessage(SizeOverflow, msg`byte ${range.begin}`, 'weights are too large for a skeleton')]);
    return writeTensor({ ...shell, name: this.#alias(shell.name, 't'), data: this.#rewriter.spend(data, range) });
  }

  /** Whether the weights are so large that an input of their type and shape replaces them; the input is added. */
  async #becomesInput(range: Range, output: string): Promise<boolean> {
    const shell = await shellOf(this.#rewriter.wire, range, MOST, this.#weightCount++);
    if (!shell.data) this.#addInput(shell, output);
    return !shell.data;
  }

  #addInput(shell: Awaited<ReturnType<typeof shellOf>>, of: string): undefined {
    const name = this.#alias(of, 't');
    this.#inputs.set(name, writeInput({ ...shell, name }));
  }

  async #nameIn(value: Range): Promise<string> {
    for (const one of await this.#rewriter.wire.fields(value)) if (one.number === ValueInfoProto.name) return this.#alias(await this.#rewriter.wire.text(one), 't');
    return '';
  }

  readonly #tensor: Rule = (field) => this.#renamed(field, 't');
  readonly #domain: Rule = async (field) => {
    const domain = await this.#rewriter.wire.text(field);
    return KNOWN_DOMAINS.test(domain) ? domain : this.#alias(domain, 'n');
  };
  readonly #opset: Rule = (one) => this.#message(one, OperatorSetIdProto, { domain: this.#domain, version: 'keep' });
  readonly #value = (value: Range): Promise<Uint8Array> => this.#message(value, ValueInfoProto, { name: this.#tensor, type: (type) => this.#type(type) });

  async #type(type: Range): Promise<Uint8Array> {
    const dim: Rule = (one) => this.#message(one, TensorShapeProto_Dimension, { dim_value: 'keep', dim_param: this.#tensor });
    const shape: Rule = (one) => this.#message(one, TensorShapeProto, { dim });
    const tensor = (message: typeof TypeProto_Tensor | typeof TypeProto_SparseTensor): Rule => (one) => this.#message(one, message, { elem_type: 'keep', shape });
    const inner = (message: typeof TypeProto_Sequence | typeof TypeProto_Optional): Rule => (one) => this.#message(one, message, { elem_type: (element) => this.#type(element) });
    return this.#rewriter.rewriteNested(type, TypeProto, {
      tensor_type: tensor(TypeProto_Tensor), sequence_type: inner(TypeProto_Sequence), sparse_tensor_type: tensor(TypeProto_SparseTensor), optional_type: inner(TypeProto_Optional),
    });
  }

  async #renamed(range: Range, kind: Kind): Promise<string> {
    return this.#alias(await this.#rewriter.wire.text(range), kind);
  }

  /** An input or output that is not connected has an empty name. */
  #alias(name: string, kind: Kind): string {
    return name === '' ? '' : this.names.name(name, kind);
  }
}
