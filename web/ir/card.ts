/** The card of an IR: the verdict, the facts, and all findings. */
import type { Verification } from '@mo/wasm';
import { jsonOf } from '@mo/wasm/printable';

import { baseName, type Chosen } from '../bring/chosen.js';
import { button, compose, copyFrom, fill, h, type Child } from '../page/dom.js';
import { bytesText } from '../page/text.js';
import { numberText, plural, t, type LiveText, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { counts } from '../result/counts.js';
import { offer } from '../save/offer.js';
import { binOf } from './at-hand.js';
import { verdictData, verdictOf, type Verdict } from './verdict.js';

export class IrCard {
  readonly element: HTMLElement;
  readonly #body = h('div', {}, h('p', { class: 'support' }, t('Verifying…')));

  /** `addFiles` lets the user choose files. */
  constructor(readonly ir: Chosen, title: Child, private readonly addFiles: () => void) {
    this.element = h('article', { class: 'card ir-card' }, h('h2', {}, title), this.#body);
  }

  /** Verifies the IR and shows the outcome. */
  async see(signal: AbortSignal): Promise<Verdict> {
    const verdict = await verdictOf(this.ir, signal);
    this.#show(verdict);
    return verdict;
  }

  #show(verdict: Verdict): void {
    const { found, messages } = verdict;
    const name = baseName(this.ir.main.path);
    const list = messages.length > 0 && messageList(messages);
    const save = () => offer(new Blob([`${jsonOf(verdictData(this.ir, verdict), 1)}\n`], { type: 'application/json' }), `${name}.verify.json`);
    fill(this.#body,
      h('p', { class: found?.ok ? 'support good' : 'support bad' }, saidOf(verdict)),
      found && factList(found),
      found && found.bin_bytes === null && found.constants > 0 && this.#missing(),
      list,
      found && operations(found),
      h('div', { class: 'actions' },
        list && button(t('Copy messages'), 'quiet', (pressed) => void copyFrom(list, pressed)),
        button(t('Save {ending}', { ending: '.json' }), 'quiet', save)));
  }

  #missing(): HTMLElement {
    const file = h('code', {}, baseName(binOf(this.ir.main.path)));
    return h('div', { class: 'missing' },
      compose(h('p'), 'The IR keeps its weights in {file}. Drop it here, or choose it, to go on.', { file }),
      button(t('Add the missing file…'), 'primary', () => this.addFiles()));
  }
}

/** The verdict in words. Warnings, of operations that are not checked, leave an IR right. */
export function saidOf({ found, messages }: Verdict): LiveText {
  if (!found) return t('It cannot be read.');
  const errors = messages.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? t('Nothing is wrong.') : plural(errors, '{n} finding', '{n} findings');
}

function factList({ name, version, operations, constants, bin_bytes }: Verification): HTMLElement {
  const total = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const facts: (readonly [name: Text, value: Text])[] = [
    [t('Name'), name], [t('Version of IR'), String(version)], [t('Operations'), numberText(total)], [t('Constants'), numberText(constants)],
    ['.bin', bin_bytes === null ? t('not there') : bytesText(bin_bytes)],
  ];
  return h('dl', { class: 'facts' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

function operations({ operations }: Verification): HTMLElement {
  const sorted = Object.entries(operations).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  return h('details', { class: 'more' }, h('summary', {}, plural(sorted.length, '{n} type of operation', '{n} types of operations')), counts(sorted));
}
