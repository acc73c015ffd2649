/**
 * A program of PaddlePaddle 3 without weights and names: operations, attributes, types and regions stay. Parameters are halves or, where they are
 * large, inputs.
 */
import { MoError } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { NoGraph } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import type { Skeleton } from '../types.js';
import { isRecord } from '../values.js';
import { bytesOf, writeParameters, type Parameter } from './parameters.js';
import { FEW, MOST, SETTING } from './settings.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

/** A longer text is not taken apart on the page. */
const LONGEST = 64 * 1024 * 1024;
/** Element types: the ending of a type's name, Paddle's number, and the name that attributes have for it. */
const TYPES = new Map<string, [number: number, name: string]>([
  ['bool', [0, 'bool']], ['i16', [1, 'int16']], ['i32', [2, 'int32']], ['i64', [3, 'int64']], ['f16', [4, 'float16']], ['f32', [5, 'float32']],
  ['f64', [6, 'float64']], ['ui8', [20, 'uint8']], ['i8', [21, 'int8']], ['bf16', [22, 'bfloat16']],
]);
/** Attributes that are names of tensors. */
const NAMES = new Set(['name', 'parameter_name', 'output_name']);
/** Attributes that say where an operation was written. */
const ABOUT = /^(?:op_|struct_name$)/;

const isObject = (value: Json | undefined): value is Fields => isRecord(value);
const listOf = (value: Json | undefined): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** @throws {MoError} when the file is no program. */
export async function pirSkeleton(file: Blob, names: Anonymous): Promise<Skeleton> {
  const program = file.size > LONGEST ? undefined : parsed(await file.text());
  if (!isObject(program) || !isObject(program['base_code']) || program['base_code']['magic'] !== 'pir' || !isObject(program['program'])) throw noGraph();
  const skeleton = new PirSkeleton(names);
  const content = new TextEncoder().encode(JSON.stringify({ base_code: program['base_code'], program: { regions: skeleton.regions(program['program']['regions']) } }));
  if (skeleton.parameters.size === 0) return { name: 'skeleton.json', content };
  return { files: [{ path: 'skeleton.json', content }, { path: 'skeleton.pdiparams', content: writeParameters([...skeleton.parameters.values()]) }] };
}

const noGraph = () => new MoError([pageMessage(NoGraph, msg`the file has no block`, 'choose the model file itself')]);

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw noGraph();
  }
}

class PirSkeleton {
  readonly parameters = new Map<string, Parameter>();

  constructor(private readonly names: Anonymous) {}

  regions(value: Json | undefined): Json[] {
    return listOf(value).map((region) => ({ '#': 'region', blocks: listOf(region['blocks']).map((block) => this.#block(block)) }));
  }

  #block(block: Fields): Json {
    const kwargs = listOf(block['kwargs']).map((one) => (typeof one['key'] === 'string' ? { ...one, key: this.names.name(one['key'], 't') } : one));
    return { '#': 'block', args: block['args'] ?? [], ...(kwargs.length > 0 ? { kwargs } : {}), ops: listOf(block['ops']).map((op) => this.#operation(op)) };
  }

  #operation(op: Fields): Json {
    if (op['#'] === 'p') return this.#parameter(op);
    const kept = { '#': op['#'] ?? null, A: this.#attributes(op['A']), I: op['I'] ?? [], O: op['O'] ?? [], OA: op['OA'] ?? [] };
    return op['regions'] === undefined ? kept : { ...kept, regions: this.regions(op['regions']) };
  }

  #parameter(op: Fields): Json {
    const given = Array.isArray(op['A']) ? op['A'] : [];
    const name = this.names.name(String(given[3] ?? ''), 't');
    const [type, name_, dims] = tensorOf(op['O']);
    const stored = { name, type, dims };
    const persistable = !Array.isArray(op['OA']) || op['OA'][0] === 1 || op['OA'][0] === true;
    const bytes = persistable ? bytesOf(stored) : 0;
    if (bytes !== undefined && bytes <= MOST) {
      if (persistable) this.parameters.set(name, stored);
      return { '#': 'p', A: [...given.slice(0, 3), name], O: op['O'] ?? [], OA: op['OA'] ?? [] };
    }
    const A = [attribute('name', '0.a_str', name), attribute('shape', '1.a_intarray', [...dims]), attribute('dtype', '1.a_dtype', name_)];
    return { '#': '1.data', A, I: [], O: [op['O'] ?? null], OA: [] };
  }

  #attributes(value: Json | undefined): Json {
    return listOf(value).flatMap((one) => {
      const name = String(one['N']);
      if (ABOUT.test(name) || !isObject(one['AT'])) return [];
      const isName = NAMES.has(name) && typeof one['AT']['D'] === 'string';
      return [{ N: name, AT: isName ? { ...one['AT'], D: this.names.name(one['AT']['D'] as string, 't') } : setting(one['AT']) }];
    });
  }
}

const attribute = (name: string, kind: string, data: Json): Json => ({ N: name, AT: { '#': kind, D: data } });

/** A value without texts that are no settings, and without long lists of floats. */
function setting(value: Fields): Fields {
  const { '#': kind, D: data } = value;
  if (kind === '0.a_str') return { '#': kind, D: typeof data === 'string' && SETTING.test(data) ? data : 'text' };
  if (kind !== '0.a_array' || !Array.isArray(data)) return value;
  const isHidden = data.length > FEW;
  const part = (one: Json) => (!isObject(one) ? one : isHidden && /^0\.a_(?:f|bf)\d+$/.test(String(one['#'])) ? { '#': one['#'] ?? null, D: 0 } : setting(one));
  return { '#': kind, D: data.map(part) };
}

/** Paddle's number and name of its type, and its sizes. */
function tensorOf(result: Json | undefined): [type: number, name: string, dims: number[]] {
  const type = isObject(result) && isObject(result['TT']) ? result['TT']['D'] : undefined;
  const [element, dims] = Array.isArray(type) ? type : [];
  const [number, name] = TYPES.get(isObject(element) ? String(element['#']).replace(/^0\.t_/, '') : '') ?? [-1, 'float32'];
  return [number, name, Array.isArray(dims) ? dims.map(Number) : []];
}
