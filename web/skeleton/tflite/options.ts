/** Options of operators, field by field: their tables do not say what is in them. */
import { isEnumeration } from '../words.js';
import { rewriteCustomOptions } from './custom.js';
import type { FlatTable } from './flat.js';
import type { Names } from './names.js';
import type { Fields, Value } from './writer.js';

const [TYPE, OPTIONS, CUSTOM_OPTIONS, TYPE_2, OPTIONS_2] = [3, 4, 5, 11, 12];
const CUSTOM = 32;
/** A list of at most so many floats is a setting; a longer one is weights. */
const FEW = 8;

/**
 * The types of the fields, by the number of the operator: b a byte, i and l whole numbers of 4 and 8 bytes, f a float, I, L and F lists of these,
 * s a text, - one that nothing reads. The core has them with names, in operators.def.
 */
export const FIELDS: ReadonlyMap<number, string> = new Map((
  '0:b 1:biiiib 2:ib 3:biibii 4:bii-bii 5:i 6:b 9:bbb 11:b 12:biiiib 13:ifff 16:bffb 17:biiiib 18:b 22:I 23:--bb 24:b 25:f 26:i 27:ib 31:i 33:b '
  + '35:bb 36:ii 40:b 41:b 42:b 43:I 44:bffb-b 45:iiiiib 46:bbb 49:i 52:bffbb 53:-b 56:b 67:biib 74:b 77:b 79:b 80:ffib 81:b 82:b 83:-i 85:i 88:ii '
  + '89:b 90:b 91:b 93:b 96:b 97:bb 98:f 100:b 102:i 103:b 112:ii 118:ii 119:ii 126:bb 128:bb 129:i 132:biiibiii 140:b 141:biiibiii 142:ss 146:llb '
  + '147:F 148:llb 149:llb 150:b 159:b 169:l 192:b 202:L 205:i 206:si'
).split(' ').map((row) => row.split(':')).map(([code, fields]) => [Number(code), fields!]));

/** The fields of an operator that say how it works. `code` is its number; undefined where it has none. */
export async function rewriteOptions(operator: FlatTable, code: number | undefined, names: Names): Promise<Fields> {
  if (code === CUSTOM) return { [CUSTOM_OPTIONS]: await customOptions(operator, names) };
  const types: Fields = { [TYPE]: operator.raw(TYPE, 1), [TYPE_2]: operator.raw(TYPE_2, 1) };
  const field = operator.has(OPTIONS) ? OPTIONS : OPTIONS_2;
  const table = await operator.table(field);
  if (!table) return types;
  const made: Record<number, Value | undefined> = {};
  for (const [i, type] of Array.from(FIELDS.get(code ?? -1) ?? '').entries()) made[i] = await option(table, i, type, names);
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
  const { count } = await operator.vector(CUSTOM_OPTIONS, 1);
  const made = rewriteCustomOptions(await operator.numbers(CUSTOM_OPTIONS, 1), names);
  return count > 0 && made ? { numbers: made, bytes: 1 } : undefined;
}
