/** `@mo/wasm` in browsers: trained-model files in, OpenVINO IR out, and nothing leaves the page. */
import type { Controls, Result } from './api.js';
import type { Job, Reply } from './browser-worker.js';
import { failure, MoError } from './messages.js';
import { optionText } from './option-text.js';
import type { Options } from './options.js';
import { placeFiles, type Model } from './place.js';
import { compileCore, giveBack, takeWorker } from './workers.js';

export type { Controls, Port, Progress, Report, Result } from './api.js';
export { MoError, type Message } from './messages.js';
export type { Dimension, Options, Shapes } from './options.js';
export type { Model, PlacedFile } from './place.js';
export { prepare } from './workers.js';

/**
 * Converts a model in a Web Worker. The `.bin` refers to the model's files: weights that stay as they are, are not read
 * before it is.
 *
 * @throws {MoError} when the model cannot be converted.
 */
export async function convert(model: Model, options: Options = {}, controls: Controls = {}): Promise<Result<Blob>> {
  controls.signal?.throwIfAborted();
  const stop = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const placed = await placeFiles(model);
  const job = { ...placed, options: optionText(options, placed.main), stop };
  const module = await compileCore();
  controls.signal?.throwIfAborted();
  const worker = takeWorker(module);
  const reply = await run(worker, job, controls);
  giveBack(worker);
  if (reply.kind === 'failed') throw new MoError(reply.messages);
  return reply.result;
}

type Outcome = Exclude<Reply, { kind: 'progress' }>;

/** What the worker makes of the job. A rejection means that the worker is gone. */
function run(worker: Worker, job: Job, { onProgress, signal }: Controls): Promise<Outcome> {
  const listening = new AbortController();
  const outcome = new Promise<Outcome>((resolve, reject) => {
    const give = (reason: unknown) => {
      // Chromium gives a worker in the midst of its work two seconds to end by itself: the flag makes it do so at once.
      if (job.stop) Atomics.store(job.stop, 0, 1);
      worker.terminate();
      reject(reason);
    };
    const until = { signal: listening.signal };
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.kind === 'progress') onProgress?.(data.progress);
      else resolve(data);
    }, until);
    worker.addEventListener('error', (event) => give(new MoError([failure(`the worker stopped: ${event.message}`)])), until);
    signal?.addEventListener('abort', () => give(signal.reason), until);
    worker.postMessage(job);
  });
  return outcome.finally(() => listening.abort());
}
