import { dirname } from 'node:path';
import { execArgv, pid } from 'node:process';
import { Worker } from 'node:worker_threads';

import type { InspectControls } from '../shared/api.js';
import { guarded } from '../shared/callbacks.js';
import { failure, lacksMemory, MoError, notStarted, sentence } from '../shared/messages.js';
import type { Answers, Request } from './answering.js';
import { removeDrafts } from './draft.js';
import type { Reply, Start } from './node-worker.js';
import { noRoom, requireThreadRoom } from './room.js';
import { CALL_LIMIT, stopReason, Watch } from './watch.js';
import { msg } from '../shared/msg.js';

/** Answers requests in order. */
export interface Answerer {
  request<Kind extends Request['kind']>(request: Request & { kind: Kind }): Promise<Answers[Kind]>;
  /** Ends it; waiting requests are rejected with `reason`. */
  close(reason?: unknown): Promise<void>;
  /** Whether its core has started. If it has not for lack of memory, that may be there when others have ended. */
  readonly hasBegun: boolean;
  /** Whether what it has converted is gone. */
  readonly isLost: boolean;
}

interface Waiting {
  resolve(answer: never): void;
  reject(reason: unknown): void;
}

/** A worker thread. It keeps the process alive only while a request is open. */
export class Session implements Answerer {
  readonly #watch: Watch;
  readonly #worker: Worker;
  readonly #thread: number;
  readonly #waiting: Waiting[] = [];
  /** Folders in which there may be a draft when it ends early. */
  readonly #writesTo = new Set<string>();
  #controls: InspectControls = {};
  #ended: { reason: unknown } | undefined;
  #usable = true;
  #hasBegun = false;
  #tellStarted!: () => void;
  /** Resolves when its core has started, or never will. */
  readonly started = new Promise<void>((resolve) => (this.#tellStarted = resolve));
  #isLost = false;
  #heap = 0;

  /** `limit`: milliseconds that a call of an extension may take. */
  constructor(
    /** Its script. */
    readonly place: URL,
    /** The core that it runs. */
    readonly module: WebAssembly.Module,
    limit = CALL_LIMIT,
  ) {
    this.#watch = new Watch(limit, (reason) => void this.close(reason));
    this.#worker = startWorker(place, this.#watch.memory);
    this.#thread = this.#worker.threadId;
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#fail(stopReason(this.#watch.current, error)));
    this.#worker.on('messageerror', (error) => void this.close(stopReason(undefined, error)));
    this.#worker.on('exit', () => {
      this.#watch.end();
      for (const folder of this.#writesTo) removeDrafts(folder, pid, this.#thread);
      this.#fail(new MoError([failure(msg`the worker stopped`)]));
    });
    this.#worker.postMessage({ module } satisfies Start);
  }

  /** Whether it can do another conversion, unaffected by those before. */
  get usable(): boolean {
    return this.#usable;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** The bytes of its core's memory. */
  get heap(): number {
    return this.#heap;
  }

  /** Sets the controls of the next conversion. */
  serve(controls: InspectControls): void {
    this.#controls = guarded(controls, (reason) => void this.close(reason));
  }

  request<Kind extends Request['kind']>(request: Request & { kind: Kind }): Promise<Answers[Kind]> {
    // Code of extensions may leave changes in the worker, so this is its last conversion.
    const last = 'extensions' in request && request.extensions.length > 0;
    if (this.#ended) return Promise.reject(this.#ended.reason);
    if ('path' in request) this.#writesTo.add(dirname(request.path));
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(request);
      this.#waiting.push({ resolve, reject });
      this.#worker.ref();
      if (last) this.#usable = false;
    });
  }

  /** Ends the worker, even if it is busy. */
  async close(reason: unknown = new MoError([failure(msg`the conversion was closed`)])): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'progress') return this.#controls.onProgress?.(reply.progress);
    if (reply.kind === 'log') return this.#controls.onLog?.(reply.line);
    if (reply.kind === 'facts') return this.#controls.onFacts?.(reply.facts);
    if (reply.kind === 'call') return this.#watch.name(reply);
    if (reply.kind === 'begun') {
      this.#hasBegun = true;
      return this.#tellStarted();
    }
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    if (this.#waiting.length === 0) {
      this.#worker.unref();
      this.#writesTo.clear();
    }
    if (reply.kind === 'done') {
      this.#heap = reply.heap;
      waiting.resolve(reply.answer as never);
    } else {
      if (reply.broken) {
        this.#usable = false;
        this.#isLost = true;
        this.#tellStarted();
      }
      const reason = new MoError(reply.messages);
      waiting.reject(this.#hasBegun || !lacksMemory(reason) ? reason : noRoom(reason));
    }
  }

  #fail(reason: unknown): void {
    this.#ended ??= { reason };
    this.#usable = false;
    this.#isLost = true;
    this.#tellStarted();
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}

/** Without --input-type, which is for a program that is no file: a worker does not start with it. */
function workerArguments(given: readonly string[]): { execArgv?: string[] } {
  const others = given.filter((argument, at) => !/^--input[-_]type(?:=|$)/.test(argument) && !/^--input[-_]type$/.test(given[at - 1] ?? ''));
  // Arguments of V8, which a worker has from the process, must not be named.
  return others.length === given.length ? {} : { execArgv: others };
}

function startWorker(place: URL, workerData: Int32Array): Worker {
  requireThreadRoom();
  try {
    return new Worker(place, { workerData, ...workerArguments(execArgv) });
  } catch (error) {
    if (lacksMemory(error)) throw noRoom(error);
    throw notStarted(msg`the worker ${place.href}: ${sentence(error)}`);
  }
}
