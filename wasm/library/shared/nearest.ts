/** The candidate that is spelt almost like the text: at most two letters lack, are too many or differ, as in the core's suggestions. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const given = text.toLowerCase();
  let best: string | undefined;
  let least = Math.min(3, Math.max(2, given.length));
  for (const candidate of candidates) {
    const distance = distanceOf(given.slice(0, 64), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
