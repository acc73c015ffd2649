import type { Port } from '@mo/wasm';

import { h } from '../page/dom.js';
import { listText, plural, t, type Text } from '../language/texts.js';

const SHOWN_NAMES = 2;
const SHOWN_PORTS = 100;

/** Inputs or outputs as a table. */
export function ports(title: Text, rows: readonly Port[]): HTMLElement {
  const cell = (text: string) => h('td', {}, h('code', {}, text));
  const names = ({ name, names }: Port) => {
    const others = names.filter((other) => other !== name);
    return h('th', { scope: 'row' }, h('code', {}, name), others.length > 0 && otherNames(others));
  };
  return h('table', {},
    h('caption', {}, title),
    h('thead', {}, h('tr', {}, ...[t('Name'), t('Shape'), t('Type')].map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {},
      rows.slice(0, SHOWN_PORTS).map((port) => h('tr', {}, names(port), cell(port.shape), cell(port.type))),
      rows.length > SHOWN_PORTS && h('tr', {}, h('td', { colspan: '3' }, t('and {n} more', { n: rows.length - SHOWN_PORTS })))));
}

/** TensorFlow's tensors have a name for each function that gives them: many would hide the shapes below them. */
function otherNames(names: readonly string[]): HTMLElement {
  if (names.length <= SHOWN_NAMES) return h('small', {}, t('also {names}', { names: listText(names) }));
  return h('details', { class: 'more' },
    h('summary', {}, plural(names.length, '{n} more name', '{n} more names')),
    h('small', {}, listText(names)));
}
