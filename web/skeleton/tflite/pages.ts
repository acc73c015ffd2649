/**
 * The bytes of a file in pieces. The pieces that were used last are kept, because tables and what they refer to may stand far from each
 * other.
 */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { CorruptFile, TruncatedFile } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** So many bytes are read from the file at once, and so many such pieces are kept. */
const SIZE = 1 << 16;
const MOST = 64;
const HINT = 'fetch or export the model again';

export class Pages {
  readonly #pages = new Map<number, Promise<Uint8Array>>();

  constructor(private readonly file: Blob) {}

  /** A copy of the bytes. A range beyond the end of the file ends with MO1004. */
  async bytes(begin: number, length: number): Promise<Uint8Array> {
    if (begin < 0 || begin + length > this.file.size) throw new MoError([pageMessage(TruncatedFile, msg`byte ${begin}`, HINT)]);
    const page = Math.floor(begin / SIZE);
    if (begin + length > (page + 1) * SIZE) return this.#read(begin, begin + length);
    const all = await this.#page(page);
    return all.slice(begin - page * SIZE, begin - page * SIZE + length);
  }

  #page(page: number): Promise<Uint8Array> {
    const kept = this.#pages.get(page) ?? this.#read(page * SIZE, (page + 1) * SIZE);
    // The piece that was used last is the last one.
    this.#pages.delete(page);
    this.#pages.set(page, kept);
    if (this.#pages.size > MOST) this.#pages.delete(this.#pages.keys().next().value!);
    return kept;
  }

  async #read(begin: number, end: number): Promise<Uint8Array> {
    return new Uint8Array(await this.file.slice(begin, end).arrayBuffer());
  }
}

/** The error for a file that is no FlatBuffer, with the byte. */
export function corrupt(at: number): MoError {
  return new MoError([pageMessage(CorruptFile, msg`byte ${at}`, HINT)]);
}
