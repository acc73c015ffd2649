/**
 * A network of Caffe without names: types of layers, names of parameters, numbers and words such as MAX stay. Layers and blobs have other
 * names, and all other texts are left out.
 */
import type { Anonymous } from '../../report/anonymous.js';
import { isNumber, Numbers } from './numbers.js';
import type { TextField, TextValue } from './text.js';

/** Names of types, of Python's modules, of fields and of enumerators. */
const WORD = /^[A-Za-z_][\w.]{0,63}$/;
const FIELD = /^(?:\w{1,64}|\[[\w./-]{1,128}\])$/;
/** How blobs are filled. */
export const FILLERS: ReadonlySet<string> = new Set(['constant', 'bilinear', 'diagonal', 'gaussian', 'msra', 'positive_unitball', 'uniform', 'xavier']);
/** Texts of known layers that the conversion does not read: files, and what they are written with. */
export const FILES: ReadonlySet<string> = new Set([
  'source', 'mean_file', 'meanfile', 'root_folder', 'file', 'save_file', 'output_directory', 'output_name_prefix', 'output_format', 'label_map_file', 'name_size_file',
]);
/** Layers in Python whose parameters the conversion reads. */
export const PYTHON: ReadonlySet<string> = new Set(['rpn.proposal_layer.ProposalLayer', 'SSH.layers.proposal_layer.ProposalLayer']);
const KEYS = new Set('feat_stride base_size min_size ratio ratios scale scales pre_nms_topn post_nms_topn nms_thresh True False None true false'.split(' '));
const STAGES = new Set(['include', 'exclude', 'state']);

export class Network {
  /** The types of its layers. */
  readonly types = new Set<string>();

  constructor(private readonly names: Anonymous) {}

  rewrite(fields: readonly TextField[]): readonly TextField[] {
    const numbers = new Numbers();
    return fields.flatMap((field) => {
      if (field.name === 'name') return [];
      if (field.name === 'input') return [this.#renamed(field)];
      return field.name === 'layer' || field.name === 'layers' ? [this.#layers(field)] : this.#field(field, '', numbers);
    });
  }

  #layers(field: TextField): TextField {
    return { ...field, values: field.values.map((value) => ('fields' in value ? { fields: this.#layer(value.fields) } : value)) };
  }

  #layer(fields: readonly TextField[]): readonly TextField[] {
    const numbers = new Numbers();
    return fields.flatMap((field) => {
      switch (field.name) {
        // Weights may be in the text, too.
        case 'blobs': return [];
        case 'name': case 'top': case 'bottom': return [this.#renamed(field)];
        case 'type': return [this.#types(field)];
        // V0 has the layer in a layer, V1 names of shared blobs as texts.
        case 'layer': return [this.#layers(field)];
        case 'param': return [this.#renamed(field, (value) => this.#message(value, 'param'))];
        default: return this.#field(field, '', numbers);
      }
    });
  }

  #types(field: TextField): TextField {
    for (const value of field.values) this.types.add('text' in value ? value.text : 'word' in value ? value.word : '');
    return { ...field, values: field.values.map((value) => ('text' in value ? { text: this.#kept(value.text) } : value)) };
  }

  #renamed(field: TextField, message = (fields: readonly TextField[]): readonly TextField[] => fields): TextField {
    const values = field.values.map((value): TextValue => ('text' in value ? { text: this.names.name(value.text, 'n') } : 'fields' in value ? { fields: message(value.fields) } : value));
    return { ...field, values };
  }

  #message(fields: readonly TextField[], name: string): readonly TextField[] {
    const numbers = new Numbers();
    const python = name === 'python_param' ? ['module', 'layer'].map((part) => textIn(fields, part)).join('.') : '';
    return fields.flatMap((field) => this.#field(field, PYTHON.has(python) ? python : name, numbers));
  }

  /** None if nothing of it stays. `inside` is the name of the message, or the layer in Python whose parameters it has. */
  #field({ name, values, isList }: TextField, inside: string, numbers: Numbers): readonly TextField[] {
    const kept = values.flatMap((value): TextValue[] => {
      if ('fields' in value) return [{ fields: this.#message(value.fields, name) }];
      if ('word' in value) return [{ word: isNumber(value.word) ? numbers.of(name, value.word) : value.word.slice(0, 64) }];
      const text = this.#text(value.text, inside, name);
      return text === undefined ? [] : [{ text }];
    });
    if (kept.length === 0 && values.length > 0) return [];
    return [{ name: FIELD.test(name) ? name : this.names.name(name, 'n'), values: kept, isList }];
  }

  /** What stays of a text; undefined leaves its field out. A fork's field stays, because the core warns of it. */
  #text(text: string, inside: string, name: string): string | undefined {
    if (inside.endsWith('filler') && name === 'type') return FILLERS.has(text) ? text : '';
    if (STAGES.has(inside) || (inside === 'param' && name === 'name')) return this.names.name(text, 'n');
    if (name === 'param_str') return PYTHON.has(inside) ? pythonParameters(text) : undefined;
    if (PYTHON.has(inside) || (inside === 'python_param' && (name === 'module' || name === 'layer'))) return this.#kept(text);
    return FILES.has(name) ? undefined : '';
  }

  #kept(text: string): string {
    return WORD.test(text) ? text : this.names.name(text, 'n');
  }
}

function textIn(fields: readonly TextField[], name: string): string {
  const value = fields.findLast((field) => field.name === name)?.values[0];
  return value && 'text' in value ? value.text : '';
}

/** A Python dict, of whose words only those stay that the core knows. */
function pythonParameters(text: string): string {
  const numbers = new Numbers();
  return text.replaceAll(/#[^\n]*/g, '').replaceAll(/[A-Za-z_][\w.]*|-?(?:\d|\.\d)(?:[eE][-+]|[\w.])*|[^ -~\n]/g, (word) => {
    if (isNumber(word)) return numbers.of('', word);
    return KEYS.has(word) ? word : /^\w/.test(word) ? 'x' : ' ';
  });
}
