import type { Port, Result } from '@mo/wasm';

import { fill, h } from './dom.js';
import { messageList } from './messages.js';
import { bytesText, countText, timeText } from './text.js';

const SHOWN_OPERATIONS = 12;

let urls: string[] = [];

/** Releases the object URLs of the last result. */
export function forgetResult(): void {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

/** Fills `section` with a result: the two files and their summary. */
export function showDone(section: HTMLElement, file: string, { xml, bin, report, warnings }: Result<Blob>, milliseconds: number): void {
  forgetResult();
  const operations = Object.entries(report.operations).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  const total = operations.reduce((sum, [, count]) => sum + count, 0);
  const xmlFile = new Blob([xml], { type: 'text/xml' });
  fill(
    section,
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
    counts(operations.slice(0, SHOWN_OPERATIONS)),
    operations.length > SHOWN_OPERATIONS &&
      h('details', { class: 'more' },
        h('summary', {}, `${operations.length - SHOWN_OPERATIONS} more types`),
        counts(operations.slice(SHOWN_OPERATIONS))),
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

function fact(name: string, value: string): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function ports(title: string, rows: readonly Port[]): HTMLElement {
  const cell = (text: string) => h('td', {}, h('code', {}, text));
  const names = ({ name, names }: Port) => {
    const others = names.filter((other) => other !== name);
    return h('th', { scope: 'row' }, h('code', {}, name), others.length > 0 && h('small', {}, `also ${others.join(', ')}`));
  };
  return h('table', {},
    h('caption', {}, title),
    h('thead', {}, h('tr', {}, ...['Name', 'Shape', 'Type'].map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, ...rows.map((port) => h('tr', {}, names(port), cell(port.shape), cell(port.type)))));
}

function counts(operations: [type: string, count: number][]): HTMLElement {
  return h('ul', { class: 'operations' },
    ...operations.map(([type, count]) => h('li', {}, h('code', {}, type), h('span', {}, count.toLocaleString('en')))));
}
