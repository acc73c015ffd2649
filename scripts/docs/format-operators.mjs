// docs/operators-caffe.md, operators-paddle.md, operators-mxnet.md, operators-pytorch.md and operators-kaldi.md: every row of a format's operators.def, and how it is read.
import { how } from './operators.mjs';
import { escape, table, tables, tablesByLetter } from './source.mjs';

const line = (row) => [`\`${row.name}\``, row.loaded ? `by the loader: ${escape(row.loaded)}` : how(row), row.refusal ? escape(row.refusal) : ''];

/** A table of more rows is divided. */
const MOST_ROWS = 400;

/** The table of a format's rows, and the sentence that counts them. `what`: "operator". */
export function formatOperators(format, what) {
  const rows = tables.operators.filter(({ framework }) => framework === format).sort((a, b) => (a.name < b.name ? -1 : 1));
  const refused = rows.filter(({ refusal }) => refusal).length;
  return {
    table: () => (rows.length > MOST_ROWS ? tablesByLetter : table)([what, 'how', 'note'], rows.map(line)),
    counts: () => `${rows.length - refused} ${what}s are read${refused > 0 ? `; ${refused} are not, each with its reason` : ''}.`,
  };
}
