/** Protobuf's wire format, read where it lies in a file of any size, and written. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../messages.js';

/** So many bytes are read from the file at once. */
const WINDOW = 1 << 18;

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

/** What is no message of protobuf ends with MO1005. */
export class Wire {
  #window: Uint8Array<ArrayBuffer> = new Uint8Array();
  #at = 0;

  constructor(private readonly file: Blob) {}

  get whole(): Range {
    return { begin: 0, end: this.file.size };
  }

  async bytes({ begin, end }: Range): Promise<Uint8Array<ArrayBuffer>> {
    if (begin < this.#at || end > this.#at + this.#window.length) {
      this.#window = new Uint8Array(await this.file.slice(begin, Math.max(end, begin + WINDOW)).arrayBuffer());
      this.#at = begin;
    }
    return this.#window.slice(begin - this.#at, end - this.#at);
  }

  /** The fields of the message in that range, in order. */
  async *fields({ begin, end }: Range): AsyncGenerator<Field> {
    for (let at = begin; at < end; ) {
      const tag = await this.#varint(at, end);
      const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
      const field = await this.#content(wire, tag.end, end);
      if (field.end > end) throw damaged(at);
      yield { number, wire, tag: at, ...field };
      at = field.end;
    }
  }

  async number(range: Range): Promise<number> {
    return (await this.#varint(range.begin, range.end)).value;
  }

  /** The numbers of a repeated field: one of them, or all as one content. */
  async *numbers({ wire, begin, end }: Field): AsyncGenerator<number> {
    for (let at = begin; at < end; ) {
      const { value, end: next } = await this.#varint(at, end);
      yield value;
      if (wire === 0) return;
      at = next;
    }
  }

  async text(range: Range): Promise<string> {
    return new TextDecoder().decode(await this.bytes(range));
  }

  async #content(wire: number, begin: number, end: number): Promise<Range> {
    if (wire === 0) return { begin, end: (await this.#varint(begin, end)).end };
    if (wire === 1 || wire === 5) return { begin, end: begin + (wire === 1 ? 8 : 4) };
    if (wire !== 2) throw damaged(begin);
    const size = await this.#varint(begin, end);
    return { begin: size.end, end: size.end + size.value };
  }

  /** Numbers above 2^53 are not exact: they are only compared with sizes. */
  async #varint(begin: number, end: number): Promise<{ value: number; end: number }> {
    const bytes = await this.bytes({ begin, end: Math.min(begin + 10, end) });
    let value = 0;
    for (const [index, byte] of bytes.entries()) {
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return { value, end: begin + index + 1 };
    }
    throw damaged(begin);
  }
}

function damaged(at: number): MoError {
  return new MoError([pageMessage('MO1005', `byte ${at}`, 'fetch or export the model again')]);
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
export function field(number: number, content: number | string | Uint8Array): Uint8Array {
  if (typeof content === 'number') return concat([varint(number * 8), varint(content)]);
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Uint8Array.from([...bytes, value]);
}
