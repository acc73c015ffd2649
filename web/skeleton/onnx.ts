/**
 * An ONNX model without weights and names, in which a failure can be looked for: graph, operations, attributes and shapes stay. Nodes, tensors,
 * dimensions and domains have other names, weights are halves or, where they are large, inputs.
 */
import { MoError } from '@mo/wasm';

import type { Anonymous, Kind } from '../anonymous.js';
import { pageMessage } from '../messages.js';
import { shellOf, writeInput, writeTensor } from './tensor.js';
import { concat, field, Wire, type Field, type Range } from './wire.js';

/** What becomes of a field's content; undefined leaves the field out. */
type Rule = 'keep' | ((field: Field) => Promise<Uint8Array | string | undefined>);
type Rules = Readonly<Record<number, Rule>>;

/** So many bytes may stand for the weights of a tensor. */
const MOST = 4096;
/** An attribute cannot become an input. */
const MOST_INSIDE = 1 << 24;
/** All that stands for weights in a skeleton: shapes alone do not make a file long. */
const MOST_IN_ALL = 1 << 26;
/** A field that is longer is weights, or hostile. */
const LONGEST = 1 << 16;
const DEEPEST = 64;
const KNOWN_DOMAINS = /^(?:ai\.onnx(?:\.(?:ml|training|preview|preview\.training))?|com\.microsoft|)$/;
/** Settings that are texts: modes, directions, equations. */
const SETTING = /^[\w.,>\- ]{0,64}$/;
const ACTIVATION = /^(?:affine|elu|hardsigmoid|leakyrelu|relu|scaledtanh|sigmoid|softplus|softsign|tanh|thresholdedrelu)$/i;
/** As many floats are settings such as scales; more of them are weights. */
const FEW = 8;

/** @throws {MoError} when the file is not as ONNX models are. */
export async function onnxSkeleton(file: Blob, names: Anonymous): Promise<Uint8Array> {
  return new Skeleton(file, names).make();
}

class Skeleton {
  readonly #wire: Wire;
  /** The weights that have become inputs of the model. */
  readonly #inputs = new Map<string, Uint8Array>();
  #depth = 0;
  #left = MOST_IN_ALL;

  constructor(file: Blob, private readonly names: Anonymous) {
    this.#wire = new Wire(file);
  }

  async make(): Promise<Uint8Array> {
    const opset: Rules = { 1: this.#domain, 2: 'keep' };
    let graphs = 0;
    const graph: Rule = (one) => (graphs++, this.#graph(one, true));
    const model = await this.#message(this.#wire.whole, {
      1: 'keep', 5: 'keep', 7: graph, 8: (one) => this.#message(one, opset), 25: (one) => this.#function(one, opset),
    });
    if (graphs === 0) throw new MoError([pageMessage('MO1012', 'the file has no graph', 'choose the model file itself')]);
    return model;
  }

  async #message(range: Range, rules: Rules): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const one of this.#wire.fields(range)) {
      const rule = rules[one.number];
      if (rule === undefined) continue;
      if (rule === 'keep') {
        if (one.end - one.tag <= LONGEST) parts.push(await this.#wire.bytes({ begin: one.tag, end: one.end }));
        continue;
      }
      const content = await rule(one);
      if (content !== undefined) parts.push(field(one.number, content));
    }
    return concat(parts);
  }

  async #graph(range: Range, isMain: boolean): Promise<Uint8Array> {
    if (++this.#depth > DEEPEST) throw new MoError([pageMessage('MO1011', `byte ${range.begin}`, 'the model file is damaged or malicious')]);
    const value = this.#value;
    const content = await this.#message(range, {
      1: (node) => this.#node(node), 2: async () => 'graph', 5: (weight) => this.#initializer(weight),
      11: async (input) => (this.#inputs.has(await this.#nameIn(input)) ? undefined : value(input)), 12: value, 13: value,
    });
    this.#depth--;
    return isMain ? concat([content, ...Array.from(this.#inputs.values(), (input) => field(11, input))]) : content;
  }

  async #function(range: Range, opset: Rules): Promise<Uint8Array> {
    return this.#message(range, {
      1: 'keep', 4: this.#tensor, 5: this.#tensor, 6: 'keep', 7: (node) => this.#node(node, true), 9: (one) => this.#message(one, opset), 10: this.#domain, 13: 'keep',
      11: (attribute) => this.#attribute(attribute, true), 12: this.#value,
    });
  }

  /** A Constant with large weights becomes an input, but in a function, which has no other inputs than its caller gives. */
  async #node(range: Range, isInFunction = false): Promise<Uint8Array | undefined> {
    let [domain, op, output] = ['', '', ''];
    const attributes: Field[] = [];
    for await (const one of this.#wire.fields(range)) {
      if (one.number === 2) output ||= await this.#wire.text(one);
      if (one.number === 4) op = await this.#wire.text(one);
      if (one.number === 5) attributes.push(one);
      if (one.number === 7) domain = await this.#wire.text(one);
    }
    if (op === 'Constant' && !isInFunction)
      for (const attribute of attributes)
        for await (const one of this.#wire.fields(attribute)) if (one.number === 5 && (await this.#becomesInput(one, output))) return undefined;
    return this.#message(range, {
      1: this.#tensor, 2: this.#tensor, 3: this.#named('n'), 4: 'keep', 5: (attribute) => this.#attribute(attribute, KNOWN_DOMAINS.test(domain)), 7: this.#domain, 8: 'keep',
    });
  }

  async #attribute(range: Range, isKnown: boolean): Promise<Uint8Array> {
    let floats = 0;
    for await (const { number, begin, end } of this.#wire.fields(range)) if (number === 7) floats += (end - begin) / 4;
    const graph: Rule = (body) => this.#graph(body, false);
    const tensor: Rule = (weights) => this.#weights(weights);
    return this.#message(range, {
      1: 'keep', 2: 'keep', 3: 'keep', 5: tensor, 6: graph, 8: 'keep', 10: tensor, 11: graph, 20: 'keep', 21: 'keep',
      4: async (text) => this.#setting(text, isKnown ? SETTING : /^$/),
      7: async (one) => (floats > FEW ? new Uint8Array(one.end - one.begin) : this.#wire.bytes(one)),
      9: async (text) => this.#setting(text, ACTIVATION),
    });
  }

  async #setting(range: Range, known: RegExp): Promise<string> {
    const text = range.end - range.begin > 64 ? undefined : await this.#wire.text(range);
    return text !== undefined && known.test(text) ? text : 'text';
  }

  async #initializer(range: Range): Promise<Uint8Array | undefined> {
    const shell = await shellOf(this.#wire, range, MOST);
    if (!shell.data) return this.#addInput(shell, shell.name);
    return this.#written(range, shell);
  }

  async #weights(range: Range): Promise<Uint8Array> {
    return this.#written(range, await shellOf(this.#wire, range, MOST_INSIDE));
  }

  #written(range: Range, { data, ...shell }: Awaited<ReturnType<typeof shellOf>>): Uint8Array {
    if (data) this.#left -= data.length;
    if (!data || this.#left < 0) throw new MoError([pageMessage('MO1010', `byte ${range.begin}`, 'weights are too large for a skeleton')]);
    return writeTensor({ ...shell, name: this.#alias(shell.name, 't'), data });
  }

  /** Whether the weights are so large that an input of their type and shape stands for them. */
  async #becomesInput(range: Range, output: string): Promise<boolean> {
    const shell = await shellOf(this.#wire, range, MOST);
    if (!shell.data) this.#addInput(shell, output);
    return !shell.data;
  }

  #addInput(shell: Awaited<ReturnType<typeof shellOf>>, of: string): undefined {
    const name = this.#alias(of, 't');
    this.#inputs.set(name, writeInput({ ...shell, name }));
  }

  async #nameIn(value: Range): Promise<string> {
    for await (const one of this.#wire.fields(value)) if (one.number === 1) return this.#alias(await this.#wire.text(one), 't');
    return '';
  }

  readonly #tensor: Rule = (field) => this.#renamed(field, 't');
  readonly #domain: Rule = async (field) => {
    const domain = await this.#wire.text(field);
    return KNOWN_DOMAINS.test(domain) ? domain : this.#alias(domain, 'n');
  };
  readonly #value = (value: Range): Promise<Uint8Array> => this.#message(value, { 1: this.#tensor, 2: (type) => this.#type(type) });

  async #type(type: Range): Promise<Uint8Array> {
    if (++this.#depth > DEEPEST) throw new MoError([pageMessage('MO1011', `byte ${type.begin}`, 'the model file is damaged or malicious')]);
    const dim: Rule = (one) => this.#message(one, { 1: 'keep', 2: this.#tensor });
    const tensor: Rule = (one) => this.#message(one, { 1: 'keep', 2: (shape) => this.#message(shape, { 1: dim }) });
    const inner: Rule = (one) => this.#message(one, { 1: (element) => this.#type(element) });
    const content = await this.#message(type, { 1: tensor, 4: inner, 8: tensor, 9: inner });
    this.#depth--;
    return content;
  }

  #named(kind: Kind): Rule {
    return (field) => this.#renamed(field, kind);
  }

  async #renamed(range: Range, kind: Kind): Promise<string> {
    return this.#alias(await this.#wire.text(range), kind);
  }

  /** What is not connected has no name. */
  #alias(name: string, kind: Kind): string {
    return name === '' ? '' : this.names.name(name, kind);
  }
}
