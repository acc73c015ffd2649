/** A conversion in a worker of a page, with or without extensions. */
import type { Comparison, FirstFacts, Inspection, LogLine, Progress, Report, Result } from '../shared/api.js';
import { judged, isBroken, refuseLack, XmlText, type Core, type FoundModels } from '../shared/core.js';
import { found } from '../shared/found.js';
import { readInspection } from '../shared/inspection.js';
import type { LoadedExtensions } from '../shared/extensions.js';
import { lacksMemory, MoError, type Message } from '../shared/messages.js';
import { Meter, Stopped } from '../shared/meter.js';
import { listed } from '../shared/place-list.js';
import { textFiles } from '../shared/side-files.js';
import { compareOpen, readVerification, type SentVerification } from '../shared/verification.js';
import { BlobFiles, type PageFile } from './blob-files.js';
import { compose } from './compose.js';

export interface Job {
  kind: 'convert' | 'inspect' | 'places' | 'find' | 'verify' | 'compare';
  main: string;
  /** Paths relative to the model's folder. */
  files: [path: string, content: PageFile][];
  options: [name: string, value: string][];
  /** `find`: paths of files whose content is not at hand, with NUL between them: one text passes to a worker in no time. */
  listed?: string;
  /** `verify`: what the graph is, too. */
  graph?: boolean;
  /** `compare`: the other IR, and whether the contents of constants are compared. */
  other?: { main: string; files: Job['files']; contents: boolean };
  /** Contains 1 when the job must end; only if the page may share memory. */
  stop: Int32Array | undefined;
}

/** An IR, and what it was made from. */
export interface BrowserResult extends Result<Blob> {
  /** The files that the model was read from, itself first, by their paths relative to its folder. */
  readonly files: readonly string[];
}

/** As it leaves the worker: the texts of its side files are in their list only. */
export type SentResult = Omit<BrowserResult, 'mapping' | 'check' | 'trace'>;

export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'log'; line: LogLine }
  | { kind: 'facts'; facts: FirstFacts }
  | { kind: 'done'; result: SentResult; config: string }
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'places'; places: Uint8Array }
  | { kind: 'verified'; verification: SentVerification }
  | { kind: 'compared'; comparison: Comparison }
  /** A part of the models that are found: a page takes many of them in pieces. */
  | { kind: 'models'; models: FoundModels['models'] }
  | { kind: 'found'; models: FoundModels['models']; unread: string[]; others: string; recognised: FoundModels['recognised'] }
  /** `broken`: the state of the worker is unknown, so it must not be used again. `idle`: its core has not started. */
  | { kind: 'failed'; messages: readonly Message[]; broken?: true | undefined; idle?: true | undefined };

/** So many models pass to a page at once. */
const PART = 2048;

/** The last reply. */
export type Outcome = Exclude<Reply, { kind: 'progress' | 'log' | 'facts' | 'models' }>;

/** Prepares the extensions of a job. This module does not import the loader, so a worker without extensions does not contain it. */
export type LoadExtensions = (show: (line: LogLine) => void) => Promise<LoadedExtensions | undefined>;

/** The last reply for an error; undefined for one that says nothing about memory and is none of the product's own. */
export function failedReply(core: Core | undefined, error: unknown): Extract<Reply, { kind: 'failed' }> | undefined {
  const messages = judged(core, error);
  if (!(error instanceof MoError) && !lacksMemory(new MoError(messages))) return undefined;
  return { kind: 'failed', messages, ...((!core || isBroken(core)) && { broken: true }), ...(!core && { idle: true }) };
}

/**
 * Does the job and sends its result. Throws only unexpected errors of the core. `stopped` says whether the job has to end; it is asked only
 * if there is no `job.stop`.
 */
export async function doJob(core: Core, job: Job, send: (reply: Reply) => void, load?: LoadExtensions, stopped = () => false): Promise<void> {
  const finish = (outcome: Outcome): void => {
    refuseLack(core);
    send(outcome);
  };
  try {
    const bare = (job.listed ?? '').split('\0').filter((path) => path !== '').map((path): [string, undefined] => [path, undefined]);
    const files = new BlobFiles(bare.length > 0 ? [...job.files, ...bare] : job.files);
    const { stop } = job;
    const ends = stop ? () => Atomics.load(stop, 0) !== 0 : stopped;
    const meter = new Meter((progress) => send({ kind: 'progress', progress }), ends);
    const loaded = await load?.((line) => send({ kind: 'log', line }));
    if (job.kind === 'find') {
      const { models, unread, others, recognised } = found(core.findModels(files, ''));
      const whole = models.length - (models.length % PART);
      for (let at = 0; at < whole; at += PART) send({ kind: 'models', models: models.slice(at, at + PART) });
      return finish({ kind: 'found', models: models.slice(whole), unread, others: others.join('\0'), recognised });
    }
    if (job.kind === 'convert') return finish({ kind: 'done', ...(await convert(core, job, files, meter, loaded)) });
    if (job.kind === 'places') return finish({ kind: 'places', places: listed(core.listPlaces(meter.watch(files), job.main, job.options, meter.step)) });
    if (job.kind === 'verify') return finish({ kind: 'verified', verification: readVerification(core.verifyIr(meter.watch(files), job.main, job.graph === true)) });
    if (job.kind === 'compare') {
      const { main, files: others, contents } = job.other!;
      const comparison = compareOpen(core, { files: meter.watch(files), main: job.main }, { files: new BlobFiles(others), main }, contents);
      return finish({ kind: 'compared', comparison });
    }
    const looked = core.inspect(meter.watch(files), job.main, job.options, meter.step, loaded?.callbacks, (facts) => send({ kind: 'facts', facts: JSON.parse(facts) as FirstFacts }));
    try {
      finish({ kind: 'inspected', inspection: readInspection(looked, loaded) });
    } finally {
      if (looked.ok) core.release(looked.id);
    }
  } catch (error) {
    const reply = error instanceof Stopped ? undefined : failedReply(core, error);
    if (!reply) throw error;
    send(reply);
  }
}

async function convert(
  core: Core, job: Job, files: BlobFiles, meter: Meter, loaded: LoadedExtensions | undefined,
): Promise<{ result: SentResult; config: string }> {
  const xml = new XmlText();
  const outcome = core.convert(meter.watch(files), job.main, job.options, meter.step, loaded?.callbacks, xml.add);
  if (!outcome.ok) throw new MoError([...(loaded?.warnings ?? []), ...outcome.messages]);
  try {
    const bin = await compose(core, files, outcome, (done, total) => meter.write(done, total));
    const warnings = [...(loaded?.warnings ?? []), ...outcome.messages];
    const report = JSON.parse(outcome.report) as Report;
    const sideFiles = textFiles(outcome.sideFiles, job.main);
    return { result: { xml: xml.text, bin, sideFiles, report, warnings, files: files.opened() }, config: outcome.config };
  } finally {
    core.release(outcome.id);
  }
}
