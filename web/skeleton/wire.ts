/** Protobuf's wire format, read where it lies in a file of any size, and written. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../report/page-message.js';
import { CorruptFile, SizeOverflow } from '../report/codes.js';
import { msg } from '@mo/wasm/msg';

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
/** So many bytes are read from the file at once. */
const WINDOW = 1 << 18;
/** The most bytes of a tag and a size. */
const LONGEST_HEAD = 20;
/** The most fields of a message, and the most that are read for a skeleton. */
const MOST_FIELDS = 1 << 20;
const MOST_IN_ALL = 1 << 25;
/** After so many fields the page can do other things. */
const AT_ONCE = 1 << 16;

/** The bytes from `begin` to before `end` of a file. */
export interface Range {
  readonly begin: number;
  readonly end: number;
}

/** A field: the range of its content, and where its tag begins. */
export interface Field extends Range {
  readonly number: number;
  readonly wire: number;
  readonly tag: number;
}

/** A range that is no protobuf message ends with MO1005. */
export class Wire {
  #window: Uint8Array<ArrayBuffer> = new Uint8Array();
  #at = 0;
  #read = 0;

  constructor(private readonly file: Blob) {}

  get whole(): Range {
    return { begin: 0, end: this.file.size };
  }

  async bytes({ begin, end }: Range): Promise<Uint8Array<ArrayBuffer>> {
    if (begin < this.#at || end > this.#at + this.#window.length) await this.#load(begin, end);
    return this.#window.slice(begin - this.#at, end - this.#at);
  }

  /** The fields of the message in that range, in order. */
  async fields({ begin, end }: Range): Promise<readonly Field[]> {
    const fields: Field[] = [];
    for (let at = begin; at < end; ) {
      if (at < this.#at || Math.min(end, at + LONGEST_HEAD) > this.#at + this.#window.length) await this.#load(at, Math.min(end, at + LONGEST_HEAD));
      const field = this.#field(at, end);
      fields.push(field);
      at = field.end;
      if (++this.#read % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
      if (fields.length > MOST_FIELDS || this.#read > MOST_IN_ALL) throw new MoError([pageMessage(SizeOverflow, msg`byte ${at}`, 'the model is too large for a skeleton')]);
    }
    return fields;
  }

  async number(range: Range): Promise<number> {
    await this.bytes({ begin: range.begin, end: Math.min(range.end, range.begin + LONGEST_HEAD) });
    return this.#varint(range.begin, range.end).value;
  }

  /** The numbers of a repeated field: one number, or a packed list. */
  async numbers({ wire, begin, end }: Field): Promise<number[]> {
    const numbers: number[] = [];
    for (let at = begin; at < end && numbers.length <= MOST_FIELDS; ) {
      numbers.push(await this.number({ begin: at, end }));
      if (wire === 0) break;
      at = this.#varint(at, end).end;
    }
    return numbers;
  }

  async text(range: Range): Promise<string> {
    return DECODER.decode(await this.bytes(range));
  }

  async #load(begin: number, end: number): Promise<void> {
    this.#window = new Uint8Array(await this.file.slice(begin, Math.max(end, begin + WINDOW)).arrayBuffer());
    this.#at = begin;
  }

  #field(at: number, end: number): Field {
    const tag = this.#varint(at, end);
    const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    const content = this.#content(wire, tag.end, end);
    if (number === 0 || content.end > end) throw damaged(at);
    return { number, wire, tag: at, ...content };
  }

  #content(wire: number, begin: number, end: number): Range {
    if (wire === 0) return { begin, end: this.#varint(begin, end).end };
    if (wire === 1 || wire === 5) return { begin, end: begin + (wire === 1 ? 8 : 4) };
    if (wire !== 2) throw damaged(begin);
    const size = this.#varint(begin, end);
    return { begin: size.end, end: size.end + size.value };
  }

  /** Reads from the loaded window. Numbers above 2^53 are not exact: they are only compared with sizes. */
  #varint(begin: number, end: number): { value: number; end: number } {
    let value = 0;
    for (let index = 0; index < 10 && begin + index < end; index++) {
      const byte = this.#window[begin + index - this.#at]!;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return { value, end: begin + index + 1 };
    }
    throw damaged(begin);
  }
}

function damaged(at: number): MoError {
  return new MoError([pageMessage(CorruptFile, msg`byte ${at}`, 'fetch or export the model again')]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A field with a number, or with a text, bytes or a message. */
export function field(number: number, content: number | bigint | string | Uint8Array): Uint8Array {
  if (typeof content === 'number' || typeof content === 'bigint') return concat([varint(number * 8), varint(content)]);
  const bytes = typeof content === 'string' ? ENCODER.encode(content) : content;
  return concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** A field with a number of 4 or 8 bytes. */
export function fixed(number: number, bytes: Uint8Array): Uint8Array {
  return concat([varint(number * 8 + (bytes.length === 8 ? 1 : 5)), bytes]);
}

/** A `bigint` may be negative: its 64 bits are written. */
export function varint(value: number | bigint): Uint8Array {
  const bytes = [];
  let big = typeof value === 'bigint' ? BigInt.asUintN(64, value) : 0n;
  for (; big > 0xffff_ffffn; big >>= 7n) bytes.push(Number(big & 0x7fn) | 0x80);
  let rest = typeof value === 'bigint' ? Number(big) : value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
