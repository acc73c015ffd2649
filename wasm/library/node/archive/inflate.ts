/**
 * Unpacks Deflate (RFC 1951) without waiting, piece by piece: node:zlib can do the one or the other. The core asks for a file's bytes in the
 * middle of its work, and a file may be larger than the memory.
 */

/** Gives the next bytes, until the next call; none at the end. */
export type Source = () => Uint8Array;
/** Gets bytes, until the next call. Returns whether it wants more. */
export type Sink = (bytes: Uint8Array) => boolean;

/** What has been packed is damaged, or cut off. */
export class Damaged extends Error {}

/** A match may reach back so far. */
const WINDOW = 32 << 10;
const LONGEST_MATCH = 258;
/** Bytes that a sink gets at once. */
const PIECE = 64 << 10;

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const LENGTHS = startsOf(LENGTH_BITS, 3);
LENGTHS[28] = 258;
const DISTANCE_BITS = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));
const DISTANCES = startsOf(DISTANCE_BITS, 1);

function startsOf(bits: readonly number[], first: number): number[] {
  const starts: number[] = [];
  for (const count of bits) first = (starts.push(first), first + (1 << count));
  return starts;
}

/** A code of Huffman: for the next `bits` bits a symbol and, in the lower four bits, its length; 0 for bits that are no symbol. */
interface Code {
  table: Uint16Array;
  bits: number;
}

/** `isWhole`: all bits have to be used; of a single symbol one bit is enough. */
function codeOf(lengths: Uint8Array, isWhole: boolean): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let bits = 15;
  while (bits > 1 && counts[bits] === 0) bits--;
  const next = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = 2 * left - counts[length]!;
    if (left < 0) throw new Damaged();
    next[length + 1] = (next[length]! + counts[length]!) << 1;
  }
  const used = counts.reduce((sum, count) => sum + count, 0);
  if (left > 0 && (isWhole || used > 1 || (used === 1 && counts[1] === 0))) throw new Damaged();
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length === 0) continue;
    let reversed = 0;
    for (let bit = 0, code = next[length]!++; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    for (let place = reversed; place < table.length; place += 1 << length) table[place] = (symbol << 4) | length;
  }
  return { table, bits };
}

const FIXED_LENGTHS = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
let fixed: [Code, Code] | undefined;
const fixedCodes = (): [Code, Code] => (fixed ??= [codeOf(FIXED_LENGTHS, true), codeOf(new Uint8Array(32).fill(5), true)]);

export class Inflater {
  #input: Uint8Array = new Uint8Array();
  #at = 0;
  #bits = 0;
  #count = 0;
  readonly #out = new Uint8Array(WINDOW + PIECE + LONGEST_MATCH);
  /** Where the next byte comes, and where those begin that the sink has not got. */
  #end = 0;
  #begin = 0;
  /** How many bytes have been unpacked before the window. */
  #before = 0;

  constructor(private readonly source: Source) {}

  /**
   * Unpacks a stream. Returns false if the sink wanted no more before its end.
   *
   * @throws {Damaged}
   */
  inflate(sink: Sink): boolean {
    this.#end = this.#begin = this.#before = 0;
    try {
      for (let isLast = false; !isLast; ) {
        isLast = this.#take(1) === 1;
        const kind = this.#take(2);
        if (kind === 3) throw new Damaged();
        if (!(kind === 0 ? this.#stored(sink) : this.#packed(sink, kind === 1 ? fixedCodes() : this.#codes()))) return false;
      }
    } catch (error) {
      // What comes before the damage may be all that the sink wants.
      if (error instanceof Damaged && !this.#flush(sink)) return false;
      throw error;
    }
    return this.#flush(sink);
  }

  /** A whole byte behind what has been read; what is left of the byte before is dropped. -1 at the end. */
  byte(): number {
    this.#bits >>>= this.#count & 7;
    this.#count &= ~7;
    if (this.#count > 0) {
      const byte = this.#bits & 255;
      this.#bits >>>= 8;
      this.#count -= 8;
      return byte;
    }
    return this.#more() ? this.#input[this.#at++]! : -1;
  }

  #more(): boolean {
    if (this.#at < this.#input.length) return true;
    this.#input = this.source();
    this.#at = 0;
    return this.#input.length > 0;
  }

  #take(count: number): number {
    while (this.#count < count) {
      if (!this.#more()) throw new Damaged();
      this.#bits |= this.#input[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const bits = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return bits;
  }

  /** Near the end there may be fewer bits than the longest symbol has. */
  #symbol({ table, bits }: Code): number {
    while (this.#count < bits && this.#more()) {
      this.#bits |= this.#input[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const found = table[this.#bits & ((1 << bits) - 1)]!;
    const length = found & 15;
    if (length === 0 || length > this.#count) throw new Damaged();
    this.#bits >>>= length;
    this.#count -= length;
    return found >> 4;
  }

  /** Gives what is unpacked to the sink, and keeps the window. */
  #flush(sink: Sink): boolean {
    const wants = this.#end === this.#begin || sink(this.#out.subarray(this.#begin, this.#end));
    if (this.#end > WINDOW) {
      this.#out.copyWithin(0, this.#end - WINDOW, this.#end);
      this.#before += this.#end - WINDOW;
      this.#end = WINDOW;
    }
    this.#begin = this.#end;
    return wants;
  }

  #hasRoom(sink: Sink): boolean {
    return this.#end + LONGEST_MATCH <= this.#out.length || this.#flush(sink);
  }

  #stored(sink: Sink): boolean {
    const numbers = Array.from({ length: 4 }, () => this.byte());
    if (numbers.includes(-1)) throw new Damaged();
    let left = numbers[0]! | (numbers[1]! << 8);
    if (left !== ((numbers[2]! | (numbers[3]! << 8)) ^ 0xffff)) throw new Damaged();
    // Whole bytes that have been read as bits come first.
    for (; left > 0 && this.#count > 0; left--) this.#out[this.#end++] = this.byte();
    while (left > 0) {
      if (!this.#hasRoom(sink)) return false;
      if (!this.#more()) throw new Damaged();
      const size = Math.min(left, this.#input.length - this.#at, this.#out.length - this.#end);
      this.#out.set(this.#input.subarray(this.#at, this.#at + size), this.#end);
      this.#at += size;
      this.#end += size;
      left -= size;
    }
    return this.#hasRoom(sink);
  }

  #codes(): [Code, Code] {
    const [literals, distances, own] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    if (literals > 286 || distances > 30) throw new Damaged();
    const lengths = new Uint8Array(19);
    for (const place of ORDER.slice(0, own)) lengths[place] = this.#take(3);
    const code = codeOf(lengths, true);
    const all = new Uint8Array(literals + distances);
    for (let at = 0; at < all.length; ) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        all[at++] = symbol;
        continue;
      }
      if (symbol === 16 && at === 0) throw new Damaged();
      const [value, times] = symbol === 16 ? [all[at - 1]!, 3 + this.#take(2)] : symbol === 17 ? [0, 3 + this.#take(3)] : [0, 11 + this.#take(7)];
      if (at + times > all.length) throw new Damaged();
      all.fill(value, at, (at += times));
    }
    if (all[256] === 0) throw new Damaged();
    return [codeOf(all.subarray(0, literals), false), codeOf(all.subarray(literals), false)];
  }

  #packed(sink: Sink, [literals, distances]: [Code, Code]): boolean {
    const out = this.#out;
    for (;;) {
      if (!this.#hasRoom(sink)) return false;
      const symbol = this.#symbol(literals);
      if (symbol < 256) {
        out[this.#end++] = symbol;
        continue;
      }
      if (symbol === 256) return true;
      const code = symbol - 257;
      if (code > 28) throw new Damaged();
      const length = LENGTHS[code]! + this.#take(LENGTH_BITS[code]!);
      const far = this.#symbol(distances);
      if (far > 29) throw new Damaged();
      const distance = DISTANCES[far]! + this.#take(DISTANCE_BITS[far]!);
      if (distance > this.#end) throw new Damaged();
      if (distance >= length) out.copyWithin(this.#end, this.#end - distance, this.#end - distance + length);
      else for (let at = this.#end; at < this.#end + length; at++) out[at] = out[at - distance]!;
      this.#end += length;
    }
  }
}
