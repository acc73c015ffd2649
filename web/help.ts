/** The help pages of messages: they come with the page, after all else, and open where the message is. */
import { fill, h } from './dom.js';
import { t } from './language/texts.js';

/** Loads all pages, so that later they open without a network. */
export const loadHelp = () => import('virtual:error-help');

/** What opens into the help page of a message. */
export function helpOf(code: string): HTMLElement {
  const body = h('div', { class: 'help-body' });
  const details = h('details', { class: 'help' }, h('summary', {}, t('About {code}', { code })), body);
  details.addEventListener('toggle', () => details.open && void show(body, code));
  return details;
}

async function show(body: HTMLElement, code: string): Promise<void> {
  if (body.childElementCount > 0) return;
  try {
    const { PAGES } = await loadHelp();
    // Text of this product, made with it; nothing of a model is in it.
    body.innerHTML = PAGES[code]?.html ?? '<p>There is no page about this message.</p>';
  } catch {
    fill(body, t('The help pages cannot be loaded. Load the page again.'));
  }
}
