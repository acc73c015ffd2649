/** What starting a part of the converter on a page takes: an end to waiting. */

/** A module that comes over a slow network has come by then. */
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

/** Rejects with the signal's reason once that is given, whatever becomes of `work`. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  if (!signal) return work;
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal }));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}
