import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { failure, messagesOf, MoError, type Message } from '../shared/messages.js';
import type { Place } from './archive/bytes.js';
import { requireRoom } from './room.js';
import { msg } from '../shared/msg.js';

/** Pieces to write, and where to. */
export interface F16Job {
  /** The path of the file, which exists. */
  target: string;
  /** The files that pieces refer to. The content of a file that no piece needs is undefined. */
  files: (readonly [name: string, content: number | Uint8Array | Place | undefined])[];
  /** From F16Pieces.share(). */
  pieces: [table: Float64Array, memory: SharedArrayBuffer];
}

/** Empty if all went well. */
export interface F16Outcome {
  messages?: readonly Message[];
  /** The system's error, if the file could not be written. */
  refusal?: { message: string; errno: number | undefined };
}

/** Other threads may start at the same time, and each takes 10 GB of addresses, so under a limit this thread needs much more than its own. */
const AMPLE = 32 * 2 ** 30;

/** Bytes of f32 for which the second thread is worth its start. */
export const WORTH_A_THREAD = 128 << 20;

/**
 * Stores weights as f16 beside the thread that owns this: a large model is written in three quarters of the time. It takes some
 * milliseconds to start, so a caller that expects much work starts it before the conversion. Without a second processor it does nothing.
 */
export class SecondThread {
  #worker: Worker | undefined;
  #ended: Promise<never> | undefined;

  /** `module` is that of the core, `place` the URL of f16-worker.js. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly place: URL,
  ) {}

  start(): void {
    if (this.#worker || availableParallelism() < 2) return;
    try {
      requireRoom(AMPLE);
      const worker = new Worker(this.place, { execArgv: [] });
      worker.postMessage({ module: this.module });
      worker.unref();
      this.#ended = new Promise<never>((_, reject) => {
        worker.on('error', (error) => reject(new MoError(messagesOf(error, (text) => msg`the second thread stopped: ${text}`))));
        worker.on('messageerror', (error) => reject(new MoError(messagesOf(error, (text) => msg`the second thread stopped: ${text}`))));
        worker.on('exit', (code) => reject(new MoError([failure(msg`the second thread stopped: exit code ${code}`)])));
      });
      this.#ended.catch(() => undefined);
      this.#worker = worker;
    } catch {
      // The process may not be allowed to start threads. Then its own thread writes everything.
    }
  }

  /** Resolves when no piece is left, or at once if there is no thread. Rejects with the error of a piece, or if the thread stopped. */
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
