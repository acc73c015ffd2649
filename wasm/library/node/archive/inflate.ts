/**
 * Unpacks Deflate (RFC 1951) and gzip (RFC 1952) by pako without waiting, piece by piece: node:zlib can do the one or the other. The core asks
 * for a file's bytes in the middle of its work, and a file may be larger than the memory.
 */
import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, zlibInflate, zlibInflateInit2, zlibInflateReset, ZStream } from './pako.mjs';

/** Gives the next bytes, until the next call; none at the end. */
export type Source = () => Uint8Array;
/** Gets bytes, until the next call. Returns whether it wants more. */
export type Sink = (bytes: Uint8Array) => boolean;

/** What has been packed is damaged, or cut off. */
export class Damaged extends Error {}

/** Bytes that a sink gets at once. */
const PIECE = 64 << 10;
/** The bits of the window, as zlib wants them: less than 0 without a header, 16 more for gzip. */
const RAW = -15, GZIP = 15 + 16;

class Inflater {
  readonly #stream = new ZStream();
  readonly #out = new Uint8Array(PIECE);

  constructor(private readonly source: Source, windowBits: number) {
    zlibInflateInit2(this.#stream, windowBits);
  }

  /** The next byte that is not unpacked; undefined at the end. */
  next(): number | undefined {
    return this.#fill() ? this.#stream.input[this.#stream.next_in] : undefined;
  }

  skip(): void {
    this.#stream.next_in++;
    this.#stream.avail_in--;
  }

  /**
   * Unpacks a stream. Returns false if the sink wanted no more before its end.
   *
   * @throws {Damaged}
   */
  inflate(sink: Sink): boolean {
    const stream = this.#stream;
    for (;;) {
      const hasMore = this.#fill();
      stream.output = this.#out;
      stream.next_out = 0;
      stream.avail_out = PIECE;
      const code = zlibInflate(stream, Z_NO_FLUSH);
      const size = stream.next_out;
      // What comes before the damage may be all that the sink wants.
      if (size > 0 && !sink(this.#out.subarray(0, size))) return false;
      if (code === Z_STREAM_END) break;
      if ((code !== Z_OK && code !== Z_BUF_ERROR) || (!hasMore && size === 0)) throw new Damaged();
    }
    zlibInflateReset(stream);
    return true;
  }

  #fill(): boolean {
    const stream = this.#stream;
    if (stream.avail_in > 0) return true;
    stream.input = this.source();
    stream.next_in = 0;
    stream.avail_in = stream.input.length;
    return stream.avail_in > 0;
  }
}

/**
 * Gives what is packed in a stream to `sink`, as long as it wants more.
 *
 * @throws {Damaged}
 */
export function inflate(source: Source, sink: Sink): void {
  new Inflater(source, RAW).inflate(sink);
}

/**
 * The same of gzip: a stream or several, with zeros behind them on tapes.
 *
 * @throws {Damaged}
 */
export function gunzip(source: Source, sink: Sink): void {
  const inflater = new Inflater(source, GZIP);
  do {
    if (!inflater.inflate(sink)) return;
  } while (inflater.next());
  while (inflater.next() === 0) inflater.skip();
  if (inflater.next() !== undefined) throw new Damaged();
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
