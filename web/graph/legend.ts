import { h } from '../page/dom.js';
import { t } from '../language/texts.js';
import { KIND_TITLES } from './colours.js';

/** What the colours of the drawings mean; `constants` is the box that says whether constants are drawn. */
export function legend(constants: HTMLInputElement): HTMLElement {
  return h('section', { class: 'graph-legend', 'aria-labelledby': 'graph-legend-title' },
    h('h2', { id: 'graph-legend-title' }, t('Drawing')),
    h('label', { class: 'graph-check' }, constants, t('Constants as nodes of their own')),
    h('ul', {}, ...Object.entries(KIND_TITLES).map(([kind, title]) => h('li', { class: kind }, title))));
}
