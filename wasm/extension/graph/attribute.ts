/** Attribute values: which of them the core can hold, and their records. */
import type { Encoded, Integer } from '../core/core-table.js';
import type { Attribute, Dim, Shape } from '../types.js';
import { decodeBounds, encodeBounds } from '../values/shape.js';
import { fromRecord, ModelTensor } from '../values/tensor.js';
import { isGraph, type GraphObject } from './objects.js';

/** The value as a record for the core; undefined if only JavaScript can hold it: functions, other objects, mixed lists. */
export function encode(value: unknown): Encoded | undefined {
  switch (typeof value) {
    case 'boolean':
      return ['boolean', value];
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? ['integer', value] : ['float', value];
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? ['integer', String(value)] : undefined;
    case 'string':
      return ['text', value];
    case 'object':
      return value === null ? ['null'] : encodeObject(value);
    default:
      return undefined;
  }
}

function encodeObject(value: object): Encoded | undefined {
  if (value instanceof ModelTensor) return ['tensor', value.record()];
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return encodeList(Array.from(value as ArrayLike<unknown>));
  return isGraph(value) ? ['graph', value.number] : undefined;
}

function encodeList(values: readonly unknown[]): Encoded | undefined {
  if (values.every((value) => typeof value === 'string')) return values.length ? ['texts', values] : ['integers', []];
  if (values.every(isInteger)) return ['integers', values.map((value) => (typeof value === 'bigint' ? String(value) : value))];
  if (values.every((value) => typeof value === 'number')) return ['floats', values];
  return values.every(isDim) ? ['shape', encodeBounds(values as Dim[])] : undefined;
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

/** A pair only if decoding restores it: [2, 2] as a dimension becomes 2, which is wrong for a pair of pads. */
function isDim(value: unknown): boolean {
  if (value === null) return true;
  if (isInteger(value)) return value >= 0;
  if (!Array.isArray(value) || value.length !== 2 || !isInteger(value[0]) || value[0] < 0) return false;
  return value[1] === null || isInteger(value[1]) && value[1] > value[0];
}

/** The attribute of a node of `graph` in the form for extensions. Without a graph the value is none. */
export function decode(encoded: Encoded, graph?: GraphObject): Attribute {
  const [kind, value] = encoded;
  switch (kind) {
    case 'null':
      return null;
    case 'integer':
      return decodeInteger(value);
    case 'integers':
      return value.map(decodeInteger);
    case 'floats':
    case 'texts':
      return [...value];
    case 'shape':
      return (value && decodeBounds(value, value.length / 2)) as Shape as Attribute;
    case 'tensor':
      return fromRecord(value);
    case 'graph':
      return graph!.graphAt(value);
    default:
      return value;
  }
}

function decodeInteger(value: Integer): number | bigint {
  return typeof value === 'string' ? BigInt(value) : value;
}

/** Lists and plain objects are copied, so that no two holders of attributes share one. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item)]));
}

/** Whether a pattern's or a filter's literal equals an attribute. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (isInteger(a) && isInteger(b)) return BigInt(a) === BigInt(b);
  if (isSequence(a) && isSequence(b)) return a.length === b.length && Array.from(a).every((item, i) => sameValue(item, b[i]));
  return a instanceof ModelTensor && b instanceof ModelTensor && a.type === b.type && sameValue(a.shape, b.shape) && sameValue(a.get(), b.get());
}

function isSequence(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}
