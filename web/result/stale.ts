/** A result of other options than those of the form: it says so, and cannot be saved. */
import { button, byId, h } from '../page/dom.js';
import { t } from '../language/texts.js';

/** `soon`: it is made again without being asked for, as soon as the options can be used. */
export type Staleness = 'no' | 'soon' | 'yes';

/** A note for a result, which is shown when it is wanted. */
export function staleNote(): HTMLElement {
  const note = h('div', { class: 'stale' },
    h('p', { 'data-when': 'soon' }, t('Made with other options. It is made again as soon as these can be used.')),
    h('p', { 'data-when': 'yes' }, t('Made with other options. Convert again before you save.')),
    h('div', { 'data-when': 'yes' }, button(t('Convert again'), 'primary', () => byId<HTMLFormElement>('options').requestSubmit())));
  note.hidden = true;
  return note;
}

/** Says in the result in view whether it is still true. */
export function showStaleness(section: HTMLElement, staleness: Staleness): void {
  const note = section.querySelector<HTMLElement>('.stale');
  if (!note) return;
  note.hidden = staleness === 'no';
  for (const part of note.querySelectorAll<HTMLElement>('[data-when]')) part.hidden = part.dataset['when'] !== staleness;
  for (const part of section.querySelectorAll<HTMLElement>('[data-save]')) part.inert = staleness !== 'no';
}
