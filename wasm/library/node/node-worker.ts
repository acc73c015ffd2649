/** The worker of the Node library: answers the requests of one conversion after the other. */
import { stderr, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';

import { heapOf, isBroken, judged, refuseLack, startCore, type Core } from '../shared/core.js';
import type { Message } from '../shared/messages.js';
import { Answering, type Answers, type Event, type Request } from './answering.js';
import { lockDown } from './lock-down.js';
import { printBy } from './printed.js';
import { SecondThread } from './second-thread.js';
import { reportCalls, type CallMessage } from './watch.js';

/** The first message: the core's module. */
export interface Start {
  module: WebAssembly.Module;
}

export type Reply =
  | Event
  | CallMessage
  | { kind: 'done'; answer: Answers[keyof Answers]; heap: number }
  /** The core has started. */
  | { kind: 'begun' }
  /** `broken`: the state of the worker is unknown, so it must not be used again. */
  | { kind: 'failed'; messages: readonly Message[]; broken: boolean };

let started: ReturnType<typeof begin> | undefined;

async function begin({ module }: Start) {
  const core = await startCore(module);
  send({ kind: 'begun' });
  const watcher = reportCalls(workerData as Int32Array, send);
  return { core, answering: new Answering(core, send, watcher, undefined, new SecondThread(module, new URL('./f16-worker.js', import.meta.url))) };
}

function send(reply: Reply, transfer: ArrayBuffer[] = []): void {
  parentPort!.postMessage(reply, transfer);
}

parentPort!.on('message', async (request: Start | Request) => {
  if ('module' in request) return void (started = begin(request));
  let core: Core | undefined;
  try {
    const { answering } = ({ core } = await started!);
    if ('extensions' in request && request.extensions.length > 0) {
      printBy((isError, text) => (isError ? stderr : stdout).write(text));
      lockDown();
    }
    const answer = await answering.answer(request);
    refuseLack(core);
    send({ kind: 'done', answer, heap: heapOf(core) }, answer instanceof Uint8Array ? [answer.buffer] : []);
  } catch (error) {
    const messages = judged(core, error);
    send({ kind: 'failed', messages, broken: !core || isBroken(core) });
  }
});
