/** Options of operators, field by field: their tables do not say what is in them. */
import { isEnumeration } from '../words.js';
import { rewriteCustomOptions } from './custom.js';
import { Operator, OPTIONS } from './fields.js';
import type { FlatTable } from './flat.js';
import type { Names } from './names.js';
import type { Fields, Value } from './writer.js';

const CUSTOM = 32;
/** A list of at most so many floats is a setting; a longer one is weights. */
const FEW = 8;

/** The types of the fields, by the number of the operator. */
export const FIELDS: ReadonlyMap<number, string> = new Map(OPTIONS.split(' ').map((row) => row.split(':')).map(([code, fields]) => [Number(code), fields!]));

/** The fields of an operator that say how it works. `code` is its number; undefined where it has none. */
export async function rewriteOptions(operator: FlatTable, code: number | undefined, names: Names): Promise<Fields> {
  if (code === CUSTOM) return { [Operator.custom_options]: await customOptions(operator, names) };
  const { builtin_options_type: type, builtin_options: options, builtin_options_2_type: type2, builtin_options_2: options2 } = Operator;
  const types: Fields = { [type]: operator.raw(type, 1), [type2]: operator.raw(type2, 1) };
  const field = operator.has(options) ? options : options2;
  const table = await operator.table(field);
  if (!table) return types;
  const made: Record<number, Value | undefined> = {};
  for (const [i, letter] of Array.from(FIELDS.get(code ?? -1) ?? '').entries()) made[i] = await option(table, i, letter, names);
  return { ...types, [field]: { table: made } };
}

async function option(table: FlatTable, field: number, type: string, names: Names): Promise<Value | undefined> {
  if (type === '-' || !table.has(field)) return undefined;
  if (type === 'b') return table.raw(field, 1);
  if (type === 'i' || type === 'f') return table.raw(field, 4);
  if (type === 'l') return table.raw(field, 8);
  if (type === 's') {
    const text = await table.text(field);
    return { text: isEnumeration(text) ? text : names.name(text) };
  }
  const bytes = type === 'L' ? 8 : 4;
  const numbers = await table.numbers(field, bytes);
  return { numbers: type === 'F' && numbers.length > bytes * FEW ? new Uint8Array(numbers.length) : numbers, bytes };
}

async function customOptions(operator: FlatTable, names: Names): Promise<Value | undefined> {
  const { count } = await operator.vector(Operator.custom_options, 1);
  const made = rewriteCustomOptions(await operator.numbers(Operator.custom_options, 1), names);
  return count > 0 && made ? { numbers: made, bytes: 1 } : undefined;
}
