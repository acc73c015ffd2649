/** The sizes of the weights of the model in view, which are found out while nothing else is under way. */
import type { BrowserOptions, WeightSizes } from '@mo/wasm';

import type { Task } from '../convert/task.js';
import { lookOf } from './look.js';

/** Milliseconds without a change, and those after which another spare worker starts: a conversion may begin meanwhile. */
const CALM = 300;
const LONG = 400;

export interface SizesPage {
  options(): BrowserOptions;
  /** The options as one text. */
  askedText(): string;
  show(sizes: WeightSizes | undefined): void;
  loadAhead(): void;
}

export class Sizes {
  #chosen: Task['chosen'] | undefined;
  #wanted: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: AbortController | undefined;

  constructor(private readonly page: SizesPage) {}

  /** The options, the model in view, or what is under way has changed. `isFree`: nothing is. */
  follow(task: Task | undefined, isFree: boolean): void {
    const wanted = task && isFree ? this.page.askedText() : undefined;
    if (this.#chosen !== task?.chosen) this.page.show(undefined);
    else if (this.#work && this.#wanted === wanted) return;
    clearTimeout(this.#timer);
    this.#stop();
    this.#chosen = task?.chosen;
    this.#wanted = wanted;
    if (wanted !== undefined) this.#timer = setTimeout(() => isWhole(task!) && void this.#find(task!), CALM);
  }

  #stop(): void {
    if (!this.#work) return;
    this.#work.abort();
    this.#work = undefined;
    // The worker has ended.
    this.page.loadAhead();
  }

  async #find(task: Task): Promise<void> {
    const work = (this.#work = new AbortController());
    const spare = setTimeout(() => this.page.loadAhead(), LONG);
    try {
      const sizes = await lookOf(task).sizes(this.page.options(), work.signal);
      if (this.#work === work) this.page.show(sizes);
    } catch {
      // It was stopped.
    }
    clearTimeout(spare);
    if (this.#work === work) this.#work = undefined;
  }
}

/** Whether the model can be converted, as far as it is known. */
function isWhole({ state, chosen }: Task): boolean {
  const { found, busy, refused } = lookOf({ chosen });
  const isAtRest = state === 'ready' || state === 'done';
  return isAtRest && !busy && refused.length === 0 && found !== undefined && found.messages.every(({ severity }) => severity !== 'error');
}
