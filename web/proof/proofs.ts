/** What proves a result, below it: the report of the conversion, the script that compares numbers, and digests of the files. */
import { button, h } from '../page/dom.js';
import { t } from '../language/texts.js';
import { offer } from '../save/offer.js';
import type { Done } from '../convert/task.js';
import { digestList } from './digests.js';
import { reportBar } from './report-bar.js';

/** Each result keeps its own section: work may be under way in it while another result is in view. */
const made = new WeakMap<Done, HTMLElement>();

export function proofs(done: Done): HTMLElement {
  const element = made.get(done) ?? make(done);
  made.set(done, element);
  return element;
}

function make(done: Done): HTMLElement {
  const { name, text } = done.check;
  return h('section', { class: 'proofs', 'aria-label': t('Report and checks') },
    h('div', { class: 'beside' },
      h('div', {},
        h('h2', {}, t('Report')),
        h('p', { class: 'hint' }, t('What each transformation changed, which names were kept, where weights went, sizes and times. The model is converted once more for it.')),
        reportBar(done)),
      h('div', {},
        h('h2', {}, t('Check of the numbers')),
        h('p', { class: 'hint' }, t('Save the script beside the IR and run it with Python: it runs the model and the IR on the same inputs, and prints the largest error of each output.')),
        h('div', { class: 'proof-buttons' },
          button(t('Save {name}', { name }), 'quiet', () => offer(new Blob([text], { type: 'text/x-python' }), name))))),
    h('h2', {}, 'SHA-256'),
    digestList(done.downloads.slice(0, 2)));
}
