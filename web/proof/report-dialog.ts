import { h } from '../page/dom.js';
import { showDialog } from '../page/dialog.js';
import type { LiveText } from '../language/texts.js';
import type { ReportPart } from './conversion-report.js';

/** Shows a report over the page; `opener` gets the focus back. */
export function showReport(title: LiveText, body: readonly ReportPart[], opener: HTMLElement): void {
  showDialog(title, body.map(nodeOf), opener);
}

function nodeOf(part: ReportPart): HTMLElement | string {
  if (typeof part === 'string') return part;
  const { tag, look, children } = part;
  return h(tag, look ? { class: look } : {}, ...children.map(nodeOf));
}
