/** Ends extensions that do not come to an end. The worker notes what it calls in memory that the other thread sees. */
import type { Watcher } from '../../extension/core/failure.js';
import { failure, hintOf, messagesOf, MoError, sentence } from '../shared/messages.js';
import { msg, withDetail } from '../shared/msg.js';

/** Milliseconds that a call of an extension may take; the same as in the native command. */
export const CALL_LIMIT = 60_000;

/** The name of a call; sent before the first call with this name. */
export interface CallMessage {
  kind: 'call';
  id: number;
  what: string;
}

/** Places in the memory: how many calls there were, and which one is running, 0 for none. */
const [COUNT, RUNNING] = [0, 1];

/** For the worker: notes calls in `memory`, and sends their names. */
export function reportCalls(memory: Int32Array, send: (message: CallMessage) => void): Watcher {
  const ids = new Map<string, number>();
  return {
    begin(what) {
      let id = ids.get(what);
      if (id === undefined) {
        ids.set(what, (id = ids.size + 1));
        send({ kind: 'call', id, what });
      }
      Atomics.add(memory, COUNT, 1);
      Atomics.store(memory, RUNNING, id);
    },
    end: () => void Atomics.store(memory, RUNNING, 0),
  };
}

/** For the thread that owns the worker: calls `stop` when a call has taken more than `limit` milliseconds. */
export class Watch {
  readonly memory = new Int32Array(new SharedArrayBuffer(8));
  readonly #names = new Map<number, string>();
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  #since = performance.now();

  constructor(limit: number, stop: (reason: MoError) => void) {
    this.#timer = setInterval(() => {
      const count = Atomics.load(this.memory, COUNT);
      if (count !== this.#count || Atomics.load(this.memory, RUNNING) === 0) {
        this.#count = count;
        this.#since = performance.now();
      } else if (performance.now() - this.#since > limit) {
        this.end();
        stop(stopReason(this.current, new Error(`it was stopped after ${limit / 1000} seconds`)));
      }
    }, Math.min(limit / 4, 500));
    this.#timer.unref();
  }

  name({ id, what }: CallMessage): void {
    this.#names.set(id, what);
  }

  /** The name of the running call. */
  get current(): string | undefined {
    return this.#names.get(Atomics.load(this.memory, RUNNING));
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Why a worker stopped: because of the extension that was running, if one was. */
export function stopReason(running: string | undefined, error: unknown): MoError {
  if (running === undefined) return new MoError(messagesOf(error, (text) => msg`the worker stopped: ${text}`));
  const memory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  const why = memory ? msg`it needs too much memory` : msg`${sentence(error)}`;
  const message = failure(withDetail('an extension failed', msg`${running}: ${why}`));
  return new MoError([{ ...message, code: 'MO4004', ...hintOf('correct the extension; the message comes from it') }]);
}
