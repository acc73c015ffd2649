import type { Message } from '@mo/wasm';

import type { Chosen } from '../bring/chosen.js';
import type { Given } from '../options/options.js';
import { lackedBy } from '../bring/companions.js';
import { withOptions } from './asked.js';
import { button, compose, copyFrom, fill, h, namesList } from '../page/dom.js';
import { plural, t, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { missingFiles } from '../report/missing.js';
import { ReportView } from '../report/report-view.js';
import { ConfigNotUpdated } from '../report/codes.js';

/** Fills `section` with the errors; if only side files are missing, they can be added. */
export function showFailed(section: HTMLElement, file: Text, messages: readonly Message[], addFiles: () => void, updateConfig: () => void, model?: Chosen, given: readonly Given[] = []): void {
  const missing = missingFiles(messages);
  const errors = messages.filter(({ severity }) => severity === 'error').length;
  const list = messageList(messages);
  list.id = 'failed-messages';
  const report = new ReportView(String(file), messages, model);
  fill(
    section,
    h('p', { class: 'overline bad' }, missing.length > 0 ? t('Something is missing') : plural(errors, 'Not converted: {n} error', 'Not converted: {n} errors')),
    h('h1', { id: 'failed-title', class: 'file-title', tabindex: '-1' }, file),
    withOptions(given),
    missing.length > 0 && h('div', { class: 'missing' },
      missing.length > 1
        ? compose(h('p'), 'The model keeps its weights in {files}. Drop them here, or choose them, to go on.', { files: namesList(missing) })
        : compose(h('p'), 'The model keeps its weights in {files}. Drop it here, or choose it, to go on.', { files: namesList(missing) }),
      button(missing.length > 1 ? t('Add the missing files…') : t('Add the missing file…'), 'primary', addFiles)),
    ...lackedBy(model, messages).map(({ role, lookedFor }) => h('div', { class: 'missing' },
      compose(h('p'), 'The model needs files of another kind ({role}: {files}). Drop them here, or choose them, to go on.', { role, files: namesList(lookedFor) }),
      button(t('Add the missing files…'), 'primary', addFiles))),
    messages.some(({ code }) => code === ConfigNotUpdated) && h('div', { class: 'missing' },
      h('p', {}, t('The configuration names sub-graphs, but not yet what enters and leaves them in this model.')),
      button(t('Add it from the model'), 'primary', updateConfig)),
    list,
    h('div', { class: 'actions' },
      button(t('Copy messages'), 'quiet', (pressed) => void copyFrom(list, pressed)),
      button(t('Copy report'), 'quiet', (pressed) => void report.copy(pressed)),
      report.hasSkeleton && button(t('Save skeleton'), 'quiet', () => void report.saveSkeleton())),
    report.hasSkeleton && h('p', { class: 'hint' }, t('The skeleton is the model without weights and names. Send it with the report, so that the failure can be reproduced.')),
    report.element,
  );
}
