/** What the work below takes, in milliseconds, on the machine for which the limits are: one with two virtual processors, and nothing else to do. */
const REFERENCE = 260;

function work(): number {
  const places = new Map<string, number>();
  for (let i = 0; i < 200_000; i++) places.set(`net/${(i * 7919) % 100}/file${(i * 104_729) % 200_000}`, i);
  return [...places.keys()].sort().length;
}

/** How much longer work takes now than there, if it does: other processes take the processor, or it is slower. */
export function slowness(): number {
  const begin = performance.now();
  work();
  return Math.max(1, (performance.now() - begin) / REFERENCE);
}
