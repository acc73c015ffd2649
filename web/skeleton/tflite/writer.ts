/** Writes FlatBuffers: tables by the numbers of their fields. An object stands behind the offset that refers to it. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { SizeOverflow } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const ENCODER = new TextEncoder();
/** A skeleton is no longer than that. */
const MOST = 1 << 26;
/** Elements of a vector begin at a multiple of that, as contents of constants do. */
const ALIGNMENT = 16;

export type Reference = { readonly table: Fields } | { readonly tables: readonly Fields[] } | { readonly text: string } | { readonly numbers: Uint8Array; readonly bytes: 1 | 2 | 4 | 8 };
/** Bytes are those of a number, which stands in the table itself. */
export type Value = Uint8Array | Reference;
/** Values by the number of their field; undefined for one that is absent. */
export type Fields = Readonly<Record<number, Value | undefined>>;

/** @throws {MoError} MO1010 when it is too long. */
export function writeFlat(root: Fields, identifier: string): Uint8Array {
  return new Writer().write(root, identifier);
}

/** A number of four bytes. */
export function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value >>> 0).buffer);
}

/** A number of eight bytes. */
export function long(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}

export function words(...values: number[]): Reference {
  return { numbers: new Uint8Array(Int32Array.from(values).buffer), bytes: 4 };
}

class Writer {
  #bytes = new Uint8Array(1 << 12);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  /** References that are not written yet, and where their offsets stand. */
  readonly #waiting: [number, Reference][] = [];

  write(root: Fields, identifier: string): Uint8Array {
    this.#put(new Uint8Array(4));
    this.#put(ENCODER.encode(identifier));
    this.#waiting.push([0, { table: root }]);
    for (let next = 0; next < this.#waiting.length; next++) {
      const [place, value] = this.#waiting[next]!;
      const at = this.#reference(value);
      this.#view.setUint32(place, at - place, true);
    }
    return this.#bytes.slice(0, this.#end);
  }

  /** Writes a reference. Returns where it begins. */
  #reference(value: Reference): number {
    if ('table' in value) return this.#table(value.table);
    if ('tables' in value) {
      const at = this.#vector(value.tables.length, new Uint8Array(4 * value.tables.length), 4);
      value.tables.forEach((table, i) => this.#waiting.push([at + 4 + 4 * i, { table }]));
      return at;
    }
    if ('numbers' in value) return this.#vector(value.numbers.length / value.bytes, value.numbers, ALIGNMENT);
    const text = ENCODER.encode(value.text);
    const at = this.#vector(text.length, text, 4);
    this.#put(new Uint8Array(1));
    return at;
  }

  #vector(count: number, content: Uint8Array, alignment: number): number {
    this.#align(alignment, 4);
    const at = this.#end;
    this.#put(word(count));
    this.#put(content);
    return at;
  }

  /** The vtable stands before its table. Wide numbers come first, so that each is at a multiple of its size. */
  #table(fields: Fields): number {
    const given = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [{ field: Number(field), value, size: value instanceof Uint8Array ? value.length : 4 }]));
    const slots = given.reduce((most, { field }) => Math.max(most, field + 1), 0);
    this.#align(8);
    const vtable = this.#end;
    this.#put(new Uint8Array(4 + 2 * slots));
    this.#align(8);
    const at = this.#end;
    this.#put(word(at - vtable));
    for (const { field, value, size } of given.sort((a, b) => b.size - a.size)) {
      this.#align(size);
      this.#view.setUint16(vtable + 4 + 2 * field, this.#end - at, true);
      if (!(value instanceof Uint8Array)) this.#waiting.push([this.#end, value]);
      this.#put(value instanceof Uint8Array ? value : new Uint8Array(4));
    }
    this.#view.setUint16(vtable, 4 + 2 * slots, true);
    this.#view.setUint16(vtable + 2, this.#end - at, true);
    return at;
  }

  /** Adds zeros, so that the place `before` bytes behind the end is at a multiple of `to`. */
  #align(to: number, before = 0): void {
    this.#put(new Uint8Array((to - ((this.#end + before) % to)) % to));
  }

  #put(bytes: Uint8Array): void {
    const end = this.#end + bytes.length;
    if (end > MOST) throw new MoError([pageMessage(SizeOverflow, msg`more than ${MOST} bytes`, 'the model is too large for a skeleton')]);
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#end));
      [this.#bytes, this.#view] = [larger, new DataView(larger.buffer)];
    }
    this.#bytes.set(bytes, this.#end);
    this.#end = end;
  }
}
