/** Conversions in the thread that calls. */
import type { InspectControls } from '../shared/api.js';
import { guarded } from '../shared/callbacks.js';
import { isBroken, startCoreLater, type Core } from '../shared/core.js';
import { unreadable, sentence } from '../shared/messages.js';
import { doJob, type Job, type Outcome } from './browser-job.js';
import { receiver } from './receiver.js';
import { compileCore } from './workers.js';
import { msg } from '../shared/msg.js';

let started: Promise<Core> | undefined;

export async function runHere(job: Job, controls: InspectControls): Promise<Outcome> {
  let ended: { reason: unknown } | undefined;
  let outcome: Outcome | undefined;
  const watched = guarded(controls, (reason) => (ended ??= { reason }));
  const { signal } = watched;
  const receive = receiver(watched);
  const stopped = (): boolean => {
    if (signal?.aborted) ended ??= { reason: signal.reason };
    return ended !== undefined;
  };
  const files = await readable(job.files);
  const other = job.other && { ...job.other, files: await readable(job.other.files) };
  if (started && isBroken(await started)) started = undefined;
  const core = await (started ??= start());
  try {
    if (!stopped())
      await doJob(core, { ...job, files, ...(other && { other }) }, (reply) => void (outcome = receive(reply) ?? outcome), undefined, stopped);
  } catch (error) {
    // The core may be in any state.
    started = undefined;
    throw ended ? ended.reason : error;
  }
  if (stopped()) throw ended!.reason;
  return outcome!;
}

function start(): Promise<Core> {
  const starting = compileCore().then(startCoreLater);
  starting.catch(() => (started = undefined));
  return starting;
}

/** A page's own thread cannot wait for a Blob, so the bytes are read beforehand there. */
async function readable(files: Job['files']): Promise<Job['files']> {
  if ('FileReaderSync' in globalThis) return files;
  return Promise.all(files.map(async ([path, content]): Promise<Job['files'][number]> => {
    if (!(content instanceof Blob)) return [path, content];
    try {
      return [path, new Uint8Array(await content.arrayBuffer())];
    } catch (error) {
      throw unreadable(msg`${path}: ${sentence(error)}`, error);
    }
  }));
}
