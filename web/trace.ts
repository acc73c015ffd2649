/** The trace of a conversion: what the graph view and the report are made of. */
import { convert, type Progress } from '@mo/wasm';
import type { Trace } from '@mo/wasm/report';

import { withModel } from './archive/ready.js';
import type { Step, Task } from './task.js';

export interface TraceControls {
  readonly signal?: AbortSignal;
  readonly onStep?: (step: Step) => void;
}

/** A trace lives as long as its task. */
const traces = new WeakMap<Task, Promise<Trace>>();

/** The trace of a task that is done: from its result if that has one, else from a second conversion with the same options. */
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

async function read(task: Task, { signal, onStep }: TraceControls): Promise<Trace> {
  return JSON.parse(task.done?.trace || (await traced(task, signal, onStep))) as Trace;
}

async function traced({ chosen, options }: Task, signal: AbortSignal = new AbortController().signal, onStep?: (step: Step) => void): Promise<string> {
  const onProgress = (progress: Progress) => onStep?.(progress);
  const onBytes = (bytes: number, totalBytes: number) => onStep?.({ phase: 'unpack', transform: '', index: 0, count: 0, bytes, totalBytes });
  const { trace } = await withModel(chosen, { signal, onBytes }, (model) => convert(model, { ...options, trace: true }, { signal, onProgress }));
  return trace;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
