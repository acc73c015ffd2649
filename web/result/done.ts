import { fill, h } from '../page/dom.js';
import { graphButton } from '../graph/graph-button.js';
import { countText, numberText, plural, t, type Text } from '../language/texts.js';
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
import { ports } from './ports.js';
import { staleNote } from './stale.js';

const SHOWN_OPERATIONS = 12;

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
    ...(warnings.length > 0 ? [h('h2', {}, countText(warnings.length, 'warning')), messageList(warnings)] : []),
    h('div', { class: 'beside' }, ports(t('Inputs'), report.inputs), ports(t('Outputs'), report.outputs)),
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
