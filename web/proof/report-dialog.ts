import { button, fill, h } from '../page/dom.js';
import { t, type LiveText } from '../language/texts.js';
import type { ReportPart } from './conversion-report.js';

/** Shows a report over the page; `opener` gets the focus back. */
export function showReport(title: LiveText, body: readonly ReportPart[], opener: HTMLElement): void {
  const content = h('div', { class: 'report-body', tabindex: '0', role: 'document', 'aria-label': title }, ...body.map(nodeOf));
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

function nodeOf(part: ReportPart): HTMLElement | string {
  if (typeof part === 'string') return part;
  const { tag, look, children } = part;
  return h(tag, look ? { class: look } : {}, ...children.map(nodeOf));
}
