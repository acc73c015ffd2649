// docs/operators-tensorflow.md and README's sentence about it: every operation of TensorFlow's public list, and how it is read.
import { how } from './operators.mjs';
import { escape, lines, table, tables } from './source.mjs';

const known = new Map(tables.operators.filter(({ framework }) => framework === 'tf').map((row) => [row.name, row]));
// What the loader itself carries out.
const BY_LOADER = new Map([
  ['Const', 'a constant'],
  ['Placeholder', 'an input'],
  ['PartitionedCall', 'the nodes of its function'],
  ['StatefulPartitionedCall', 'the nodes of its function'],
  ['VarHandleOp', 'the value in the checkpoint'],
  ['Variable', 'the value in the checkpoint'],
  ['VariableV2', 'the value in the checkpoint'],
]);
const listed = lines('scripts/docs/tensorflow-operations.txt').map(([name]) => name);
const names = [...new Set([...listed, ...known.keys()])].sort();

const isRead = (name) => BY_LOADER.has(name) || (known.has(name) && !known.get(name).refusal);

function rowOf(name) {
  const row = known.get(name);
  const said = BY_LOADER.get(name) ?? (row ? how(row) : 'not read');
  return [`\`${name}\``, said, row?.refusal ? escape(row.refusal) : ''];
}

export const tensorflowOperators = () => table(['operation', 'how', 'note'], names.map(rowOf));

export function tensorflowCounts() {
  const read = names.filter(isRead).length;
  return `Of ${names.length} operations ${read} are read.`;
}
