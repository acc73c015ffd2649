const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A size for people: `14.2 MB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power]}`;
}

/** A duration for people: `0.42 s`, `1 min 5 s`. */
export function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** The ending of a file's name, with its dot: `.xml`. */
export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** A count with its noun: `1 output`, `3 outputs`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
