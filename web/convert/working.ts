import type { Progress } from '@mo/wasm';

import { byId, fill, h } from '../page/dom.js';
import { safeText } from '../language/shown.js';
import { t, type LiveText } from '../language/texts.js';
import { partOf, type Step } from './task.js';
import { bytesText } from '../page/text.js';

const PHASES: readonly [phase: Progress['phase'], name: LiveText][] = [
  ['load', t('Load')],
  ['extract', t('Extract')],
  ['front', t('Front')],
  ['infer', t('Infer')],
  ['middle', t('Middle')],
  ['layout', t('Layout')],
  ['back', t('Back')],
  ['emit', t('Emit')],
  ['write', t('Write')],
];

/** The step before the phases, for files of archives. */
const UNPACK = t('Unpack');

/** Shows the progress of a conversion. Events come faster than frames, so each frame shows the newest. */
export class WorkingView {
  readonly #steps = PHASES.map(([, name]) => h('li', {}, name));
  #next: Step | undefined;
  #phase: LiveText | undefined;

  constructor(private readonly announce: (text: string) => void) {
    byId('rail').append(...this.#steps);
  }

  start(file: string): void {
    byId('working-title').textContent = safeText(file);
    this.#phase = undefined;
    fill(byId('phase'), t('Starting'));
    byId('transform').textContent = byId('bytes').textContent = '–';
    byId<HTMLProgressElement>('bar').removeAttribute('value');
    for (const step of this.#steps) step.className = '';
  }

  /** Events that have not been shown yet are dropped. */
  stop(): void {
    this.#next = undefined;
  }

  show(step: Step): void {
    if (!this.#next) requestAnimationFrame(() => this.#draw());
    this.#next = step;
  }

  #draw(): void {
    if (!this.#next) return;
    const step = this.#next;
    const { phase, transform, index, count, bytes, totalBytes } = step;
    this.#next = undefined;
    const current = PHASES.findIndex(([name]) => name === phase);
    const name = PHASES[current]?.[1] ?? UNPACK;
    if (this.#phase !== name) this.announce(String(name === UNPACK ? name : t('{name}, phase {number} of {count}', { name, number: current + 1, count: PHASES.length })));
    this.#steps.forEach((step, at) => (step.className = at < current ? 'past' : at === current ? 'now' : ''));
    if (this.#phase !== name) fill(byId('phase'), (this.#phase = name));
    fill(byId('transform'), count ? t('{index} of {count}', { index, count }) : '–', count > 0 && transform !== '' && ` · ${transform}`);
    fill(byId('bytes-label'), phase === 'write' ? t('Written') : phase === 'unpack' ? t('Unpacked') : t('Read'));
    fill(byId('bytes'), totalBytes ? t('{done} of {total}', { done: bytesText(bytes), total: bytesText(totalBytes) }) : '–');
    const part = partOf(step);
    if (part !== undefined) byId<HTMLProgressElement>('bar').value = part;
  }
}
