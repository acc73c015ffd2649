/** A program with other names and texts, and without what a conversion does not read: operators, settings, types and shapes stay. */
import type { Anonymous } from '../../report/anonymous.js';
import { coarse } from '../setting.js';
import { isRecord } from '../values.js';
import { isNumber } from './json.js';
import { weightOf, type Weight } from './weights.js';

type Fields = Readonly<Record<string, unknown>>;
/** Modes of operations; other texts could be anything. */
const WORDS = new Set((
  'none tanh mean sum constant reflect replicate circular zeros border reflection bilinear nearest bicubic nearest-exact linear area trilinear '
  + 'floor trunc ij xy prod amax amin add multiply left right backward forward ortho fro nuc relu gelu silu cpu strided'
).split(' '));
const EQUATION = /^[A-Za-z.,\s]{0,64}(?:->[A-Za-z.\s]{0,32})?$/;
/** What a size of sympy's is made of, with symbols as PyTorch names them. */
const EXPRESSION = /^(?:[A-Z][A-Za-z]*|'(?:s|u|zf)\d+'|[a-z_]+=|True|False|[-\d(),. ]|(?:s|u|zf)\d+|[*+/<>=])*$/;
const TARGET = /^[\w.#:]{1,256}$/;
const KINDS = ['parameter', 'buffer', 'tensor_constant'] as const;
const DEEPEST = 32;

const fields = (value: unknown): Fields => (isRecord(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export class ProgramRewriter {
  readonly weights: Weight[] = [];
  constructor(private readonly names: Anonymous) {}

  program(value: unknown): object {
    const root = fields(value);
    const module = fields(root['graph_module']), signature = fields(module['signature']), graph = fields(module['graph']);
    return {
      graph_module: {
        graph: this.#graph(graph, 0),
        signature: {
          input_specs: list(signature['input_specs']).map((spec) => this.#inputSpec(fields(spec), fields(graph['tensor_values']))),
          output_specs: list(signature['output_specs']).map((spec) => this.#outputSpec(fields(spec))),
        },
        module_call_graph: [],
      },
      opset_version: { aten: 10 }, schema_version: this.#numbers(root['schema_version']), verifiers: ['TRAINING'],
      range_constraints: this.#ranges(fields(root['range_constraints'])),
      ...(typeof root['torch_version'] === 'string' && /^[\w.+]{1,32}$/.test(root['torch_version']) && { torch_version: root['torch_version'] }),
    };
  }

  #graph(graph: Fields, depth: number): object {
    if (depth > DEEPEST) return {};
    const named = (key: string, each: (value: Fields) => unknown) => Object.fromEntries(Object.entries(fields(graph[key])).map(([name, value]) => [this.#name(name), each(fields(value))]));
    return {
      inputs: list(graph['inputs']).map((one) => this.#argument(fields(one), depth)),
      outputs: list(graph['outputs']).map((one) => this.#argument(fields(one), depth)),
      nodes: list(graph['nodes']).map((one) => this.#node(fields(one), depth)),
      tensor_values: named('tensor_values', (meta) => this.#meta(meta)),
      sym_int_values: named('sym_int_values', (size) => this.#size(size)),
      sym_bool_values: named('sym_bool_values', () => ({})), sym_float_values: named('sym_float_values', () => ({})),
      is_single_tensor_return: graph['is_single_tensor_return'] === true,
    };
  }

  #node(node: Fields, depth: number): object {
    const target = String(node['target']);
    return {
      target: TARGET.test(target) ? target : 'text', metadata: this.#metadata(fields(node['metadata'])),
      inputs: list(node['inputs']).map((input) => {
        const { name, arg, kind } = fields(input);
        return { name: typeof name === 'string' && /^\w{0,64}$/.test(name) ? name : '', arg: this.#argument(fields(arg), depth), ...(isNumber(kind) && { kind }) };
      }),
      outputs: list(node['outputs']).map((one) => this.#argument(fields(one), depth)),
    };
  }

  /** The path of the module alone; the rest has paths of source files. */
  #metadata(metadata: Fields): object {
    const path = String(metadata['nn_module_stack'] ?? '').split(';').at(-1)!.split(',')[1];
    return path ? { nn_module_stack: `m,${this.#name(path)},m` } : {};
  }

  #argument(argument: Fields, depth: number): Fields {
    return Object.fromEntries(Object.entries(argument).filter(([key]) => /^as_\w{1,32}$/.test(key)).map(([key, value]) => [key, this.#value(key, value, depth)]));
  }

  #value(key: string, value: unknown, depth: number): unknown {
    if (key === 'as_graph') return { name: 'g', graph: this.#graph(fields(fields(value)['graph']), depth + 1) };
    if (key === 'as_float') return this.#real(value);
    if (key === 'as_string') return this.#text(value);
    if (key === 'as_strings') return list(value).map((one) => this.#text(one));
    if (key === 'as_device') return { type: 'cpu' };
    return this.#inner(value, 0);
  }

  /** Names and numbers, in what they are in. */
  #inner(value: unknown, depth: number): unknown {
    if (depth > DEEPEST) return null;
    if (Array.isArray(value)) return value.map((one) => this.#inner(one, depth + 1));
    if (isRecord(value)) {
      return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => {
        if (key === 'name' || key === 'as_name') return [[key, this.#name(String(one))]];
        return /^(?:as_\w+|real|imag)$/.test(key) ? [[key, this.#inner(one, depth + 1)]] : [];
      }));
    }
    if (typeof value === 'boolean' || value === null) return value;
    return this.#real(value);
  }

  #real(value: unknown): unknown {
    if (typeof value === 'number') return coarse(value);
    return isNumber(value) || (typeof value === 'string' && /^-?Infinity$|^NaN$/.test(value)) ? value : 0;
  }

  #text(value: unknown): string {
    const text = String(value);
    return WORDS.has(text) || (text.includes('->') && EQUATION.test(text)) ? text : 'text';
  }

  #meta(meta: Fields): object {
    const sizes = (key: string) => list(meta[key]).map((size) => this.#size(fields(size)));
    return {
      ...this.#numbers({ dtype: meta['dtype'], layout: meta['layout'] }), sizes: sizes('sizes'), strides: sizes('strides'), storage_offset: this.#size(fields(meta['storage_offset'])),
      requires_grad: false, device: { type: 'cpu', index: null },
    };
  }

  #size(size: Fields): object {
    if (isNumber(size['as_int'])) return { as_int: size['as_int'] };
    const text = String(fields(size['as_expr'])['expr_str']);
    return { as_expr: { expr_str: EXPRESSION.test(text) ? text : 'S', hint: null } };
  }

  #ranges(ranges: Fields): object {
    return Object.fromEntries(Object.entries(ranges).filter(([key]) => EXPRESSION.test(key)).map(([key, range]) => [key, this.#numbers(range)]));
  }

  #numbers(value: unknown): object {
    return Object.fromEntries(Object.entries(fields(value)).filter(([key, number]) => /^\w{1,32}$/.test(key) && isNumber(number)));
  }

  #inputSpec(spec: Fields, tensors: Fields): object {
    for (const kind of KINDS) {
      if (!isRecord(spec[kind])) continue;
      const own = spec[kind], argument = String(fields(own['arg'])['name']), target = this.#name(String(own[`${kind}_name`]));
      const isConstant = kind === 'tensor_constant' || own['persistent'] === false;
      this.weights.push(weightOf(target, isConstant, kind === 'parameter', fields(this.#meta(fields(tensors[argument])))));
      return { [kind]: { arg: { name: this.#name(argument) }, [`${kind}_name`]: target, ...(kind === 'buffer' && { persistent: own['persistent'] !== false }) } };
    }
    if (isRecord(spec['user_input'])) return { user_input: { arg: this.#argument(fields(spec['user_input']['arg']), 0) } };
    if (isRecord(spec['constant_input'])) return { constant_input: { name: 'constant', value: { as_none: true } } };
    return Object.fromEntries(Object.keys(spec).filter((key) => /^\w{1,32}$/.test(key)).map((key) => [key, {}]));
  }

  #outputSpec(spec: Fields): object {
    return Object.fromEntries(Object.entries(spec).filter(([key]) => /^\w{1,32}$/.test(key)).map(([key, value]) => {
      const { arg, ...others } = fields(value);
      const target = Object.entries(others).filter(([name, one]) => /^(?:buffer|parameter|user_input)_name$/.test(name) && typeof one === 'string');
      const inner = fields(arg);
      return [key, { arg: typeof inner['name'] === 'string' ? { name: this.#name(inner['name']) } : this.#argument(inner, 0), ...Object.fromEntries(target.map(([name, one]) => [name, this.#name(String(one))])) }];
    }));
  }

  #name(name: string): string {
    return this.names.name(name, 't');
  }
}
