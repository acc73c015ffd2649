import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { failure, MoError, sentence, type Message } from '../shared/messages.js';

/** Pieces to write, and where to. */
export interface F16Job {
  /** The path of the file, which exists. */
  target: string;
  /** The files that pieces refer to; those of which they need nothing are undefined. */
  files: (readonly [name: string, content: number | Uint8Array | undefined])[];
  /** Of F16Pieces.share(). */
  pieces: [table: Float64Array, memory: SharedArrayBuffer];
}

/** Empty if all went well. */
export interface F16Outcome {
  messages?: readonly Message[];
  /** Of the system, which could not write. */
  refusal?: { message: string; errno: number | undefined };
}

/** Bytes of f32 for which the second thread is worth its start. */
export const WORTH_A_THREAD = 128 << 20;

/**
 * Stores weights as f16 beside the thread that owns this: a large model is written in three quarters of the time. It takes some milliseconds to start, so who
 * knows before the conversion that there will be much to do starts it then. Without a second processor it does nothing.
 */
export class SecondThread {
  #worker: Worker | undefined;
  #ended: Promise<never> | undefined;

  /** `module`: of the core. `place`: of f16-worker.js. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly place: URL,
  ) {}

  start(): void {
    if (this.#worker || availableParallelism() < 2) return;
    try {
      const worker = new Worker(this.place, { execArgv: [] });
      worker.postMessage({ module: this.module });
      worker.unref();
      this.#ended = new Promise<never>((_, reject) => {
        const fail = (why: string): void => reject(new MoError([failure(`the second thread stopped: ${why}`)]));
        worker.on('error', (error) => fail(sentence(error)));
        worker.on('exit', (code) => fail(`exit code ${code}`));
      });
      this.#ended.catch(() => undefined);
      this.#worker = worker;
    } catch {
      // A process may forbid it.
    }
  }

  /** Resolves when it has come to the end of the pieces; rejects with what one of them failed with, or if the thread stopped. */
  async write(job: F16Job): Promise<void> {
    this.start();
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    const answered = new Promise<F16Outcome>((resolve) => worker.once('message', resolve));
    worker.postMessage(job);
    try {
      const { messages, refusal } = await Promise.race([answered, this.#ended!]);
      if (messages) throw new MoError(messages);
      if (refusal) throw Object.assign(new Error(refusal.message), { errno: refusal.errno });
    } finally {
      worker.unref();
    }
  }

  end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
