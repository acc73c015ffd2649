/** Limits to waiting: a time, the signal of a caller, and a number of conversions at once. */
import { onAbort } from './aborting.js';
import { bytesOf } from './model.js';

/** Enough for a module to come over a slow network. */
export const SECONDS_TO_START = 30;

/** Rejects with what `late` gives when `work` takes longer than `seconds`. */
export async function within<T>(seconds: number, work: Promise<T>, late: () => unknown): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), seconds * 1000);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with the signal's reason once it is aborted, whatever becomes of `work`. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  if (!signal) return work;
  let forget!: () => void;
  const aborted = new Promise<never>((_, reject) => (forget = onAbort(signal, () => reject(signal.reason))));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/** Lets a number of conversions run at once; the others wait, in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  async take<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    let turn!: () => void;
    const come = new Promise<void>((resolve) => this.#waiting.push((turn = resolve)));
    try {
      await unlessAborted(come, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(turn);
      if (index >= 0) this.#waiting.splice(index, 1);
      else this.#pass();
      throw error;
    }
  }
}

/** The pieces of a stream, until the signal is aborted: then the stream is closed. */
export async function* pieces(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = Symbol.asyncIterator in stream ? (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() : iterated(stream);
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(Promise.resolve(reader.next()), signal);
      if ((ended = done === true)) return;
      const piece = bytesOf(value);
      if (!piece) throw new TypeError('the stream gives something else than bytes');
      yield piece;
    }
  } finally {
    // A stream that hangs does not answer this either.
    if (!ended) void Promise.resolve(reader.return?.()).catch(() => undefined);
  }
}

/** Not every browser iterates over streams. */
function iterated(stream: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
