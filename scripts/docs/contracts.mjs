// docs/internal-operations.md: inputs and attributes of internal operations, and former names.
import { contents, escape, table, tables } from './source.mjs';

const code = (text) => `\`${text}\``;
const input = (name) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : name.endsWith('*') ? `${name.slice(0, -1)}…` : name);
const attribute = ({ name, type, optional, value }) => `${code(name)} ${type}${value === undefined ? (optional ? ', optional' : '') : ` = ${value}`}`;

export const contractTables = () => [
  contents([...tables.contracts.map(({ title }) => title), 'Former names']),
  ...tables.contracts.map(({ title, operations }) => `## ${title}\n\n${table(
    ['operation', 'inputs', 'attributes', 'meaning'],
    operations.map(({ ops, inputs, attributes, meaning }) => [
      ops.map(code).join(' '), inputs.map(input).join(', '), attributes.map(attribute).join('<br>'), escape(meaning),
    ]),
  )}`),
].join('\n\n');

export function formerNames() {
  const ops = tables.former_names.filter((row) => row.ops.length === 0).map(({ name, former }) => [code(former), code(name)]);
  const attributes = tables.former_names.filter((row) => row.ops.length > 0)
    .map(({ name, former, ops: of }) => [`${code(former)} of ${of.map(code).join(', ')}`, code(name)]);
  return table(['before', 'now'], [...ops, ...attributes]);
}
