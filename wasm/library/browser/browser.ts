/** `@mo/wasm` in browsers: trained-model files in, OpenVINO IR out, and nothing leaves the page. */
import type { ExtensionRoot } from '../../extension/load/loader.js';
import { CONFIG_UPDATE, type CompareOptions, type Comparison, type Controls, type InspectControls, type Inspection, type PlaceNode, type Verification, type VerifyOptions } from '../shared/api.js';
import { guarded } from '../shared/callbacks.js';
import { areGiven, checkedOptions, checkedOwn, modulesOf } from '../shared/given.js';
import { badOption, messagesOf, MoError } from '../shared/messages.js';
import type { FoundModels } from '../shared/core.js';
import { isReader, listFiles, type Model, type ModelFile } from '../shared/model.js';
import { byName, optionText, sideFiles } from '../shared/option-text.js';
import type { Options, SideFile } from '../shared/options.js';
import { readPlaces } from '../shared/place-list.js';
import type { ThreadOptions } from '../shared/places.js';
import { textsOf } from '../shared/texts-by-kind.js';
import { typed } from '../shared/typed.js';
import { received } from '../shared/verification.js';
import { Turns, unlessAborted } from '../shared/waiting.js';
import type { BrowserResult, Job, Outcome, Reply } from './browser-job.js';
import type { SandboxJob } from './extension-worker.js';
import { admitted } from './gate.js';
import { asBlob, gatherFiles } from './model-files.js';
import { setPlaces, type Places } from './places.js';
import { receiver } from './receiver.js';
import { prepareSandbox, Sandbox, typeScriptText } from './sandbox.js';
import { coreBytes, endIdle, giveBack, prepareWorkers, takeWorker } from './workers.js';
import { msg } from '../shared/msg.js';

export type {
  CompareOptions, Comparison, Controls, DeclaredOutput, Difference, DifferenceKind, FirstFacts, InspectControls, Inspection, IrGraph, IrNode, LogLine, PlaceNode, Port, Preparation, Progress, Report, Result,
  ResultFile, Verification, VerifyOptions, WeightRow, WeightSizes,
} from '../shared/api.js';
export type { CommandLine, CompanionFiles, Environment, FoundModel, FoundModels } from '../shared/core.js';
export { CONFIGURATIONS } from '../shared/configurations.js';
export { FORMATS, type Format, type Framework } from '../shared/formats.js';
export { MoError, type Message } from '../shared/messages.js';
export type { Bytes, BytesWithPath, FileWithPath, HostReader, Model, ModelFile, ModelFiles } from '../shared/model.js';
export { OPTION_ROWS, type OptionRow } from '../shared/option-rows.js';
export type { ByName, Dimension, Layouts, Options, Shapes, SideFile, Texts, Values } from '../shared/options.js';
export type { ThreadOptions } from '../shared/places.js';
export type { ExtensionRoot } from '../../extension/load/loader.js';
export type { BrowserResult } from './browser-job.js';
export { parseCommandLine } from './command-line.js';
export type { Places, TrustedTypes } from './places.js';

/**
 * Loads what convert() needs before its first call, so that it starts at once, even without a network.
 *
 * @throws {MoError} when a part cannot be loaded.
 *
 * @example
 * ```js
 * import { prepare } from '@mo/wasm';
 *
 * await prepare({ distUrl: '/mo/' }); // a copy of the package's folder dist/
 * ```
 */
export async function prepare(places: Places = {}): Promise<void> {
  return typed(undefined, async () => {
    setPlaces(places);
    await Promise.all([prepareWorkers(), ...(typeof document === 'undefined' ? [] : [prepareSandbox()])]);
  });
}

/** Options of a conversion in browsers, in addition to those of the command line. */
export interface BrowserOptions extends Options, Places, ThreadOptions {
  /** Folders of extensions, or the texts of modules by path: `{ 'front/onnx/mish.js': '…' }`. */
  extensions?: readonly ExtensionRoot[] | Readonly<Record<string, string>> | undefined;
}

/**
 * Converts a model in a Web Worker. The `.bin` refers to the model's files: unchanged weights are read only when the `.bin` is read. With
 * extensions the worker has no origin: their code has no access to network or storage.
 *
 * @throws {MoError} when the model cannot be converted.
 *
 * @example
 * ```js
 * import { convert } from '@mo/wasm';
 *
 * const [file] = document.querySelector('input').files;
 * const { xml, bin } = await convert(file, { compress_to_fp16: true }, { onProgress: ({ phase }) => console.log(phase) });
 * const addresses = [new Blob([xml]), bin].map((blob) => URL.createObjectURL(blob));
 * console.log(addresses);
 * ```
 */
export async function convert(model: Model, options: BrowserOptions = {}, controls: Controls = {}): Promise<BrowserResult> {
  const { result } = await run('convert', model, options, controls);
  return { ...result, ...textsOf(result.sideFiles) };
}

/**
 * What a model is, and what prevents its conversion: the first steps of convert(), in the same worker. No shape is inferred and no
 * weight is read.
 *
 * @throws {MoError} when the model cannot be loaded at all, or an option cannot be read.
 *
 * @example
 * ```js
 * import { inspect } from '@mo/wasm';
 *
 * const [file] = document.querySelector('input').files;
 * const { format, inputs, messages } = await inspect(file);
 * console.log(format, inputs, messages.map(({ text }) => text));
 * ```
 */
export async function inspect(model: Model, options: BrowserOptions = {}, controls: InspectControls = {}): Promise<Inspection> {
  const { inspection } = await run('inspect', model, options, controls);
  return inspection;
}

/**
 * The nodes at which `input` and `output` can cut a model, in its order: without constants, inputs, and what is in bodies. It takes about half
 * the time of inspect().
 *
 * @throws {MoError} when the model cannot be loaded.
 *
 * @example
 * ```js
 * import { listPlaces } from '@mo/wasm';
 *
 * const [file] = document.querySelector('input').files;
 * for (const { name } of await listPlaces(file)) console.log(name);
 * ```
 */
export async function listPlaces(model: Model, options: BrowserOptions = {}, controls: Controls = {}): Promise<readonly PlaceNode[]> {
  // Extensions change nothing before the model is loaded.
  const { places } = await run('places', model, options, controls);
  return readPlaces(places);
}

/**
 * Verifies an IR: what is wrong with it, and what it is. The `.bin` is looked for among the files given; only its size is asked for. With
 * `graph` the graph is described, too.
 *
 * @throws {MoError} when it is no IR, or cannot be read.
 *
 * @example
 * ```js
 * import { verify } from '@mo/wasm';
 *
 * const [xml, bin] = document.querySelector('input').files;
 * const { messages } = await verify({ main: xml, files: [bin] });
 * console.log(messages.length === 0 ? 'nothing is wrong' : messages);
 * ```
 */
export async function verify(ir: Model, options: VerifyOptions & Places & ThreadOptions = {}, controls: Controls = {}): Promise<Verification> {
  return typed(controls, async (watched) => {
    const { graph, worker = true, ...places } = checkedOwn(options, ['graph']);
    setPlaces(places);
    const job: Job = { kind: 'verify', ...(await gatherFiles(ir, watched.signal)), graph: graph === true, options: [], stop: undefined };
    return received((await runIrs(job, job.files, worker, watched) as Finished['verify']).verification);
  });
}

/**
 * What differs between two IRs: `mo --compare`. With `hash` the contents of their constants are compared, which reads the `.bin` of both.
 *
 * @throws {MoError} when one of them is no IR, or cannot be read.
 *
 * @example
 * ```js
 * import { compare } from '@mo/wasm';
 *
 * const [before, after] = document.querySelector('input').files;
 * const { differences } = await compare(before, after);
 * console.log(differences);
 * ```
 */
export async function compare(a: Model, b: Model, options: CompareOptions & Places & ThreadOptions = {}, controls: Controls = {}): Promise<Comparison> {
  return typed(controls, async (watched) => {
    const { hash, worker = true, ...places } = checkedOwn(options, ['hash']);
    setPlaces(places);
    const { main, files } = await gatherFiles(a, watched.signal);
    const other = { ...(await gatherFiles(b, watched.signal)), contents: hash === true };
    const job: Job = { kind: 'compare', main, files, other, options: [], stop: undefined };
    return (await runIrs(job, [...files, ...other.files], worker, watched) as Finished['compare']).comparison;
  }, false);
}

/** Readers of files answer in this thread only. */
async function runIrs(job: Job, files: Job['files'], worker: boolean, controls: InspectControls): Promise<Outcome> {
  const here = !worker || files.some(([, content]) => !(content instanceof Blob));
  const reply = here ? await (await import('./here.js')).runHere(job, controls) : await turns.take(() => runPlain(job, controls), controls.signal);
  if (reply.kind === 'failed') throw new MoError(reply.messages);
  return reply;
}

/**
 * A transformations configuration with the inputs and outputs of its sub-graphs in the model.
 *
 * @throws {MoError} when the model or the configuration cannot be read, or do not fit.
 *
 * @example
 * ```js
 * import { updateConfig } from '@mo/wasm';
 *
 * const [model, configuration] = document.querySelector('input').files;
 * console.log(await updateConfig(model, configuration));
 * ```
 */
export async function updateConfig(model: Model, config: SideFile, controls: Controls = {}): Promise<string> {
  const updated = await run('convert', model, { [CONFIG_UPDATE]: config } as Options, controls);
  return updated.config;
}

/**
 * Which of many files are models, and which files belong to each of them. Names tell it, and the first bytes of files where names do not: a file
 * that is only `{ path }`, with no content at hand yet, is told by its name.
 *
 * @throws {MoError} when the files cannot be read.
 *
 * @example
 * ```js
 * import { findModels } from '@mo/wasm';
 *
 * const { models } = await findModels(document.querySelector('input').files);
 * console.log(models.map(({ main }) => main));
 * ```
 */
export async function findModels(files: Iterable<ModelFile | { path: string }>, controls: Controls = {}): Promise<FoundModels> {
  return typed(controls, async (watched) => {
    const open: Job['files'] = [];
    const bare: string[] = [];
    let count = 0;
    for (const [path, content] of listFiles(files)) {
      if (content === undefined) bare.push(path);
      else open.push([path, isReader(content) ? content : asBlob(content)]);
      // The page answers meanwhile.
      if (++count % 4096 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    const listed = bare.join('\0');
    const job: Job = { kind: 'find', main: '', files: open, options: [], listed, stop: undefined };
    const here = open.some(([, content]) => !(content instanceof Blob));
    const reply = here ? await (await import('./here.js')).runHere(job, watched) : await turns.take(() => runPlain(job, watched), watched.signal);
    if (reply.kind === 'failed') throw new MoError(reply.messages);
    const { models, unread, others, recognised } = reply as Finished['find'];
    return { models, unread, recognised, others: others === '' ? [] : others.split('\0') };
  });
}

/** Workers that convert at once; further conversions wait. */
const turns = new Turns(Math.max(2, globalThis.navigator?.hardwareConcurrency ?? 2));

interface Finished {
  convert: Extract<Reply, { kind: 'done' }>;
  inspect: Extract<Reply, { kind: 'inspected' }>;
  places: Extract<Reply, { kind: 'places' }>;
  find: Extract<Reply, { kind: 'found' }>;
  verify: Extract<Reply, { kind: 'verified' }>;
  compare: Extract<Reply, { kind: 'compared' }>;
}

function run<Kind extends Job['kind']>(kind: Kind, model: Model, given: BrowserOptions, watched: InspectControls): Promise<Finished[Kind]> {
  return typed(watched, async (controls) => {
    const { signal } = controls;
    signal?.throwIfAborted();
    const { extensions, worker = true, distUrl, wasmUrl, wasmModule, wasmBinary, workerUrl, extensionFrame, trustedTypes, ...options } = checkedOptions(given);
    setPlaces({ distUrl, wasmUrl, wasmModule, wasmBinary, workerUrl, extensionFrame, trustedTypes });
    const roots = kind === 'places' ? [] : rootsOf(extensions);
    const { main, files } = await gatherFiles(model, signal);
    const here = !worker || files.some(([, content]) => !(content instanceof Blob));
    if (here && roots.length > 0) throw badOption(msg`extensions need a worker`, 'leave out worker: false, and give the model without a reader');
    // A text may be a name among the model's files.
    const { named, rest } = byName(options, files);
    for (const [name, file] of sideFiles(rest)) files.push([name, asBlob(file)]);
    const texts = [...optionText(rest, main), ...named];
    const job = { kind, main, files, options: texts, stop: undefined };
    const reply = here ? await (await import('./here.js')).runHere(job, controls)
      : await turns.take(() => (roots.length > 0 ? runSandboxed(job, roots, controls) : runPlain(job, controls)), signal);
    if (reply.kind === 'failed') throw new MoError(reply.messages);
    return reply as Finished[Kind];
  });
}

function rootsOf(extensions: BrowserOptions['extensions']): readonly ExtensionRoot[] {
  if (!areGiven(extensions)) return [];
  if (Array.isArray(extensions)) return extensions as readonly ExtensionRoot[];
  const files = modulesOf(extensions);
  return files.length > 0 ? [{ name: 'extension', files }] : [];
}

/** How often a worker may have no memory for its core, and how long the browser takes to free that of workers that have ended, in milliseconds. */
const TRIES = 3;
const TO_FREE = 300;

/** Runs the job in a worker that is kept for the next conversion. */
async function runPlain(job: Job, controls: InspectControls): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const reply = await runOnce(job, controls);
    if (reply.kind !== 'failed' || !reply.idle || tries === TRIES) return reply;
    endIdle();
    await unlessAborted(new Promise((resolve) => setTimeout(resolve, TO_FREE)), controls.signal);
  }
}

async function runOnce(job: Job, controls: InspectControls): Promise<Outcome> {
  const stop = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const taken = takeWorker();
  const worker = await unlessAborted(taken, controls.signal).catch((error: unknown) => {
    void taken.then(giveBack, () => undefined);
    throw error;
  });
  const reply = await outcome(worker, worker, controls, (answer) => answer as Reply, () => {
    // Chromium gives a busy worker two seconds to end by itself: the flag makes it end at once.
    if (stop) Atomics.store(stop, 0, 1);
    worker.terminate();
  }, () => worker.postMessage({ ...job, stop }));
  if (reply.kind === 'failed' && reply.broken) worker.terminate();
  else giveBack(worker);
  return reply;
}

/** Runs the job in a separate worker, which ends with the conversion. */
async function runSandboxed(job: Job, extensions: readonly ExtensionRoot[], controls: InspectControls): Promise<Outcome> {
  const isTypeScript = extensions.some(({ files }) => files.some(([path]) => path.endsWith('ts')));
  const started = Promise.all([coreBytes(), Sandbox.start(), isTypeScript ? typeScriptText() : undefined]);
  const [core, sandbox, typeScript] = await unlessAborted(started, controls.signal).catch((error: unknown) => {
    void started.then(([, late]) => late.end(), () => undefined);
    throw error;
  });
  try {
    const { port, failed } = sandbox;
    return await outcome(port, failed, controls, admitted, () => sandbox.end(), () => {
      port.start();
      failed.start();
      port.postMessage({ core, job, extensions, typeScript } satisfies SandboxJob);
    });
  } finally {
    sandbox.end();
  }
}

/** The worker's result for the job. `admit` gives or refuses each of its answers. A rejection means that the worker has ended. */
function outcome(
  replies: EventTarget, failures: EventTarget, controls: InspectControls, admit: (answer: unknown) => Reply, end: () => void, start: () => void,
): Promise<Outcome> {
  const listening = new AbortController();
  const result = new Promise<Outcome>((resolve, reject) => {
    const give = (reason: unknown) => {
      end();
      reject(reason);
    };
    const watched = guarded(controls, give);
    const { signal } = watched;
    const receive = receiver(watched);
    const until = { signal: listening.signal };
    const stopped = (text: string) => give(new MoError(messagesOf(errorOf(text), (said) => msg`the worker stopped: ${said}`)));
    replies.addEventListener('message', (event) => {
      let reply: Reply;
      try {
        reply = admit((event as MessageEvent<unknown>).data);
      } catch (error) {
        return give(error);
      }
      const last = receive(reply);
      if (last) resolve(last);
    }, until);
    failures.addEventListener('error', (event) => stopped((event as ErrorEvent).message), until);
    replies.addEventListener('messageerror', () => stopped('its answer cannot be read'), until);
    if (failures !== replies) failures.addEventListener('message', (event) => stopped(String((event as MessageEvent<unknown>).data)), until);
    signal?.addEventListener('abort', () => give(signal.reason), until);
    start();
  });
  return result.finally(() => listening.abort());
}

/** The error that a worker has reported, whose text begins with its name. */
function errorOf(text: string): Error {
  const [, name = 'Error'] = /^(?:Uncaught )?(\w+Error): /.exec(text) ?? [];
  return Object.assign(new Error(text), { name });
}
