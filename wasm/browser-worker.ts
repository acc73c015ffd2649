/** The worker of the browser library: starts the core as soon as it has its module, then converts one model at a time. */
import type { Progress, Report, Result } from './api.js';
import { BlobFiles } from './blob-files.js';
import { compose } from './compose.js';
import { startCore, type Core } from './core.js';
import { MoError, type Message } from './messages.js';
import { Meter, Stopped } from './meter.js';

/** The first message is the core's module; every other one a job. */
export interface Job {
  main: string;
  /** Paths relative to the model's folder. */
  files: [path: string, blob: Blob][];
  options: [name: string, value: string][];
  /** Holds 1 when the job is to end; only where the page may share memory. */
  stop: Int32Array | undefined;
}

export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; result: Result<Blob> }
  | { kind: 'failed'; messages: readonly Message[] };

let core: Promise<Core>;

async function convert(core: Core, { main, files: paths, options, stop }: Job): Promise<Result<Blob>> {
  const files = new BlobFiles(paths);
  const meter = new Meter((progress) => reply({ kind: 'progress', progress }), stop);
  const outcome = core.convert(meter.watch(files), main, options, meter.step, undefined);
  if (!outcome.ok) throw new MoError(outcome.messages);
  try {
    const bin = await compose(core, files, outcome, (done, total) => meter.write(done, total));
    const xml = new TextDecoder().decode(outcome.xml);
    return { xml, bin, report: JSON.parse(outcome.report) as Report, warnings: outcome.messages };
  } finally {
    core.release(outcome.id);
  }
}

function reply(message: Reply): void {
  self.postMessage(message);
}

/** What the core did not foresee, a trap for example, leaves it in no known state: the page then ends this worker. */
self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Job>) => {
  if (data instanceof WebAssembly.Module) {
    core = startCore(data);
    return;
  }
  try {
    reply({ kind: 'done', result: await convert(await core, data) });
  } catch (error) {
    if (error instanceof Stopped) self.close();
    else if (error instanceof MoError) reply({ kind: 'failed', messages: error.messages });
    else reportError(error);
  }
};
