/** Arrays in binary files of Kaldi: where the next one is, and what stands for it. */

import { weightNumber } from '../setting.js';

/** Where an array is found in a text of bytes: its token, and the sizes of what is before its numbers and of all of it. */
export interface Payload {
  readonly begin: number;
  readonly token: string;
  readonly head: number;
  readonly rows: number;
  readonly columns: number;
  readonly size: number;
}

const TOKENS = /(?:[FD][MV]|CM[23]?) /g;
/** The most bytes of a head. */
export const LONGEST_HEAD = 20;
const CHUNK = 1 << 16;

/** The first array at `from` or behind it of which all numbers are in the file; `left` bytes of it begin where the text does. */
export function payloadIn(text: string, bytes: Uint8Array, from: number, left: number): Payload | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  TOKENS.lastIndex = from;
  for (let found = TOKENS.exec(text); found; found = TOKENS.exec(text)) {
    const [token, at] = [found[0], found.index + found[0].length];
    const head = token[0] === 'C' ? token.length + 16 : token[1] === 'V' ? 8 : 13;
    if (found.index + head > bytes.length) return undefined;
    const isSized = token[0] === 'C' || (bytes[at] === 4 && (token[1] === 'V' || bytes[at + 5] === 4));
    const [rows, columns] = token[0] === 'C' ? [view.getInt32(at + 8, true), view.getInt32(at + 12, true)]
      : token[1] === 'V' ? [1, view.getInt32(at + 1, true)] : [view.getInt32(at + 1, true), view.getInt32(at + 6, true)];
    const size = head + rows * columns * widthOf(token) + (token === 'CM ' ? 8 * columns : 0);
    if (isSized && rows >= 0 && columns >= 0 && found.index + size <= left) return { begin: found.index, token, head, rows, columns, size };
  }
  return undefined;
}

const widthOf = (token: string) => (token[0] === 'F' ? 4 : token[0] === 'D' ? 8 : token === 'CM2 ' ? 2 : 1);

/** The bytes in place of that array, which is the one of that index; `head` is what is before its numbers. */
export function* filled({ token, head: _, rows, columns }: Payload, head: Uint8Array, index: number): Generator<Uint8Array> {
  const begin = head.slice();
  const view = new DataView(begin.buffer);
  // A range that is none stays: it may be why the model fails.
  if (token[0] === 'C' && Number.isFinite(view.getFloat32(token.length, true)) && Number.isFinite(view.getFloat32(token.length + 4, true))) {
    view.setFloat32(token.length, 0, true);
    view.setFloat32(token.length + 4, 1, true);
  }
  yield begin;
  if (token === 'CM ') yield* repeated(new Uint8Array(Uint16Array.of(0, 0x4000, 0xc000, 0xffff).buffer), columns);
  yield* repeated(elementOf(token, index), rows * columns);
}

/** No two arrays are alike, because equal operations become one. */
function elementOf(token: string, index: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(widthOf(token)));
  if (token[0] === 'F') view.setFloat32(0, weightNumber('f32', index), true);
  else if (token[0] === 'D') view.setFloat64(0, weightNumber('f64', index), true);
  else if (token === 'CM2 ') view.setUint16(0, 0x8000 + (index % 4096), true);
  else view.setUint8(0, 64 + (index % 128));
  return new Uint8Array(view.buffer);
}

/** So many copies of these bytes, in pieces that have the same memory. */
function* repeated(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  const inPiece = Math.min(count, CHUNK / bytes.length);
  if (inPiece === 0) return;
  const piece = new Uint8Array(inPiece * bytes.length);
  for (let at = 0; at < piece.length; at += bytes.length) piece.set(bytes, at);
  for (let left = count; left > 0; left -= inPiece) yield left < inPiece ? piece.subarray(0, left * bytes.length) : piece;
}
