import type { Port, Result } from '@mo/wasm';

import { h } from './dom.js';
import { messageList } from './messages.js';
import { bytesText, countText, timeText } from './text.js';

const SHOWN_OPERATIONS = 12;

let urls: string[] = [];

/** Gives back what the last result's links held. */
export function forgetResult(): void {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

/** Fills `section` with a result: the two files, and what is in them. */
export function showDone(section: HTMLElement, file: string, { xml, bin, report, warnings }: Result<Blob>, milliseconds: number): void {
  forgetResult();
  const operations = Object.entries(report.operations).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  const total = operations.reduce((sum, [, count]) => sum + count, 0);
  const xmlFile = new Blob([xml], { type: 'text/xml' });
  section.replaceChildren(
    h('p', { class: 'overline good' }, `Converted in ${timeText(milliseconds)}`),
    h('h1', { id: 'done-title', class: 'file-title', tabindex: '-1' }, file),
    h('div', { class: 'downloads' }, download(`${report.name}.xml`, xmlFile), download(`${report.name}.bin`, bin)),
    h('dl', { class: 'facts' },
      fact('Operations', total.toLocaleString('en')),
      fact('Constants', report.constants.toLocaleString('en')),
      fact('Size', bytesText(xmlFile.size + bin.size)),
      fact('Read by', `OpenVINO ${report.runtime} and newer`)),
    warnings.length > 0 && h('h2', {}, countText(warnings.length, 'warning')),
    warnings.length > 0 && messageList(warnings),
    ports('Inputs', report.inputs),
    ports('Outputs', report.outputs),
    h('h2', {}, 'Operations'),
    bars(operations.slice(0, SHOWN_OPERATIONS)),
    operations.length > SHOWN_OPERATIONS &&
      h('details', { class: 'more' },
        h('summary', {}, `${operations.length - SHOWN_OPERATIONS} more types`),
        bars(operations.slice(SHOWN_OPERATIONS))),
  );
}

function download(name: string, content: Blob): HTMLElement {
  const url = URL.createObjectURL(content);
  urls.push(url);
  const extension = name.slice(name.lastIndexOf('.'));
  return h('a', { class: 'download', href: url, download: name },
    h('span', { class: 'download-kind' }, `Save ${extension}`),
    h('span', { class: 'download-name' }, name),
    h('span', { class: 'download-size' }, bytesText(content.size)));
}
