/** Texts of Kaldi without weights and names. Arrays stand in brackets; lists of small whole numbers on one line are settings, and stay. */
import { MoError } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { SizeOverflow } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import { weightNumber } from '../setting.js';
import { BEGINS, NUMBERS, textTransitions } from './transitions.js';
import { withoutNames } from './words.js';

/** Characters between arrays, most of which are of a transition model, and of a list of settings. */
const [LONGEST, LONGEST_LIST] = [1 << 25, 1 << 16];
const WHOLE = /^(?:-?\d{1,6}(?:,-?\d{1,6})?)$/;
const OTHER = /[^-+.\deE\s;\]]/;
const NUMBER = /^[-+]?(?:[\d.][\d.eE+-]*|inf(?:inity)?|nan)$/i;

export async function* textSkeleton(file: Blob, names: Anonymous): AsyncGenerator<Uint8Array> {
  const arrays = new Arrays(names);
  const reader = file.stream().pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield new TextEncoder().encode(arrays.next(read.value));
  yield new TextEncoder().encode(arrays.end());
}

class Arrays {
  #text = '';
  #where: 'outside' | 'list' | 'array' = 'outside';
  #count = 0;

  constructor(private readonly names: Anonymous) {}

  /** What can be said of the text up to there. */
  next(text: string): string {
    this.#text += text;
    const made: string[] = [];
    for (;;) {
      const end = this.#text.indexOf(this.#where === 'outside' ? '[' : ']');
      if (this.#where === 'list' && (end >= 0 || /^[^\n]*\S[^\n]*\n/.test(this.#text) || this.#text.length > LONGEST_LIST)) {
        const isWhole = end > 0 && words(this.#text.slice(0, end)).every((word) => WHOLE.test(word)) && !this.#text.slice(0, end).includes('\n');
        if (isWhole) made.push(this.#cut(end + 1));
        this.#where = isWhole ? 'outside' : 'array';
      } else if (end >= 0) {
        const part = this.#cut(end + 1);
        made.push(this.#where === 'outside' ? this.#between(part) : this.#numbers(part));
        this.#where = this.#where === 'outside' ? 'list' : 'outside';
      } else if (this.#where === 'array') {
        // The last number may go on.
        made.push(this.#numbers(this.#cut(Math.max(0, /\S*$/.exec(this.#text)!.index))));
        break;
      } else {
        if (this.#text.length > LONGEST) throw new MoError([pageMessage(SizeOverflow, msg`the model is too large for a skeleton`, 'save it in binary')]);
        break;
      }
    }
    return made.join('');
  }

  end(): string {
    return this.#where === 'outside' ? this.#between(this.#text) : this.#numbers(this.#text);
  }

  #cut(length: number): string {
    const part = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return part;
  }

  #between(part: string): string {
    const begin = part.indexOf(BEGINS.trimEnd());
    const end = begin < 0 ? -1 : part.indexOf(NUMBERS.trimEnd(), begin);
    if (begin < 0) return withoutNames(part, this.names);
    const made = textTransitions({ tuples: part.includes('<Tuples>'), selfLoops: part.includes('<SelfLoopPdfClass>') });
    return part.slice(0, begin) + made + (end < 0 ? '' : withoutNames(part.slice(end + NUMBERS.trimEnd().length), this.names));
  }

  #numbers(part: string): string {
    const number = weightNumber('f32', this.#count).toFixed(6);
    if (part.endsWith(']')) this.#count++;
    // Most arrays have finite numbers only, and these take long.
    if (!OTHER.test(part)) return part.replace(/[-+.\deE]+/g, number);
    return part.replace(/[^\s;[\]]+/g, (word) => (NUMBER.test(word) ? number : 'text'));
  }
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
