import { Worker } from 'node:worker_threads';

import type { Controls } from '../shared/api.js';
import { failure, MoError } from '../shared/messages.js';
import type { Answers, Reply, Request } from './node-worker.js';
import { packageFile } from './package-file.js';
import { CALL_LIMIT, stopReason, Watch } from './watch.js';

interface Waiting {
  resolve(answer: never): void;
  reject(reason: unknown): void;
}

/** A worker thread that answers requests in order. It keeps the process alive only while a request is open. */
export class Session {
  readonly #watch: Watch;
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];

  /** `limit`: milliseconds that a call of an extension may take. */
  constructor(
    private readonly controls: Controls,
    limit = CALL_LIMIT,
  ) {
    this.#watch = new Watch(limit, (reason) => void this.close(reason));
    this.#worker = new Worker(packageFile('node/node-worker.js'), { workerData: this.#watch.memory });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#fail(stopReason(this.#watch.current, error)));
    this.#worker.on('exit', () => {
      this.#watch.end();
      this.#fail(new MoError([failure('the worker stopped')]));
    });
  }

  request<Kind extends Request['kind']>(request: Request & { kind: Kind }): Promise<Answers[Kind]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  /** Ends the worker, even if it is busy; waiting requests are rejected with `reason`. */
  async close(reason: unknown = new MoError([failure('the conversion was closed')])): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'progress') return this.controls.onProgress?.(reply.progress);
    if (reply.kind === 'log') return this.controls.onLog?.(reply.line);
    if (reply.kind === 'call') return this.#watch.name(reply);
    const { resolve, reject } = this.#waiting.shift()!;
    if (this.#waiting.length === 0) this.#worker.unref();
    if (reply.kind === 'done') resolve(reply.answer as never);
    else reject(new MoError(reply.messages));
  }

  #fail(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}
