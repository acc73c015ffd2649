// docs/internal-operations.md: what internal operations have, and the names they had before.
import { escape, rows, table } from './source.mjs';

const code = (text) => `\`${text}\``;
const words = (text) => text.split(' ').filter(Boolean);

/** "name:type", "name:type?" or "name:type=value" of contracts.def. */
export function attributeRule(rule) {
  const [, name, type, optional, value] = /^(\w+):(\w+)(\??)(?:=(.*))?$/.exec(rule);
  return { name, type, isOptional: optional === '?', value };
}

/** Families of { ops, inputs, attributes, meaning }. */
export function contracts() {
  const families = [];
  for (const [macro, first, inputs, attributes, meaning] of rows('core/ops/contracts.def', 'MO_CONTRACTS', 'MO_CONTRACT')) {
    if (macro === 'MO_CONTRACTS') families.push({ title: first, operations: [] });
    else families.at(-1).operations.push({ ops: words(first), inputs: words(inputs), attributes: words(attributes).map(attributeRule), meaning });
  }
  return families;
}

const input = (name) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : name.endsWith('*') ? `${name.slice(0, -1)}…` : name);
const attribute = ({ name, type, isOptional, value }) => `${code(name)} ${type}${value === undefined ? (isOptional ? ', optional' : '') : ` = ${value}`}`;

export const contractTables = () =>
  contracts().map(({ title, operations }) => `## ${title}\n\n${table(
    ['operation', 'inputs', 'attributes', 'meaning'],
    operations.map(({ ops, inputs, attributes, meaning }) => [
      ops.map(code).join(' '), inputs.map(input).join(', '), attributes.map(attribute).join('<br>'), escape(meaning),
    ]),
  )}`).join('\n\n');

export function formerNames() {
  const of = rows('core/ops/former_names.def', 'MO_FORMER_OP', 'MO_FORMER_ATTRIBUTE');
  const ops = of.filter(([macro]) => macro === 'MO_FORMER_OP').map(([, now, former]) => [code(former), code(now)]);
  const attributes = of.filter(([macro]) => macro === 'MO_FORMER_ATTRIBUTE')
    .map(([, names, now, former]) => [`${code(former)} of ${words(names).map(code).join(', ')}`, code(now)]);
  return table(['before', 'now'], [...ops, ...attributes]);
}
