// docs/operators-tflite.md and README's sentence about it: every operator of TensorFlow Lite, and how it is read. Throws if a builtin operator
// of scripts/docs/tflite-operators.txt has no row in operators.def.
import { how } from './operators.mjs';
import { escape, lines, table, tables } from './source.mjs';

const rows = tables.operators.filter(({ framework }) => framework === 'tflite');
const builtin = new Set(lines('scripts/docs/tflite-operators.txt').map(([name]) => name));
const known = new Map(rows.map((row) => [row.name, row]));
for (const name of builtin) if (!known.has(name)) throw new Error(`nothing tells how TensorFlow Lite's ${name} is read: it needs a row in operators.def`);

const line = (row) => [`\`${row.name}\``, row.loaded ? `by the loader: ${escape(row.loaded)}` : how(row), row.refusal ? escape(row.refusal) : ''];
const sorted = [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));
const columns = ['operator', 'how', 'note'];

export const tfliteOperators = () => table(columns, sorted.filter(({ name }) => builtin.has(name)).map(line));
export const tfliteCustomOperators = () => table(columns, sorted.filter(({ name }) => !builtin.has(name)).map(line));

export function tfliteCounts() {
  const read = [...builtin].filter((name) => !known.get(name).refusal).length;
  return `Of ${builtin.size} builtin operators ${read} are read, ${builtin.size - read} are not, each with its reason.`;
}
