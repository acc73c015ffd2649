/** What differs between two IRs, side by side. */
import type { Comparison, Difference, DifferenceKind } from '@mo/wasm';

import { fill, h, type Child } from '../page/dom.js';
import { cut } from './cut.js';
import { numberText, plural, t, type LiveText, type Text } from '../language/texts.js';

/** So many of a kind are in sight at once; the others are made when they are asked for. */
const SHOWN = 20;

const TITLES: Readonly<Record<DifferenceKind, LiveText>> = {
  only_in_a: t('Only in A'),
  only_in_b: t('Only in B'),
  type: t('Types of operations'),
  version: t('Operation sets'),
  attribute: t('Attributes'),
  input: t('What inputs read'),
  element_type: t('Element types'),
  shape: t('Shapes'),
  constant: t('Types and shapes of constants'),
  place: t('Places of constants in the .bin'),
  contents: t('Contents of constants'),
  names: t('Names of the tensors of inputs and outputs'),
  layout: t('Layouts of inputs and outputs'),
  order: t('Order of inputs and outputs'),
  body: t('Connections of bodies'),
};

/** A part for each kind of differences, in the order in which they come. */
export function differencesOf({ counts, differences }: Comparison): HTMLElement[] {
  return Object.entries(counts).map(([kind, count]) => partOf(kind as DifferenceKind, count, differences.filter((one) => one.kind === kind)));
}

function partOf(kind: DifferenceKind, count: number, differences: readonly Difference[]): HTMLElement {
  const rest = differences.slice(SHOWN);
  const lost = count - differences.length;
  const details = h('details', { class: 'more' }, h('summary', {}, t('and {n} more', { n: count - SHOWN })));
  details.addEventListener('toggle', () => {
    if (details.children.length === 1) details.append(rows(rest), h('p', { class: 'hint' }, lost > 0 && t('and {n} more', { n: lost })));
  });
  return h('section', { class: 'differences' }, h('h3', {}, TITLES[kind], ' ', h('small', {}, numberText(count))), rows(differences.slice(0, SHOWN)), rest.length > 0 && details);
}

const rows = (differences: readonly Difference[]): HTMLElement => h('ul', {}, ...differences.map(row));

function row({ kind, names: [a, b], type, body, what, values }: Difference): HTMLElement {
  const isOne = a === '' || b === '' || a === b;
  const isThere = kind !== 'only_in_a' && kind !== 'only_in_b';
  return h('li', {},
    h('div', { class: 'difference-place' },
      h('code', {}, cut(a || b)), !isOne && h('code', {}, cut(b)),
      h('small', {}, ...place(type, body, what))),
    isThere && value('A', values[0]),
    isThere && value('B', values[1]));
}

function place(type: string, body: string, what: string): Child[] {
  const parts: Child[] = [[cut(type)], body !== '' ? [t('in {name}', { name: cut(body) })] : [], what !== '' ? [said(what)] : []];
  return (parts as Child[][]).filter((part) => String(part) !== '').flatMap((part, index) => [index > 0 && ' · ', ...part]);
}

/** Attributes have their names; ports are counted. */
function said(what: string): Text {
  const [, port, number] = /^(input|output) (\d+)$/.exec(what) ?? [];
  if (number === undefined) return cut(what);
  return port === 'input' ? t('input {number}', { number }) : t('output {number}', { number });
}

function value(side: string, text: string): HTMLElement {
  return h('div', { class: 'difference-value' }, h('span', { class: 'side' }, side), h('code', {}, cut(text) || '–'));
}

/** How many operations each has, how many are in both, and how many constants were compared. */
export function factsOf({ operations: [a, b], matched, constants, contents }: Comparison): HTMLElement {
  const facts: (readonly [name: LiveText, value: Text, more?: Text | false])[] = [
    [t('Operations of A'), numberText(a)],
    [t('Operations of B'), numberText(b)],
    [t('In both'), numberText(matched.by_name + matched.by_structure), matched.by_structure > 0 && plural(matched.by_structure, '{n} under another name', '{n} under other names')],
    [t('Constants compared'), numberText(constants), constants > 0 && (contents ? t('by contents') : t('by place and size'))],
  ];
  const list = h('dl', { class: 'facts' });
  fill(list, ...facts.map(([name, value, more]) => h('div', {}, h('dt', {}, name), h('dd', {}, value, more && ' ', more && h('small', {}, more)))));
  return list;
}
