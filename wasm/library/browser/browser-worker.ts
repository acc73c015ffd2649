/** The worker of the browser library: starts the core as soon as it has its module, then does one job at a time. */
import { startCore, type Core } from '../shared/core.js';
import { Stopped } from '../shared/meter.js';
import { doJob, failedReply, type Job, type Reply } from './browser-job.js';
import type { LineJob } from './command-line.js';

let core: Promise<Core>;

self.postMessage('ready');

/** After an unexpected error, for example a trap, the core's state is undefined: the page then ends this worker. */
self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Job | LineJob>) => {
  if (data instanceof WebAssembly.Module) {
    core = startCore(data);
    // Each job says it.
    core.catch(() => undefined);
    return;
  }
  try {
    if ('args' in data) self.postMessage((await core).parseCommandLine(data.program, data.args, data.environment));
    else {
      const started = await core.catch((error: unknown) => failedReply(undefined, error) ?? Promise.reject(error));
      if ('kind' in started) self.postMessage(started);
      else await doJob(started, data, (reply: Reply) => self.postMessage(reply));
    }
  } catch (error) {
    if (error instanceof Stopped) self.close();
    else reportError(error);
  }
};
