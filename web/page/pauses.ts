/** Work on very many things, in parts between which the page answers. */

/** Milliseconds of work at a time. */
const AT_ONCE = 12;

/** A function to be awaited after each step: it waits for the page only if the work has taken long. */
export function pauses(): () => Promise<void> | undefined {
  let begin = performance.now();
  return () => {
    if (performance.now() - begin < AT_ONCE) return undefined;
    return turn().then(() => void (begin = performance.now()));
  };
}

/** Timers wait four milliseconds, messages do not. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** The items in order, as Array.prototype.sort() would leave them. Those that are in order already take little time. */
export async function sortedInParts<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = pauses();
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += 500) {
    runs.push(items.slice(at, at + 500).sort(compare));
    await pause();
  }
  for (; runs.length > 1; ) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) merged.push(index + 1 < runs.length ? await merge(runs[index]!, runs[index + 1]!, compare, pause) : runs[index]!);
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(a: T[], b: T[], compare: (a: T, b: T) => number, pause: () => Promise<void> | undefined): Promise<T[]> {
  if (compare(a.at(-1)!, b[0]!) <= 0) return a.concat(b);
  const out: T[] = [];
  let [left, right] = [0, 0];
  while (left < a.length && right < b.length) {
    out.push(compare(a[left]!, b[right]!) <= 0 ? a[left++]! : b[right++]!);
    if (out.length % 256 === 0) await pause();
  }
  return out.concat(a.slice(left), b.slice(right));
}

/** Does the work for each of the items, in order and in parts. */
export async function forEachInParts<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  const pause = pauses();
  for (const [index, item] of items.entries()) {
    work(item);
    if (index % 256 === 255) await pause();
  }
}

/** The items that fit, found in parts. */
export async function filteredInParts<T>(items: readonly T[], fits: (item: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  await forEachInParts(items, (item) => void (fits(item) && found.push(item)));
  return found;
}
