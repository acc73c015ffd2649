import { failure, MoError, sentence } from './messages.js';

/** The result of `work`. What it throws is an error of ours, or the reason of the signal. */
export async function typed<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MoError || (signal?.aborted && error === signal.reason)) throw error;
    throw new MoError([failure(sentence(error))], { cause: error });
  }
}
