/** A conversion in a worker of a page, with or without extensions. */
import type { ExtensionRoot, ToUrl } from '../../extension/load/loader.js';
import type { LogLine, Progress, Report, Result } from '../shared/api.js';
import type { Core } from '../shared/core.js';
import { loadFor } from '../shared/extensions.js';
import { MoError, type Message } from '../shared/messages.js';
import { Meter } from '../shared/meter.js';
import { BlobFiles } from './blob-files.js';
import { compose } from './compose.js';

export interface Job {
  main: string;
  /** Paths relative to the model's folder. */
  files: [path: string, blob: Blob][];
  options: [name: string, value: string][];
  /** Contains 1 when the job must end; only if the page may share memory. */
  stop: Int32Array | undefined;
}

/** An IR, and what it was made from. */
export interface BrowserResult extends Result<Blob> {
  /** The files that the model was read from, itself first, by their paths relative to its folder. */
  readonly files: readonly string[];
}

export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'log'; line: LogLine }
  | { kind: 'done'; result: BrowserResult; config: string }
  | { kind: 'failed'; messages: readonly Message[] };

/** The extensions of the conversion, and the way to make a module from a text. */
export interface JobExtensions {
  readonly roots: readonly ExtensionRoot[];
  readonly toUrl: ToUrl;
}

/** Does the job and sends its result. Throws only unexpected errors of the core. */
export async function doJob(core: Core, job: Job, send: (reply: Reply) => void, extensions?: JobExtensions): Promise<void> {
  try {
    send({ kind: 'done', ...(await convert(core, job, extensions, send)) });
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    send({ kind: 'failed', messages: error.messages });
  }
}

async function convert(
  core: Core, job: Job, extensions: JobExtensions | undefined, send: (reply: Reply) => void,
): Promise<{ result: BrowserResult; config: string }> {
  const files = new BlobFiles(job.files);
  const meter = new Meter((progress) => send({ kind: 'progress', progress }), job.stop);
  const show = (line: LogLine) => send({ kind: 'log', line });
  const loaded = extensions && (await loadFor(core, extensions.roots, show, extensions.toUrl));
  const outcome = core.convert(meter.watch(files), job.main, job.options, meter.step, loaded?.callbacks);
  if (!outcome.ok) throw new MoError(outcome.messages);
  try {
    const bin = await compose(core, files, outcome, (done, total) => meter.write(done, total));
    const xml = new TextDecoder().decode(outcome.xml);
    const warnings = [...(loaded?.warnings ?? []), ...outcome.messages];
    const report = JSON.parse(outcome.report) as Report;
    return { result: { xml, bin, mapping: outcome.mapping, report, warnings, files: files.opened() }, config: outcome.config };
  } finally {
    core.release(outcome.id);
  }
}
