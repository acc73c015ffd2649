import type { InspectControls } from './api.js';
import { checkedControls } from './given.js';
import { messagesOf, MoError } from './messages.js';

/** The result of `work`. It throws only a MoError, or the reason of the signal. `isThird`: see checkedControls(). */
export async function typed<T, Given extends InspectControls>(given: Given | null | undefined, work: (controls: Given) => Promise<T>, isThird = true): Promise<T> {
  try {
    return await work(checkedControls(given, isThird));
  } catch (error) {
    const { signal } = given ?? {};
    if (error instanceof MoError || (signal?.aborted && error === signal.reason)) throw error;
    throw new MoError(messagesOf(error), { cause: error });
  }
}
