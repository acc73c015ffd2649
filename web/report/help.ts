/** The help pages of messages: they come with the page, after all else, and open where the message is. */
import { fill, h } from '../page/dom.js';
import { elementsOf } from '../language/markup.js';
import { follow } from '../language/shown.js';
import { languageNow, t, type LiveText } from '../language/texts.js';

/** Loads all pages, so that later they open without a network. */
export const loadHelp = () => import('virtual:error-help');

/** An element that shows the help page of a message when it is opened. */
export function helpOf(code: string, title: LiveText = t('About {code}', { code })): HTMLElement {
  const body = h('div', { class: 'help-body' });
  const details = h('details', { class: 'help' }, h('summary', {}, title), body);
  const show = () => void (details.open && showIn(body, code));
  details.addEventListener('toggle', show);
  follow(body, 'help', show);
  return details;
}

async function showIn(body: HTMLElement, code: string): Promise<void> {
  const language = languageNow();
  if (body.lang === language.tag && body.childElementCount > 0) return;
  try {
    const html = language.help ? (await language.help())[code] : (await loadHelp()).PAGES[code]?.html;
    if (language !== languageNow()) return;
    body.lang = language.tag;
    fill(body, html === undefined ? h('p', {}, t('There is no page about this message.')) : elementsOf(html));
  } catch {
    fill(body, t('The help pages cannot be loaded. Load the page again.'));
  }
}
