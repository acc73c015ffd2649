import { msg } from '../msg.js';
import { Reason } from '../reason.js';

/** Bytes that are read at once: headers of small files lie close together. If one window follows the other, they become larger. */
const WINDOW = 64 << 10;
const LARGEST_WINDOW = 4 << 20;

/** Reads from an archive in pieces that are larger than what is asked for. */
export class Window {
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();
  #width = WINDOW;

  /** `part` gives `length` bytes from `at` on, or fewer where the archive ends. */
  constructor(
    readonly size: number,
    private readonly part: (at: number, length: number) => Uint8Array,
  ) {}

  /** The bytes, until the next call. */
  read(at: number, length: number): Uint8Array {
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      const end = this.#start + this.#bytes.length;
      this.#width = at <= end && at >= this.#start ? Math.min(2 * this.#width, LARGEST_WINDOW) : WINDOW;
      this.#bytes = this.part(at, Math.min(Math.max(length, this.#width), Math.max(0, this.size - at)));
      this.#start = at;
    }
    if (at + length > this.#start + this.#bytes.length) throw new Reason(msg`it is cut off`);
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }
}
