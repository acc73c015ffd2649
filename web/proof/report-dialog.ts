import { button, fill, h } from '../dom.js';
import { t, type LiveText } from '../language/texts.js';

/** Shows a report over the page; `opener` gets the focus back. Names in it come from the model, and are escaped in `body`. */
export function showReport(title: LiveText, body: string, opener: HTMLElement): void {
  const content = h('div', { class: 'report-body', tabindex: '0', role: 'document', 'aria-label': title });
  content.innerHTML = body;
  const dialog = h('dialog', { class: 'report-dialog', 'aria-label': title });
  fill(dialog, h('div', { class: 'report-top' }, button(t('Close'), 'quiet', () => dialog.close())), content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener.focus();
  });
  // Escape closes only the dialog. It does not cancel a conversion.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
}
