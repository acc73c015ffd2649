import type { Message } from '@mo/wasm';

import type { Chosen } from './chosen.js';
import { button, copyFrom, fill, h } from './dom.js';
import { messageList } from './messages.js';
import { missingFiles } from './missing.js';
import { ReportView } from './report-view.js';
import { countText } from './text.js';

const CONFIG_NOT_UPDATED = 'MO6041';

/** Fills `section` with the errors; if only side files are missing, they can be added. */
export function showFailed(section: HTMLElement, file: string, messages: readonly Message[], addFiles: () => void, updateConfig: () => void, model?: Chosen): void {
  const missing = missingFiles(messages);
  const errors = messages.filter(({ severity }) => severity === 'error').length;
  const list = messageList(messages);
  list.id = 'failed-messages';
  const report = new ReportView(file, messages, model);
  fill(
    section,
    h('p', { class: 'overline bad' }, missing.length > 0 ? 'Something is missing' : `Not converted: ${countText(errors, 'error')}`),
    h('h1', { id: 'failed-title', class: 'file-title', tabindex: '-1' }, file),
    missing.length > 0 && h('div', { class: 'missing' },
      h('p', {}, 'The model keeps its weights in ', ...names(missing), missing.length > 1 ? '. Drop them here, or choose them, to go on.' : '. Drop it here, or choose it, to go on.'),
      button(missing.length > 1 ? 'Add the missing files…' : 'Add the missing file…', 'primary', addFiles)),
    messages.some(({ code }) => code === CONFIG_NOT_UPDATED) && h('div', { class: 'missing' },
      h('p', {}, 'The configuration names sub-graphs, but not yet what enters and leaves them in this model.'),
      button('Add it from the model', 'primary', updateConfig)),
    list,
    h('div', { class: 'actions' },
      button('Copy messages', 'quiet', (pressed) => void copyFrom(list, pressed)),
      button('Copy report', 'quiet', (pressed) => void report.copy(pressed)),
      report.hasSkeleton && button('Save skeleton', 'quiet', () => void report.saveSkeleton())),
    report.hasSkeleton && h('p', { class: 'hint' }, 'The skeleton is the model without weights and names, to send with the report: the failure can be looked for in it.'),
    report.element,
  );
}

function names(files: readonly string[]): (Node | string)[] {
  return files.flatMap((file, index) => [...(index > 0 ? [', '] : []), h('code', {}, file)]);
}
