/** The title of the browser's tab, which shows progress and outcome while another tab is open. */
import { safeText } from '../language/shown.js';
import { countText, t } from '../language/texts.js';
import { partOf, type Step, type Task } from './task.js';

export class Title {
  #tasks: readonly Task[] = [];
  #working: Task | undefined;
  #part = 0;

  /** To be called after a conversion has begun or ended. */
  show(tasks: readonly Task[]): void {
    this.#tasks = tasks;
    const working = tasks.find(({ state }) => state === 'working');
    if (working !== this.#working) this.#part = 0;
    this.#working = working;
    this.#write();
  }

  progress(step: Step): void {
    this.#part = partOf(step) ?? this.#part;
    this.#write();
  }

  /** Writes the title again: the language may have changed. */
  refresh(): void {
    this.#write();
  }

  #write(): void {
    const title = safeText(this.#text());
    if (document.title !== title) document.title = title;
  }

  #text(): string {
    const tasks = this.#tasks;
    if (this.#working) {
      const over = tasks.filter(({ busy }) => !busy).length;
      return `${Math.floor((100 * (over + this.#part)) / tasks.length)} % – ${this.#working.name}`;
    }
    const ended = tasks.filter(({ state }) => state === 'done' || state === 'failed');
    if (ended.length === 0) return String(t('Models to OpenVINO IR'));
    const mark = ended.every(({ done }) => done) ? '✓' : '✗';
    return `${mark} ${ended.length === 1 ? ended[0]!.name : countText(ended.length, 'model')}`;
  }
}
