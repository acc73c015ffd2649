import { button, fill, h, type Child } from './dom.js';
import { openLayer } from './history.js';
import { t, type LiveText } from '../language/texts.js';

/** Shows a document over the page; `opener` gets the focus back. */
export function showDialog(title: LiveText, body: readonly Child[], opener: HTMLElement): void {
  const content = h('div', { class: 'report-body', tabindex: '0', role: 'document', 'aria-label': title }, ...body);
  const dialog = h('dialog', { class: 'report-dialog', 'aria-label': title });
  fill(dialog, h('div', { class: 'report-top' }, button(t('Close'), 'quiet', () => dialog.close())), content);
  const closed = openLayer(() => dialog.close());
  dialog.addEventListener('close', () => {
    closed();
    dialog.remove();
    opener.focus();
  });
  // Escape closes only the dialog. It does not cancel a conversion.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
}
