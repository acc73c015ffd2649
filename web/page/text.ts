import { LiveText, numberText, t } from '../language/texts.js';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A size for people: `14.2 MB`. */
export function bytesText(bytes: number): LiveText {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  if (power === 0) return t('{size} bytes', { size: fixed(bytes, 0) });
  const value = bytes / 1000 ** power;
  const size = fixed(value, value >= 100 ? 0 : 1);
  return new LiveText(() => `${size} ${UNITS[power]}`);
}

/** A duration for people: `0.42 s`, `1 min 5 s`. */
export function timeText(milliseconds: number): LiveText {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return t('{seconds} s', { seconds: fixed(seconds, seconds < 10 ? 2 : 1) });
  return t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: Math.round(seconds % 60) });
}

function fixed(value: number, digits: number): LiveText {
  return numberText(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** The ending of a file's name, with its dot: `.xml`. */
export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}
