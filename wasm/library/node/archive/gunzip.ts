/** Unpacks gzip (RFC 1952): a stream or several, with zeros behind them on tapes. */
import { crc32 } from '../../shared/archive/crc32.js';
import { Damaged, Inflater, type Sink, type Source } from './inflate.js';

const [HEADER_SUM, EXTRA, NAME, COMMENT, UNKNOWN] = [2, 4, 8, 16, 0xe0];

/**
 * Gives what is packed to `sink`, as long as it wants more.
 *
 * @throws {Damaged}
 */
export function gunzip(source: Source, sink: Sink): void {
  const inflater = new Inflater(source);
  const byte = (): number => {
    const next = inflater.byte();
    if (next < 0) throw new Damaged();
    return next;
  };
  for (let count = 0; ; count++) {
    let first = inflater.byte();
    if (first < 0 && count > 0) return;
    if (first === 0 && count > 0) {
      while (first === 0) first = inflater.byte();
      if (first >= 0) throw new Damaged();
      return;
    }
    if (first !== 0x1f) throw new Damaged();
    skipHeader(byte);
    let [sum, size] = [0, 0];
    const isWhole = inflater.inflate((bytes) => {
      sum = crc32(bytes, sum);
      size += bytes.length;
      return sink(bytes);
    });
    if (!isWhole) return;
    const number = (): number => (byte() | (byte() << 8) | (byte() << 16) | (byte() << 24)) >>> 0;
    if (number() !== sum || number() !== size >>> 0) throw new Damaged();
  }
}

/** What comes behind the first byte. */
function skipHeader(next: () => number): void {
  let sum = crc32(Uint8Array.of(0x1f));
  const byte = (): number => {
    const one = next();
    sum = crc32(Uint8Array.of(one), sum);
    return one;
  };
  const [mark, method, flags] = [byte(), byte(), byte()];
  if (mark !== 0x8b || method !== 8 || flags & UNKNOWN) throw new Damaged();
  for (let count = 0; count < 6; count++) byte();
  if (flags & EXTRA) for (let left = byte() | (byte() << 8); left > 0; left--) byte();
  for (const text of [NAME, COMMENT]) if (flags & text) while (byte() !== 0);
  if (flags & HEADER_SUM) {
    const wanted = sum & 0xffff;
    if ((next() | (next() << 8)) !== wanted) throw new Damaged();
  }
}

/** The beginning of what is packed in a file that begins with `head`: `size` bytes, or less. */
export function gunzipHead(head: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let [done, isGiven] = [0, false];
  const source = (): Uint8Array => (isGiven ? new Uint8Array() : ((isGiven = true), head));
  try {
    gunzip(source, (bytes) => {
      out.set(bytes.subarray(0, size - done), done);
      done += Math.min(bytes.length, size - done);
      return done < size;
    });
  } catch (error) {
    // The head ends somewhere in it.
    if (!(error instanceof Damaged)) throw error;
  }
  return out.subarray(0, done);
}
