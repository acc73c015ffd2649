import { failure, MoError, sentence } from '../shared/messages.js';
import { once } from '../shared/once.js';

/** Idle workers: one for the next conversion, and one in case that is cancelled. */
const SPARE = 2;

const idle: Worker[] = [];

/** The core as bytes: a worker without an origin cannot be given the module. */
export const coreBytes = once(fetchCore);

/** The core's module, for all workers. */
export const compileCore = once(async () => WebAssembly.compile(await coreBytes()));

/** Starts the workers for the next conversions. */
export async function prepareWorkers(): Promise<void> {
  const module = await compileCore();
  while (idle.length < SPARE) idle.push(startWorker(module));
}

export function takeWorker(module: WebAssembly.Module): Worker {
  return idle.shift() ?? startWorker(module);
}

/** Returns a worker that has finished its job, successfully or not. */
export function giveBack(worker: Worker): void {
  if (idle.length < SPARE) idle.unshift(worker);
  else worker.terminate();
}

async function fetchCore(): Promise<ArrayBuffer> {
  try {
    const response = await fetch(new URL('../shared/core.wasm', import.meta.url));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return await response.arrayBuffer();
  } catch (error) {
    throw new MoError([failure(`core.wasm could not be loaded: ${sentence(error)}`)]);
  }
}

function startWorker(module: WebAssembly.Module): Worker {
  const worker = new Worker(new URL('./browser-worker.js', import.meta.url), { type: 'module' });
  worker.postMessage(module);
  return worker;
}
