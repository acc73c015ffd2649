/** Skeletons of GraphDefs: nodes, and the functions of the library. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { LONGEST, type Rewriter, type Rule } from '../rewriter.js';
import { concat, field, type Field, type Range } from '../wire.js';
import { AttrValue, AttrValue_ListValue, FunctionDef, FunctionDefLibrary, FunctionDef_RetEntry, GraphDef, NameAttrList, NodeDef, NodeDef_AttrEntry, OpDef, OpDef_ArgDef, VersionDef } from './fields.js';
import type { Names } from './names.js';
import { rewriteShape, Tensors } from './tensor.js';
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
      if (library.number !== GraphDef.library) continue;
      for (const one of await wire.fields(library)) {
        const signature = one.number === FunctionDefLibrary.function ? await this.rewriter.last(one, FunctionDef.signature) : undefined;
        if (signature) this.#functions.add(await this.rewriter.text(signature, OpDef.name));
      }
    }
  }

  rewrite(graph: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(graph, GraphDef, {
      node: (node) => this.#node(node, (name) => this.names.known(name)),
      library: (library) => this.rewriter.rewrite(library, FunctionDefLibrary, { function: (one) => this.#function(one) }), version: 'keep',
      versions: (versions) => this.rewriter.rewrite(versions, VersionDef, { producer: 'keep', min_consumer: 'keep', bad_consumers: 'keep' }),
    });
  }

  async #function(range: Range): Promise<Uint8Array> {
    const argument = (rename: (name: string) => string): Rule => (one) => this.rewriter.rewrite(one, OpDef_ArgDef, { name: this.#renamed(rename), type: 'keep', is_ref: 'keep' });
    const [name, key, value] = [this.#renamed(this.#name), this.#renamed((name) => this.names.output(name)), this.#renamed((name) => this.names.tensor(name))];
    return this.rewriter.rewrite(range, FunctionDef, {
      signature: (one) => this.rewriter.rewrite(one, OpDef, { name, input_arg: argument(this.#name), output_arg: argument((name) => this.names.output(name)) }),
      node_def: (node) => this.#node(node, this.#name), ret: (one) => this.rewriter.rewrite(one, FunctionDef_RetEntry, { key, value }),
    });
  }

  async #node(range: Range, rename: (name: string) => string): Promise<Uint8Array> {
    const fields = await this.rewriter.wire.fields(range);
    const [name, op] = [await this.rewriter.textIn(fields, NodeDef.name), await this.rewriter.textIn(fields, NodeDef.op)];
    if (VARIABLES.has(op)) {
      if (!this.failing.has(name)) {
        this.frozen++;
        return concat([field(NodeDef.name, rename(name)), field(NodeDef.op, 'Const'), await this.#frozen(range)]);
      }
      this.kept++;
    }
    return this.rewriter.rewrite(range, NodeDef, {
      name: async () => rename(name), op: async () => (this.#functions.has(op) ? this.names.name(op) : op),
      input: this.#renamed((input) => this.names.tensor(input)), attr: (attribute) => this.#attribute(attribute),
    });
  }

  /** The attributes of the constant that a variable is after freezing. */
  async #frozen(range: Range): Promise<Uint8Array> {
    const { wire } = this.rewriter;
    let [type, dims]: [number, readonly number[] | undefined] = [0, undefined];
    for (const one of await wire.fields(range)) {
      const value = one.number === NodeDef.attr ? await this.rewriter.last(one, NodeDef_AttrEntry.value) : undefined;
      const key = value && (await this.rewriter.text(one, NodeDef_AttrEntry.key));
      const found = value && (key === 'dtype' ? await this.rewriter.last(value, AttrValue.type) : key === 'shape' ? await this.rewriter.last(value, AttrValue.shape) : undefined);
      if (found && key === 'dtype') type = await wire.number(found);
      if (found && key === 'shape') dims = await this.#tensors.dims(found);
    }
    if (!dims) throw new MoError([pageMessage(NoVariable, msg`the shape of a variable is only in its checkpoint`, 'freeze the model')]);
    const entry = (key: string, value: Uint8Array) => field(NodeDef.attr, concat([field(NodeDef_AttrEntry.key, key), field(NodeDef_AttrEntry.value, value)]));
    return concat([entry('dtype', field(AttrValue.type, type % 100)), entry('value', field(AttrValue.tensor, this.#tensors.frozen({ type, dims })))]);
  }

  /** Leaves out annotations, whose names begin with "_": they say where a node stood and what it was compiled to. */
  async #attribute(range: Range): Promise<Uint8Array | undefined> {
    const key = await this.rewriter.text(range, NodeDef_AttrEntry.key);
    if (key.startsWith('_')) return undefined;
    return this.rewriter.rewrite(range, NodeDef_AttrEntry, { key: async () => this.#key(key), value: NUMBERS_OF_AXES.has(key) ? 'keep' : (value) => this.#value(value) });
  }

  #value(range: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, AttrValue, {
      list: (list) => this.#list(list), s: this.#text, i: 'keep', f: 'keep', b: 'keep', type: 'keep', shape: this.#shape, tensor: (tensor) => this.#tensors.rewrite(tensor),
      placeholder: async (key) => this.#key(await this.#textOf(key)), func: this.#called,
    });
  }

  async #list(range: Range): Promise<Uint8Array> {
    let floats = 0;
    for (const { number, begin, end } of await this.rewriter.wire.fields(range)) if (number === AttrValue_ListValue.f) floats += (end - begin) / 4;
    return this.rewriter.rewrite(range, AttrValue_ListValue, {
      s: this.#text, i: 'keep', b: 'keep', type: 'keep', shape: this.#shape, func: this.#called,
      f: floats > FEW ? async ({ begin, end }) => new Uint8Array(Math.min(end - begin, LONGEST)) : 'keep',
    });
  }

  readonly #shape: Rule = (one) => rewriteShape(this.rewriter, one);
  readonly #called: Rule = (one) => this.rewriter.rewrite(one, NameAttrList, { name: this.#renamed(this.#name) });
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
