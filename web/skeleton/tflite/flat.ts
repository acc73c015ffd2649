/** A bounded walk over a FlatBuffer where it lies in a file of any size: tables, vectors and texts by the numbers of their fields. */
import { corrupt, Pages } from './pages.js';

const DECODER = new TextDecoder();
/** The most bytes that are read in all: TIMES_THE_FILE times the size of the file, and SPARE. The parts of a broken file may overlap. */
const TIMES_THE_FILE = 16;
const SPARE = 1 << 20;
/** A longer text is an error. */
const LONGEST_TEXT = 1 << 16;
/** After so many tables the page can do other things. */
const AT_ONCE = 1 << 14;

/** Elements of a fixed size. */
export interface FlatVector {
  readonly begin: number;
  readonly count: number;
}

/** A file that is no FlatBuffer ends with MO1004 or MO1005, as in the core. */
export class FlatFile {
  readonly #pages: Pages;
  #left: number;
  #tables = 0;

  constructor(readonly file: Blob) {
    this.#pages = new Pages(file);
    this.#left = file.size * TIMES_THE_FILE + SPARE;
  }

  /** The table that the file begins with. */
  async root(): Promise<FlatTable> {
    return this.table(await this.number(0, 4));
  }

  async table(at: number): Promise<FlatTable> {
    if (++this.#tables % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    const vtable = at - (await this.number(at, 4, true));
    if (vtable < 0 || vtable > this.file.size) throw corrupt(at);
    const head = await this.view(vtable, 4);
    const [vtableBytes, bytes] = [head.getUint16(0, true), head.getUint16(2, true)];
    if (vtableBytes < 4 || vtableBytes % 2 !== 0 || bytes < 4 || vtable + vtableBytes > this.file.size || at + bytes > this.file.size) throw corrupt(vtable);
    return new FlatTable(this, at, await this.view(vtable, vtableBytes), await this.view(at, bytes));
  }

  /** A copy of the bytes. */
  async bytes(begin: number, length: number): Promise<Uint8Array> {
    if ((this.#left -= length) < 0) throw corrupt(begin);
    return this.#pages.bytes(begin, length);
  }

  async view(begin: number, length: number): Promise<DataView> {
    const bytes = await this.bytes(begin, length);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** A number of 1, 2, 4 or 8 bytes. Above 2^53 it is not exact: it is only compared with sizes. */
  async number(begin: number, length: number, isSigned = false): Promise<number> {
    return numberOf(await this.bytes(begin, length), isSigned);
  }

  /** The place to which the offset at `at` points. */
  async follow(at: number): Promise<number> {
    const distance = await this.number(at, 4);
    if (distance === 0) throw corrupt(at);
    return at + distance;
  }
}

export class FlatTable {
  constructor(readonly flat: FlatFile, readonly offset: number, private readonly vtable: DataView, private readonly content: DataView) {}

  /** The bytes of a number; undefined where the field is absent. */
  raw(field: number, bytes: number): Uint8Array | undefined {
    const place = this.#place(field, bytes);
    return place === 0 ? undefined : new Uint8Array(this.content.buffer, this.content.byteOffset + place, bytes);
  }

  /** 0 where the field is absent. */
  number(field: number, bytes: number, isSigned = false): number {
    const raw = this.raw(field, bytes);
    return raw ? numberOf(raw, isSigned) : 0;
  }

  async table(field: number): Promise<FlatTable | undefined> {
    const place = this.#place(field, 4);
    return place === 0 ? undefined : this.flat.table(await this.flat.follow(this.offset + place));
  }

  /** Empty where the field is absent. */
  async vector(field: number, elementBytes: number): Promise<FlatVector> {
    const place = this.#place(field, 4);
    if (place === 0) return { begin: 0, count: 0 };
    const at = await this.flat.follow(this.offset + place);
    const count = await this.flat.number(at, 4);
    if (count * elementBytes > this.flat.file.size - at - 4) throw corrupt(at);
    return { begin: at + 4, count };
  }

  has(field: number): boolean {
    return this.#place(field, 0) !== 0;
  }

  /** The results of `make` for the tables of a vector. */
  async each<T>(field: number, make: (table: FlatTable) => Promise<T> | T): Promise<T[]> {
    const { begin, count } = await this.vector(field, 4);
    const made: T[] = [];
    for (let i = 0; i < count; i++) made.push(await make(await this.flat.table(await this.flat.follow(begin + 4 * i))));
    return made;
  }

  /** The bytes of a vector of numbers. */
  async numbers(field: number, elementBytes: number): Promise<Uint8Array> {
    const { begin, count } = await this.vector(field, elementBytes);
    return count === 0 ? new Uint8Array() : this.flat.bytes(begin, count * elementBytes);
  }

  async text(field: number): Promise<string> {
    const { begin, count } = await this.vector(field, 1);
    if (count > LONGEST_TEXT) throw corrupt(begin);
    return count === 0 ? '' : DECODER.decode(await this.flat.bytes(begin, count));
  }

  /** Where a field is in the table; 0 if it is absent. */
  #place(field: number, bytes: number): number {
    const slot = 4 + 2 * field;
    const place = slot + 2 > this.vtable.byteLength ? 0 : this.vtable.getUint16(slot, true);
    if (place !== 0 && (place < 4 || place + bytes > this.content.byteLength)) throw corrupt(this.offset);
    return place;
  }
}

/** The little-endian number in 1, 2, 4 or 8 bytes. */
export function numberOf(bytes: Uint8Array, isSigned = false): number {
  const negative = isSigned && bytes[bytes.length - 1]! >= 0x80;
  const unsigned = bytes.reduceRight((value, byte) => value * 256 + (negative ? 255 - byte : byte), 0);
  return negative ? -unsigned - 1 : unsigned;
}
