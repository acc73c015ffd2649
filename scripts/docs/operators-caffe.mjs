// docs/operators-caffe.md and README's sentence about it: every layer of Caffe that operators.def has, and how it is read.
import { how } from './operators.mjs';
import { escape, table, tables } from './source.mjs';

const rows = tables.operators.filter(({ framework }) => framework === 'caffe');
const line = (row) => [`\`${row.name}\``, row.loaded ? `by the loader: ${escape(row.loaded)}` : how(row), row.refusal ? escape(row.refusal) : ''];
const sorted = [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));

export const caffeOperators = () => table(['layer', 'how', 'note'], sorted.map(line));

export function caffeCounts() {
  const refused = rows.filter(({ refusal }) => refusal).length;
  return `${rows.length - refused} layers are read${refused > 0 ? `; ${refused} are not, each with its reason` : ''}.`;
}
