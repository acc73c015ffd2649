/** Numbers of a prototxt, which are settings that somebody has typed. */
import { coarse } from '../setting.js';

const WHOLE = /^-?(?:0[xX][\da-fA-F]{1,16}|\d{1,19})$/;
const REAL = /^-?(?:\d|\.\d)/;
/** A list of more real numbers is weights; one of more whole numbers, too. */
const [MOST_REAL, MOST_WHOLE] = [64, 1024];

export function isNumber(word: string): boolean {
  return REAL.test(word);
}

/** Whether it is 1/n as precisely as the core reads it: people type some digits of 1/3 and 1/255. */
function isReciprocal(value: number): boolean {
  const n = Math.round(1 / value);
  return Math.abs(n) <= 4096 && Math.fround(1 / n) === Math.fround(value);
}

/** The numbers of one message: those of a field stay different where they are. */
export class Numbers {
  readonly #given = new Map<string, number>();
  readonly #made = new Map<string, Map<number, number>>();

  /** What stands for a number of a field: itself if it is whole or short, else a number of a few digits. */
  of(field: string, word: string): string {
    const count = (this.#given.get(field) ?? 0) + 1;
    this.#given.set(field, count);
    if (WHOLE.test(word)) return count > MOST_WHOLE ? '0' : word;
    if (count > MOST_REAL) return '0.5';
    const value = Number(word.replace(/f$/i, ''));
    if (Number.isNaN(value)) return '0.5';
    const made = this.#made.get(field) ?? new Map<number, number>();
    this.#made.set(field, made);
    if (coarse(value) === value || isReciprocal(value)) {
      made.set(value, value);
      return word;
    }
    for (let digits = 3; ; digits++) {
      const short = Number(value.toPrecision(digits));
      if (digits < 17 && (made.get(short) ?? value) !== value) continue;
      made.set(short, value);
      return String(short);
    }
  }
}
