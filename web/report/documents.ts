/** The documents that the page as one file carries: what each message means, and what to do. The served page has others beside it. */
import { fill, h } from '../page/dom.js';
import { showDialog } from '../page/dialog.js';
import { languageNow, LiveText, t } from '../language/texts.js';
import { helpOf, loadHelp } from './help.js';

export function offerDocuments(): void {
  const link = document.getElementById('documents');
  if (!link) return;
  fill(link, t('What messages mean'));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void loadHelp().then(({ PAGES }) => showDialog(t('What messages mean'), [listOf(PAGES)], link));
  });
}

function listOf(pages: Readonly<Record<string, { readonly title: string }>>): HTMLElement {
  const entries = Object.entries(pages).sort(([a], [b]) => (a < b ? -1 : 1));
  return h('div', {}, h('h1', {}, t('What messages mean')), ...entries.map(([code, { title }]) =>
    helpOf(code, new LiveText(() => `${code} ${languageNow().sentences.get(code) ?? title}`))));
}
