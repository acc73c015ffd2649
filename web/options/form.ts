/** The fields that the table of options asks for, besides those that index.html has. */
import type { OptionRow } from '@mo/wasm';

import { h } from '../page/dom.js';
import { t } from '../language/texts.js';
import { isOfFiles } from './option-files.js';
import { titleOf } from './option-title.js';
import { isSwitch, ROWS } from './options.js';

/** Adds a field for each option that has none yet; groups without fields are not shown. */
export function completeForm(form: HTMLFormElement): void {
  for (const row of ROWS) {
    const there = form.elements.namedItem(row.name) as HTMLInputElement | null;
    const field = there ?? control(row);
    if (isSwitch(row)) (field as HTMLInputElement).checked = (field as HTMLInputElement).defaultChecked = row.default === 'True';
    if (!there) form.querySelector(`[data-group=${row.pageGroup}] .fields`)!.append(labelled(row, field));
  }
  for (const group of form.querySelectorAll<HTMLElement>('[data-group]')) group.hidden = !group.querySelector('[name]');
}

function control(row: OptionRow): HTMLInputElement {
  const { name, kind, value } = row;
  const attributes = { id: `option-${name}`, name, 'aria-describedby': `help-${name}` };
  if (isSwitch(row)) return h('input', { ...attributes, type: 'checkbox', role: 'switch' });
  if (isOfFiles(row)) return h('input', { ...attributes, type: 'file' });
  // One word in capitals says no more than the title.
  const placeholder: Record<string, string> = /^[A-Z_]*$/.test(value) ? {} : { placeholder: value };
  const mode: Record<string, string> = kind === 'Number' ? { inputmode: 'decimal' } : {};
  return h('input', { ...attributes, ...placeholder, ...mode, spellcheck: 'false' });
}

function labelled(row: OptionRow, field: HTMLElement): HTMLElement {
  const title = h('span', {}, t(titleOf(row.name)));
  const help = h('small', { id: `help-${row.name}` }, t(row.help));
  if (isSwitch(row)) return h('div', { class: 'described' }, h('label', { class: 'switch' }, field, title), help);
  const named = isOfFiles(row) && h('code', { class: 'named', hidden: '', translate: 'no' });
  return h('div', { class: 'field' }, h('label', { for: field.id }, title), field, named, help);
}
