/** Skeletons of GraphDefs: nodes, and the functions of the library. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { LONGEST, type Rewriter, type Rule, type Rules } from '../rewriter.js';
import { concat, field, type Field, type Range } from '../wire.js';
import type { Names } from './names.js';
import { Tensors } from './tensor.js';
import { isEnumeration } from '../words.js';
import { NoVariable } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const VARIABLES = new Set(['VarHandleOp', 'VariableV2', 'Variable']);
/** Attributes of XLA's operations that are messages of numbers. */
const NUMBERS_OF_AXES: ReadonlySet<string> = new Set(['dimension_numbers', 'precision_config']);
/** A list of at most so many numbers in an attribute is a setting; a longer one is weights. */
const FEW = 8;
const KEY = /^[A-Za-z]\w{0,63}$/;
const LONGEST_TEXT = 1024;

export class Graphs {
  readonly #tensors: Tensors;
  /** The names of functions, which nodes may call like operations. */
  readonly #functions = new Set<string>();
  /** How many variables have become constants, and how many have not. */
  frozen = 0;
  kept = 0;

  /** `failing` are the names of nodes that stay variables, because the failure is about them. */
  constructor(private readonly rewriter: Rewriter, private readonly names: Names, private readonly failing: ReadonlySet<string>) {
    this.#tensors = new Tensors(rewriter, names);
  }

  /** Reads the names of the functions, which may stand behind the nodes that call them. */
  async read(graph: Range): Promise<void> {
    const { wire } = this.rewriter;
    for (const library of await wire.fields(graph)) {
      if (library.number !== 2) continue;
      for (const one of await wire.fields(library)) {
        const signature = one.number === 1 ? await this.rewriter.last(one, 1) : undefined;
        if (signature) this.#functions.add(await this.rewriter.text(signature, 1));
      }
    }
  }

  rewrite(graph: Range): Promise<Uint8Array> {
    const library: Rules = { 1: (one) => this.#function(one) };
    return this.rewriter.rewrite(graph, {
      1: (node) => this.#node(node, (name) => this.names.known(name)), 2: (one) => this.rewriter.rewrite(one, library), 3: 'keep',
      4: (versions) => this.rewriter.rewrite(versions, { 1: 'keep', 2: 'keep', 3: 'keep' }),
    });
  }

  shape(range: Range): Promise<Uint8Array> {
    return this.#tensors.shape(range);
  }

  async #function(range: Range): Promise<Uint8Array> {
    const argument = (rename: (name: string) => string): Rule => (one) => this.rewriter.rewrite(one, { 1: this.#renamed(rename), 3: 'keep', 16: 'keep' });
    const [name, output, tensor] = [this.#renamed(this.#name), this.#renamed((name) => this.names.output(name)), this.#renamed((name) => this.names.tensor(name))];
    const signature: Rules = { 1: name, 2: argument(this.#name), 3: argument((name) => this.names.output(name)) };
    return this.rewriter.rewrite(range, {
      1: (one) => this.rewriter.rewrite(one, signature), 3: (node) => this.#node(node, this.#name),
      4: (one) => this.rewriter.rewrite(one, { 1: output, 2: tensor }),
    });
  }

  async #node(range: Range, rename: (name: string) => string): Promise<Uint8Array> {
    const fields = await this.rewriter.wire.fields(range);
    const [name, op] = [await this.rewriter.textIn(fields, 1), await this.rewriter.textIn(fields, 2)];
    if (VARIABLES.has(op)) {
      if (!this.failing.has(name)) {
        this.frozen++;
        return concat([field(1, rename(name)), field(2, 'Const'), await this.#frozen(range)]);
      }
      this.kept++;
    }
    return this.rewriter.rewrite(range, {
      1: async () => rename(name), 2: async () => (this.#functions.has(op) ? this.names.name(op) : op),
      3: this.#renamed((input) => this.names.tensor(input)), 5: (attribute) => this.#attribute(attribute),
    });
  }

  /** The attributes of the constant that a variable is after freezing. */
  async #frozen(range: Range): Promise<Uint8Array> {
    const { wire } = this.rewriter;
    let [type, dims]: [number, readonly number[] | undefined] = [0, undefined];
    for (const one of await wire.fields(range)) {
      const value = one.number === 5 ? await this.rewriter.last(one, 2) : undefined;
      const key = value && (await this.rewriter.text(one, 1));
      const found = value && (key === 'dtype' ? await this.rewriter.last(value, 6) : key === 'shape' ? await this.rewriter.last(value, 7) : undefined);
      if (found && key === 'dtype') type = await wire.number(found);
      if (found && key === 'shape') dims = await this.#tensors.dims(found);
    }
    if (!dims) throw new MoError([pageMessage(NoVariable, msg`the shape of a variable is only in its checkpoint`, 'freeze the model')]);
    const entry = (key: string, value: Uint8Array) => field(5, concat([field(1, key), field(2, value)]));
    return concat([entry('dtype', field(6, type % 100)), entry('value', field(8, this.#tensors.frozen({ type, dims })))]);
  }

  /** Leaves out annotations, whose names begin with "_": they say where a node stood and what it was compiled to. */
  async #attribute(range: Range): Promise<Uint8Array | undefined> {
    const key = await this.rewriter.text(range, 1);
    if (key.startsWith('_')) return undefined;
    return this.rewriter.rewrite(range, { 1: async () => this.#key(key), 2: NUMBERS_OF_AXES.has(key) ? 'keep' : (value) => this.#value(value) });
  }

  #value(range: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, {
      1: (list) => this.#list(list), 2: this.#text, 3: 'keep', 4: 'keep', 5: 'keep', 6: 'keep', 7: (shape) => this.shape(shape), 8: (tensor) => this.#tensors.rewrite(tensor),
      9: async (key) => this.#key(await this.#textOf(key)), 10: this.#called,
    });
  }

  async #list(range: Range): Promise<Uint8Array> {
    let floats = 0;
    for (const { number, begin, end } of await this.rewriter.wire.fields(range)) if (number === 4) floats += (end - begin) / 4;
    return this.rewriter.rewrite(range, {
      2: this.#text, 3: 'keep', 5: 'keep', 6: 'keep', 7: (shape) => this.shape(shape), 9: this.#called,
      4: floats > FEW ? async ({ begin, end }) => new Uint8Array(Math.min(end - begin, LONGEST)) : 'keep',
    });
  }

  readonly #called: Rule = (one) => this.rewriter.rewrite(one, { 1: this.#renamed(this.#name) });
  readonly #text: Rule = async (one) => {
    const text = await this.#textOf(one);
    return isEnumeration(text) ? text : this.names.name(text);
  };

  get #name(): (name: string) => string {
    return (name) => this.names.name(name);
  }

  #renamed(rename: (name: string) => string): Rule {
    return async (one) => rename(await this.#textOf(one));
  }

  /** Reads only the beginning of a long text, which is enough to tell it from others. */
  #textOf({ begin, end }: Field): Promise<string> {
    return this.rewriter.wire.text({ begin, end: Math.min(end, begin + LONGEST_TEXT) });
  }

  #key(key: string): string {
    return KEY.test(key) ? key : this.names.name(key);
  }
}
