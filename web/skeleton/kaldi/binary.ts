/**
 * Binary files of Kaldi without weights and names. They have neither a table of offsets nor sizes of components, but between arrays, which
 * say their sizes, there are only tokens, small numbers, lists of whole numbers and config lines. What is none of that could be weights: there
 * the skeleton ends.
 */
import type { Anonymous } from '../../report/anonymous.js';
import { filled, LONGEST_HEAD, payloadIn } from './payload.js';
import { BEGINS, binaryTransitions, formOf, NUMBERS } from './transitions.js';
import { configIn, withoutNames } from './words.js';

/** The first two bytes of a binary file. */
export const MARK = '\0B';
/** So many bytes are looked through for the next array at first, and at most. */
const [FIRST, MOST] = [1 << 12, 1 << 22];
const MOST_TRANSITIONS = 1 << 26;
const TOKEN = /<ComponentName> \S{1,4096} |<[!-;=-~]{1,200}> /y;
const ARRAY = /^(?:[FD][MV]|CM[23]?) /;
/** In place of what is no part of a network. */
const GARBAGE = new Uint8Array(16).fill(255);

export async function* binarySkeleton(file: Blob, names: Anonymous): AsyncGenerator<Uint8Array> {
  let at = MARK.length;
  yield bytesOf(MARK);
  if ((await textAt(file, at, BEGINS.length)) === BEGINS) {
    const content = await upTo(file, at, NUMBERS);
    yield binaryTransitions(formOf(content));
    at += content.length;
  }
  for (let index = 0; ; index++) {
    const { gap, payload, head } = await nextOf(file, at);
    const good = recognised(gap);
    if (good < gap.length) {
      const damaged = ARRAY.test(gap.slice(good)) ? gap.slice(good, good + LONGEST_HEAD) : '';
      yield bytesOf(withoutNames(gap.slice(0, good), names) + damaged);
      if (at + good + damaged.length < file.size) yield GARBAGE;
      return;
    }
    yield bytesOf(withoutNames(gap, names));
    if (!payload) return;
    yield* filled(payload, head, index);
    at += payload.begin + payload.size;
  }
}

/** What is before the next array, and the array; without one, the rest of the file, or as much as can be before one. */
async function nextOf(file: Blob, at: number) {
  for (let size = FIRST; ; size *= 8) {
    const bytes = await bytesAt(file, at, size);
    const text = textOf(bytes);
    const payload = payloadIn(text, bytes, 0, file.size - at);
    if (payload || bytes.length < size || size >= MOST) {
      const gap = text.slice(0, payload?.begin);
      return { gap, payload, head: bytes.subarray(payload?.begin, payload && payload.begin + payload.head) };
    }
  }
}

/** How much of it are tokens, numbers and lists of whole numbers. A number and the size of a list look alike, so it may be read in several ways. */
function recognised(gap: string): number {
  const config = configIn(gap);
  const [open, seen] = [[0], new Uint8Array(gap.length + 1)];
  const intAt = (at: number) => gap.charCodeAt(at) | (gap.charCodeAt(at + 1) << 8) | (gap.charCodeAt(at + 2) << 16) | (gap.charCodeAt(at + 3) << 24);
  let furthest = 0;
  while (open.length > 0 && furthest < gap.length) {
    const at = open.pop()!;
    if (at > gap.length || seen[at]) continue;
    seen[at] = 1;
    furthest = Math.max(furthest, at);
    const byte = gap.charCodeAt(at);
    TOKEN.lastIndex = at;
    if (at === config?.begin) open.push(config.end);
    else if (byte === 60) open.push(at + (TOKEN.exec(gap)?.[0].length ?? gap.length + 1));
    else if (byte === 8 || byte === 0xf8) open.push(at + 9);
    else if ('TF \t\r\n'.includes(gap[at]!) && !ARRAY.test(gap.slice(at, at + 4))) open.push(at + 1);
    else if (byte === 4 || byte === 0xfc) {
      const count = intAt(at + 1);
      open.push(at + 5);
      if (count > 0) open.push(at + 5 + 8 * count, at + 5 + 4 * count);
    }
  }
  return furthest;
}

/** The text of bytes from there to the end of `word`; without it, all of it that is looked through. */
async function upTo(file: Blob, at: number, word: string): Promise<string> {
  for (let size = FIRST; ; size *= 8) {
    const text = await textAt(file, at, size);
    const found = text.indexOf(word);
    if (found >= 0) return text.slice(0, found + word.length);
    if (text.length < size || size >= MOST_TRANSITIONS) return text;
  }
}

const bytesAt = async (file: Blob, at: number, size: number) => new Uint8Array(await file.slice(at, at + size).arrayBuffer());
const textAt = async (file: Blob, at: number, size: number) => textOf(await bytesAt(file, at, size));
const bytesOf = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

/** A character for each byte. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
