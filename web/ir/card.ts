/** The card of an IR: the verdict, the facts, and all findings. */
import type { Message, Verification } from '@mo/wasm';
import { jsonOf } from '@mo/wasm/printable';

import { baseName, type Chosen } from '../bring/chosen.js';
import { button, compose, copyFrom, fill, h, type Child } from '../page/dom.js';
import { bytesText } from '../page/text.js';
import { loadGraph } from '../graph/graph-button.js';
import { numberText, plural, t, type LiveText, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { counts } from '../result/counts.js';
import { ports } from '../result/ports.js';
import { offer } from '../save/offer.js';
import { binOf } from './at-hand.js';
import { cut, cutMessage } from './cut.js';
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
    const toNode = (message: Message) => (found && message.node !== '' && message.line > 0 ? button(message.node, 'link', () => void this.#graph(verdict, message)) : undefined);
    const list = messages.length > 0 && messageList(messages.map(cutMessage), toNode);
    const save = () => offer(new Blob([`${jsonOf(verdictData(this.ir, verdict), 1)}\n`], { type: 'application/json' }), `${name}.verify.json`);
    fill(this.#body,
      h('p', { class: found?.ok ? 'support good' : 'support bad' }, saidOf(verdict)),
      found && factList(found),
      found && h('div', { class: 'actions' }, button(t('View graph'), '', () => void this.#graph(verdict))),
      found && found.bin_bytes === null && found.constants > 0 && this.#missing(),
      list,
      found && h('div', { class: 'ir-ports' }, ports(t('Inputs'), found.inputs), ports(t('Outputs'), found.outputs)),
      found && operations(found),
      h('div', { class: 'actions' },
        list && button(t('Copy messages'), 'quiet', (pressed) => void copyFrom(list, pressed)),
        button(t('Save {ending}', { ending: '.json' }), 'quiet', save)));
  }

  /** `at`: a message about the node that is looked for. */
  async #graph(verdict: Verdict, at?: Message): Promise<void> {
    try {
      (await loadGraph()).openIrGraph(this.ir, verdict, at);
    } catch {
      this.#body.append(h('p', { role: 'alert' }, t('The graph view cannot be loaded. Load the page again.')));
    }
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

type Fact = readonly [name: Text, value: Text, more?: Text];

function factList(found: Verification): HTMLElement {
  const { name, version, operations, constants, constant_bytes } = found;
  const total = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const facts: Fact[] = [
    [t('Name'), cut(name)], [t('Version of IR'), String(version)], ...writers(found),
    [t('Operations'), numberText(total)], [t('Constants'), numberText(constants), bytesText(constant_bytes)], ['.bin', ...fitOf(found)],
  ];
  return h('dl', { class: 'facts' }, ...facts.map(([name, value, more]) => h('div', {}, h('dt', {}, name), h('dd', {}, value, more !== undefined && ' ', more !== undefined && h('small', {}, more)))));
}

/** Model Optimizer gives its version alone; others that write in its place, their name before it. */
function writers({ rt_info: { MO_version: optimizer = '', Runtime_version: runtime = '' } }: Verification): Fact[] {
  const of = (program: string, version: string) => (/^\d/.test(version) ? `${program} ${cut(version)}` : cut(version));
  const [first, second] = [of('Model Optimizer', optimizer), of('OpenVINO', runtime)].filter((name) => name !== '');
  return first === undefined ? [] : [second === undefined ? [t('Written by'), first] : [t('Written by'), first, second]];
}

/** Whether the .bin is as large as the constants ask for: another one may be that of another IR. */
function fitOf({ constants, bin_needed: needed, bin_bytes: bytes }: Verification): [value: Text, more?: Text] {
  if (bytes === null) return [constants === 0 ? t('none is needed') : t('not there')];
  if (bytes === needed) return [bytesText(bytes), t('fits')];
  return [bytesText(bytes), bytes < needed ? t('too short, {size} are needed', { size: bytesText(needed) }) : t('fits, only {size} are used', { size: bytesText(needed) })];
}

function operations({ operations }: Verification): HTMLElement {
  const sorted = Object.entries(operations).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  return h('details', { class: 'more' }, h('summary', {}, plural(sorted.length, '{n} type of operation', '{n} types of operations')), counts(sorted));
}
