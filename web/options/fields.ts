import type { Message } from '@mo/wasm';

import { h } from '../page/dom.js';
import { wholeText } from '../language/messages.js';
import { t } from '../language/texts.js';
import type { Field } from './options.js';
import { UndefinedInputShape } from '../report/codes.js';

/** An error of this code is about the option that would put it right, even if that has not been given. */
const SHAPE_LACKS = UndefinedInputShape;

/** Marks the fields that the errors are about, and no others. */
export function markFields(form: HTMLFormElement, messages: readonly Message[]): void {
  const errors = messages.filter(({ severity }) => severity === 'error');
  for (const field of fieldsOf(form)) {
    if (!errors.some((error) => isAbout(error, field))) {
      unmark(field);
      continue;
    }
    mark(field, errors.filter((error) => isAbout(error, field)));
    reveal(field);
  }
}

/** The error stands below the field. */
function mark(field: Field, errors: readonly Message[]): void {
  unmark(field);
  const id = `error-${field.name}`;
  const said = new Map(errors.map((error) => [`${error.code} ${error.text}`, t('{code} {text}', { code: error.code, text: wholeText(error) })]));
  const box = field.closest('.field, .described') ?? field.closest('label')!;
  const text = h('p', { id, class: 'wrong' }, ...[...said.values()].flatMap((error, index) => [index > 0 && '\n', error]));
  // A text in a label would become a part of the field's name.
  if (box instanceof HTMLLabelElement) box.after(text);
  else box.append(text);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', id);
  // Not every screen reader reads a text that only aria-errormessage names.
  describe(field, [...descriptions(field), id]);
}

export function unmark(field: Element): void {
  const id = `error-${field.getAttribute('name')}`;
  document.getElementById(id)?.remove();
  describe(field, descriptions(field).filter((other) => other !== id));
  field.removeAttribute('aria-invalid');
  field.removeAttribute('aria-errormessage');
}

function descriptions(field: Element): string[] {
  return field.getAttribute('aria-describedby')?.split(' ') ?? [];
}

function describe(field: Element, ids: readonly string[]): void {
  if (ids.length > 0) field.setAttribute('aria-describedby', ids.join(' '));
  else field.removeAttribute('aria-describedby');
}

/** Opens the groups of filled fields, so that the user sees all that takes part in a conversion. */
export function revealFilled(form: HTMLFormElement): void {
  for (const field of fieldsOf(form)) if (isSet(field)) reveal(field);
}

export function closeGroups(form: HTMLFormElement): void {
  for (const group of form.querySelectorAll<HTMLDetailsElement>('.group')) group.open = false;
}

/** Opens what the field lies in. */
function reveal(field: Field): void {
  for (let closed = field.closest('details'); closed; closed = closed.parentElement!.closest('details')) closed.open = true;
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>('[name]:not([type=radio])')];
}

/** An error that only the option could have caused counts where the option was given. */
function isAbout({ code, options }: Message, field: Field): boolean {
  if (!options.includes(field.name)) return false;
  return isSet(field) || (code === SHAPE_LACKS && field.name === options[0]);
}

function isSet(field: Field): boolean {
  return field.type === 'checkbox' ? (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked : field.value.trim() !== '' || field.dataset['named'] !== undefined;
}
