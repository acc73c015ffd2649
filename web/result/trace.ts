/** The trace of a conversion: what the graph view and the report are made of. */
import type { Report } from '@mo/wasm';
import type { TimedStep, Trace } from '@mo/wasm/report';

import { loadReport } from '../proof/parts.js';
import type { Done, Step } from '../convert/task.js';

/** What a second conversion of the model with the same options gives. */
export interface Traced {
  readonly trace: Trace;
  readonly report: Report;
  readonly times: readonly TimedStep[];
}

export interface TraceControls {
  readonly signal: AbortSignal;
  readonly onStep: (step: Step) => void;
}

/** One conversion for all callers that want its trace. It is cancelled when none of them is left. */
class Tracing {
  readonly traced: Promise<Traced>;
  readonly #control = new AbortController();
  readonly #listeners = new Set<(step: Step) => void>();

  constructor(done: Done) {
    this.traced = this.#convert(done);
  }

  get ended(): boolean {
    return this.#control.signal.aborted;
  }

  /** Rejects with the signal's reason as soon as it is aborted. */
  async for({ signal, onStep }: TraceControls): Promise<Traced> {
    signal.throwIfAborted();
    this.#listeners.add(onStep);
    const leave = () => this.#leave(onStep);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([this.traced, new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))]);
    } finally {
      signal.removeEventListener('abort', leave);
      this.#listeners.delete(onStep);
    }
  }

  #leave(onStep: (step: Step) => void): void {
    this.#listeners.delete(onStep);
    if (this.#listeners.size === 0) this.#control.abort();
  }

  async #convert(done: Done): Promise<Traced> {
    const { Times } = await loadReport();
    const times = new Times();
    const { trace, report } = await done.trace(this.#control.signal, (step) => {
      const { phase } = step;
      if (phase !== 'unpack') times.note({ ...step, phase });
      for (const listener of this.#listeners) listener(step);
    });
    return { times: times.finish(), trace: JSON.parse(trace) as Trace, report };
  }
}

/** A tracing lives as long as its result. */
const tracings = new WeakMap<Done, Tracing>();

/** The trace of a result: from a second conversion, the first time that it is asked for. */
export function traceOf(done: Done, controls: TraceControls): Promise<Traced> {
  let tracing = tracings.get(done);
  if (!tracing || tracing.ended) {
    const begun = (tracing = new Tracing(done));
    tracings.set(done, begun);
    begun.traced.catch(() => tracings.get(done) === begun && tracings.delete(done));
  }
  return tracing.for(controls);
}
