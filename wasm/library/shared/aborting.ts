interface Waiting {
  readonly stops: Set<{ stop: () => void }>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `stop` once the signal is aborted, unless the returned function is called before. A signal gets one listener for all conversions: Node
 * takes more than ten for a leak.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (!signal) return () => {};
  let one = waiting.get(signal);
  if (!one) waiting.set(signal, (one = newWaiting()));
  const { stops, listener } = one;
  if (stops.size === 0) signal.addEventListener('abort', listener);
  const entry = { stop };
  stops.add(entry);
  return () => {
    if (stops.delete(entry) && stops.size === 0) signal.removeEventListener('abort', listener);
  };
}

function newWaiting(): Waiting {
  const stops: Waiting['stops'] = new Set();
  return { stops, listener: () => [...stops].forEach(({ stop }) => stop()) };
}
