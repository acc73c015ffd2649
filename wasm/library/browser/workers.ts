import { fileMissing, notStarted, sentence } from '../shared/messages.js';
import { once } from '../shared/once.js';
import { SECONDS_TO_START, within } from '../shared/waiting.js';
import { fetchCore } from './core-bytes.js';
import { givenModule, workerUrl } from './places.js';
import { trustedUrl } from './trusted.js';
import { msg } from '../shared/msg.js';

/** Idle workers: one for the next conversion, and one more in case that conversion is cancelled. */
const SPARE = 2;

const idle: Worker[] = [];

/** The core as bytes: a worker without an origin cannot be given the module. */
export const coreBytes = once(fetchCore);

/** The core's module, for all workers. */
export const compileCore = once(async () => {
  const given = await givenModule();
  if (given) return given;
  const bytes = await coreBytes();
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw fileMissing(msg`core.wasm: ${sentence(error)}`);
  }
});

/** Starts the workers for the next conversions. */
export async function prepareWorkers(): Promise<void> {
  const starting = Array.from({ length: SPARE - idle.length }, startWorker);
  // The first one started is the first one taken.
  for (const worker of (await Promise.all(starting)).reverse()) giveBack(worker);
}

/** @throws {MoError} when none can be started. */
export async function takeWorker(): Promise<Worker> {
  return idle.shift() ?? startWorker();
}

/** Ends all idle workers. */
export function endIdle(): void {
  for (const worker of idle.splice(0)) worker.terminate();
}

/** Returns a worker that has finished its job, successfully or not. */
export function giveBack(worker: Worker): void {
  if (idle.length < SPARE) idle.unshift(worker);
  else worker.terminate();
}

async function startWorker(): Promise<Worker> {
  const module = await compileCore();
  const url = workerUrl();
  const worker = await ready(url ? () => makeWorker(url) : makeBundledWorker, url?.href ?? '@mo/wasm/worker');
  worker.postMessage(module);
  return worker;
}

/** Bundlers look for exactly this text, so no Trusted Types policy can come between: pages with one give `workerUrl`. */
function makeBundledWorker(): Worker {
  return new Worker(new URL('@mo/wasm/worker', import.meta.url), { type: 'module' });
}

/** Browsers start only workers of the page's own origin. For one elsewhere the page makes a module of one line, which imports it. */
function makeWorker(url: URL): Worker {
  // On a page that was opened as a file, no module may be loaded, not even one of the page's own making.
  if (url.protocol === 'blob:') return new Worker(trustedUrl(url));
  if (url.origin === location.origin) return new Worker(trustedUrl(url), { type: 'module' });
  const text = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' }));
  const worker = new Worker(trustedUrl(text), { type: 'module' });
  worker.addEventListener('message', () => URL.revokeObjectURL(text), { once: true });
  return worker;
}

/** A worker says that it is ready with its first message. */
async function ready(make: () => Worker, name: string): Promise<Worker> {
  let worker: Worker | undefined;
  try {
    const first = new Promise<void>((resolve, reject) => {
      worker = make();
      worker.onmessage = () => resolve();
      worker.onerror = ({ message }) => reject(notStarted(msg`the worker ${name}: ${message || msg`it cannot be loaded`}`));
    });
    await within(SECONDS_TO_START, first, () => notStarted(msg`the worker ${name} is silent for ${SECONDS_TO_START} seconds`));
  } catch (error) {
    worker?.terminate();
    throw error instanceof DOMException ? notStarted(msg`the worker ${name}: ${error.message}`) : error;
  }
  worker!.onmessage = worker!.onerror = null;
  return worker!;
}
