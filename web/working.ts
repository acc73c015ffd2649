import type { Progress } from '@mo/wasm';

import { byId, h } from './dom.js';
import { partOf, type Step } from './task.js';
import { bytesText } from './text.js';

const PHASES: readonly [phase: Progress['phase'], name: string][] = [
  ['load', 'Load'],
  ['extract', 'Extract'],
  ['front', 'Front'],
  ['infer', 'Infer'],
  ['middle', 'Middle'],
  ['layout', 'Layout'],
  ['back', 'Back'],
  ['emit', 'Emit'],
  ['write', 'Write'],
];

/** What comes before the phases, for files of archives. */
const UNPACK = 'Unpack';

/** Shows the progress of a conversion. Events come faster than frames, so each frame shows the newest. */
export class WorkingView {
  readonly #steps = PHASES.map(([, name]) => h('li', {}, name));
  #next: Step | undefined;

  constructor(private readonly announce: (text: string) => void) {
    byId('rail').append(...this.#steps);
  }

  start(file: string): void {
    byId('working-title').textContent = file;
    byId('phase').textContent = 'Starting';
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
    if (byId('phase').textContent !== name) this.announce(name === UNPACK ? name : `${name}, phase ${current + 1} of ${PHASES.length}`);
    this.#steps.forEach((step, at) => (step.className = at < current ? 'past' : at === current ? 'now' : ''));
    byId('phase').textContent = name;
    byId('transform').textContent = count ? `${index} of ${count}${transform && ` · ${transform}`}` : '–';
    byId('bytes-label').textContent = phase === 'write' ? 'Written' : phase === 'unpack' ? 'Unpacked' : 'Read';
    byId('bytes').textContent = totalBytes ? `${bytesText(bytes)} of ${bytesText(totalBytes)}` : '–';
    const part = partOf(step);
    if (part !== undefined) byId<HTMLProgressElement>('bar').value = part;
  }
}
