import type { Progress } from '../api.js';

/** The time of a transformation, or of the work before, between and after transformations. */
export interface TimedStep {
  readonly phase: Progress['phase'];
  readonly transform: string;
  readonly milliseconds: number;
}

/**
 * Measures the time between progress events, by the clock of the thread that gets them.
 *
 * @example
 * ```js
 * import { convert } from '@mo/wasm';
 * import { Times } from '@mo/wasm/report';
 *
 * const times = new Times();
 * await convert('model.onnx', {}, { onProgress: times.note });
 * for (const { transform, milliseconds } of times.finish()) console.log(transform, milliseconds);
 * ```
 */
export class Times {
  readonly #done: TimedStep[] = [];
  #now: Progress | undefined;
  #since = 0;

  /** To be called with each event; it may be given as `onProgress` itself. */
  readonly note = (progress: Progress): void => {
    if (this.#now?.phase === progress.phase && this.#now.transform === progress.transform) return;
    this.finish();
    this.#now = progress;
  };

  /** Ends the last step; gives all. */
  finish(): readonly TimedStep[] {
    const time = performance.now();
    if (this.#now) this.#done.push({ phase: this.#now.phase, transform: this.#now.transform, milliseconds: time - this.#since });
    this.#now = undefined;
    this.#since = time;
    return this.#done;
  }
}
