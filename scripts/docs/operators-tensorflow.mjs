// docs/operators-tensorflow.md and README's sentence about it: every operation of TensorFlow's public list, and how it is read. Throws if
// an operation is neither read nor has a reason in tensorflow-reasons.txt, and if a reason there matches no operation that is not read.
import { how } from './operators.mjs';
import { escape, lines, tables, tablesByLetter } from './source.mjs';

const known = new Map(tables.operators.filter(({ framework }) => framework === 'tf').map((row) => [row.name, row]));
// Operations that the loader itself carries out.
const BY_LOADER = new Map([
  ['Const', 'a constant'],
  ['Placeholder', 'an input'],
  ['PlaceholderV2', 'an input'],
  ['PartitionedCall', 'the nodes of its function'],
  ['StatefulPartitionedCall', 'the nodes of its function'],
  ['VarHandleOp', 'the value in the checkpoint'],
  ['Variable', 'the value in the checkpoint'],
  ['VariableV2', 'the value in the checkpoint'],
  ['LoopCond', 'part of a While'],
  ...['Enter', 'Exit', 'NextIteration'].flatMap((name) => [[name, 'part of a While'], [`Ref${name}`, 'part of a While']]),
  ...['Merge', 'Switch'].flatMap((name) => [[name, 'part of a While or Case'], [`Ref${name}`, 'part of a While or Case']]),
]);
const listed = lines('scripts/docs/tensorflow-operations.txt').map(([name]) => name);
const names = [...new Set([...listed, ...known.keys()])].sort();

const isRead = (name) => BY_LOADER.has(name) || (known.has(name) && !known.get(name).refusal);
/** If the loader carries out an operation, its row's refusal is for the nodes that the loader leaves. */
const noteOf = (name) => (known.get(name)?.refusal ? `refused if ${escape(known.get(name).refusal)}` : '');

const reasons = lines('scripts/docs/tensorflow-reasons.txt')
  .filter(([pattern]) => pattern && !pattern.startsWith('# '))
  .map(([pattern, how, text]) => ({ pattern: new RegExp(`^(?:${pattern})$`), how, text, used: false }));

/** [how, note] of an operation that is not read. */
function refusalOf(name) {
  const reason = reasons.find(({ pattern }) => pattern.test(name));
  const refusal = known.get(name)?.refusal;
  if (reason) reason.used = true;
  if (!reason && !refusal) throw new Error(`nothing tells why TensorFlow's ${name} is not read: it needs a row in scripts/docs/tensorflow-reasons.txt`);
  return [reason?.how ?? 'refused', escape(reason?.text ?? refusal)];
}

const rows = names.map((name) => [`\`${name}\``, ...(isRead(name) ? [BY_LOADER.get(name) ?? how(known.get(name)), noteOf(name)] : refusalOf(name))]);
for (const { pattern, used } of reasons) if (!used) throw new Error(`scripts/docs/tensorflow-reasons.txt: ${pattern.source} matches no operation that is not read`);

export const tensorflowOperators = () => tablesByLetter(['operation', 'how', 'note'], rows);

export function tensorflowCounts() {
  const read = names.filter(isRead).length;
  return `Of ${names.length} operations ${read} are read, ${names.length - read} are not, each with its reason.`;
}
