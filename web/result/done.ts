import type { Port } from '@mo/wasm';

import { fill, h } from '../page/dom.js';
import { graphButton } from '../graph/graph-button.js';
import { countText, listText, numberText, plural, t, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { proofs } from '../proof/proofs.js';
import { saveBar } from '../save/bar.js';
import { filesOf, markSaved } from '../save/files.js';
import { canPickFolder } from '../save/folder.js';
import type { Done, Task } from '../convert/task.js';
import { bytesText, extensionOf, timeText } from '../page/text.js';
import type { Download } from '../save/out-file.js';
import { withOptions } from './asked.js';
import { counts } from './counts.js';
import { staleNote } from './stale.js';

const SHOWN_OPERATIONS = 12;
const SHOWN_NAMES = 2;
const SHOWN_PORTS = 100;

/** Each result keeps its own bar, which may be saving while another result is in view. */
const bars = new WeakMap<Done, HTMLElement>();

/** Fills `section` with a result: the two files, and what is in them. */
export function showDone(section: HTMLElement, file: string, done: Done, task: Task): void {
  const { report, warnings, downloads, milliseconds } = done;
  const operations = Object.entries(report.operations).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  const total = operations.reduce((sum, [, count]) => sum + count, 0);
  fill(
    section,
    h('p', { class: 'overline good' }, t('Converted in {time}', { time: timeText(milliseconds) })),
    h('h1', { id: 'done-title', class: 'file-title', tabindex: '-1' }, file),
    withOptions(done.asked.given),
    staleNote(),
    h('div', { 'data-save': '' }, ...saving(done)),
    h('dl', { class: 'facts' },
      fact(t('Operations'), numberText(total)),
      fact(t('Constants'), numberText(report.constants)),
      fact(t('Size'), bytesText(downloads.reduce((sum, { size }) => sum + size, 0))),
      fact(t('Read by'), t('OpenVINO {version} and newer', { version: report.runtime }))),
    h('div', { class: 'actions' }, graphButton(task)),
    warnings.length > 0 && h('h2', {}, countText(warnings.length, 'warning')),
    warnings.length > 0 && messageList(warnings),
    ports(t('Inputs'), report.inputs),
    ports(t('Outputs'), report.outputs),
    h('h2', {}, t('Operations')),
    counts(operations.slice(0, SHOWN_OPERATIONS)),
    operations.length > SHOWN_OPERATIONS &&
      h('details', { class: 'more' },
        h('summary', {}, plural(operations.length - SHOWN_OPERATIONS, '{n} more type', '{n} more types')),
        counts(operations.slice(SHOWN_OPERATIONS))),
    h('div', { 'data-save': '' }, proofs(done)),
  );
}

/** All files at once, then each alone. Where no folder can be chosen, the single files are what most people need. */
function saving(done: Done): HTMLElement[] {
  const { downloads, report } = done;
  const links = h('div', { class: canPickFolder() ? 'downloads second' : 'downloads' }, ...downloads.map(download));
  const words = { folder: t('Save to a folder…'), archive: (ending: string) => t('Save {ending}', { ending }), name: report.name, look: 'primary' };
  const bar = bars.get(done) ?? saveBar(() => filesOf(downloads), words).element;
  bars.set(done, bar);
  return canPickFolder() ? [bar, links] : [links, bar];
}

function download(download: Download): HTMLElement {
  const { name, size, url } = download;
  const link = h('a', { class: 'download', href: url, download: name },
    h('span', { class: 'download-kind' }, t('Save {ending}', { ending: extensionOf(name) })),
    h('span', { class: 'download-name' }, name),
    h('span', { class: 'download-size' }, bytesText(size)));
  link.addEventListener('click', () => markSaved([download]));
  return link;
}

function fact(name: Text, value: Text): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function ports(title: Text, rows: readonly Port[]): HTMLElement {
  const cell = (text: string) => h('td', {}, h('code', {}, text));
  const names = ({ name, names }: Port) => {
    const others = names.filter((other) => other !== name);
    return h('th', { scope: 'row' }, h('code', {}, name), others.length > 0 && otherNames(others));
  };
  return h('table', {},
    h('caption', {}, title),
    h('thead', {}, h('tr', {}, ...[t('Name'), t('Shape'), t('Type')].map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {},
      rows.slice(0, SHOWN_PORTS).map((port) => h('tr', {}, names(port), cell(port.shape), cell(port.type))),
      rows.length > SHOWN_PORTS && h('tr', {}, h('td', { colspan: '3' }, t('and {n} more', { n: rows.length - SHOWN_PORTS })))));
}

/** TensorFlow's tensors have a name for each function that gives them: many would hide the shapes below them. */
function otherNames(names: readonly string[]): HTMLElement {
  if (names.length <= SHOWN_NAMES) return h('small', {}, t('also {names}', { names: listText(names) }));
  return h('details', { class: 'more' },
    h('summary', {}, plural(names.length, '{n} more name', '{n} more names')),
    h('small', {}, listText(names)));
}
