/** The trace of a conversion: what the graph view is made of. */
import type { Trace } from '@mo/wasm/report';

import type { Step, Task } from './task.js';

export interface TraceControls {
  readonly signal?: AbortSignal;
  readonly onStep?: (step: Step) => void;
}

/** A trace lives as long as its task. */
const traces = new WeakMap<Task, Promise<Trace>>();

/** The trace of a task that is done: from a second conversion with the same options, the first time that it is asked for. */
export async function traceOf(task: Task, controls: TraceControls = {}): Promise<Trace> {
  const known = traces.get(task);
  if (known) {
    try {
      return await known;
    } catch (error) {
      // Whoever asked first may have given up. This one has not.
      if (controls.signal?.aborted || !isAbort(error)) throw error;
    }
  }
  const trace = read(task, controls);
  traces.set(task, trace);
  trace.catch(() => traces.get(task) === trace && traces.delete(task));
  return trace;
}

async function read({ done }: Task, { signal = new AbortController().signal, onStep = () => undefined }: TraceControls): Promise<Trace> {
  const { trace } = await done!.trace(signal, onStep);
  return JSON.parse(trace) as Trace;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
