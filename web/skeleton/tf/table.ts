/** The table format of checkpoints: sorted keys and values, in blocks with checksums. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { concat, varint } from '../wire.js';
import { CorruptFile } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

export type Entry = readonly [key: Uint8Array, value: Uint8Array];
type Handle = readonly [offset: number, size: number];

const FOOTER = 48;
const MAGIC = Uint8Array.of(0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb);
/** Behind a block: how it is compressed, and a checksum. */
const TRAILER = 5;
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f63b78 : 0);
  return rest;
});

/** All entries of a table, in its order. */
export function readTable(bytes: Uint8Array): Entry[] {
  const footer = bytes.length - FOOTER;
  if (footer < 0 || MAGIC.some((byte, at) => bytes[bytes.length - 8 + at] !== byte)) throw broken(Math.max(0, footer));
  const reader = new Reader(bytes, footer, bytes.length - MAGIC.length);
  reader.handle();
  return block(bytes, reader.handle()).flatMap(([, value]) => block(bytes, new Reader(value, 0, value.length).handle()));
}

function block(bytes: Uint8Array, [offset, size]: Handle): Entry[] {
  if (offset + size + TRAILER > bytes.length || size < 4 || bytes[offset + size] !== 0) throw broken(offset);
  const restarts = new DataView(bytes.buffer, bytes.byteOffset + offset + size - 4).getUint32(0, true);
  const end = offset + size - 4 - 4 * restarts;
  const entries: Entry[] = [];
  let before: Uint8Array = new Uint8Array();
  for (const reader = new Reader(bytes, offset, end); reader.at < end; ) {
    const [shared, own, length] = [reader.number(), reader.number(), reader.number()];
    if (shared > before.length) throw broken(reader.at);
    before = concat([before.subarray(0, shared), reader.bytes(own)]);
    entries.push([before, reader.bytes(length)]);
  }
  return entries;
}

class Reader {
  constructor(private readonly all: Uint8Array, public at: number, private readonly end: number) {}

  number(): number {
    let value = 0;
    for (let index = 0; index < 8 && this.at < this.end; index++) {
      const byte = this.all[this.at++]!;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw broken(this.at);
  }

  handle(): Handle {
    return [this.number(), this.number()];
  }

  bytes(length: number): Uint8Array {
    if (length > this.end - this.at) throw broken(this.at);
    this.at += length;
    return this.all.subarray(this.at - length, this.at);
  }
}

/** A table of one block. */
export function writeTable(entries: readonly Entry[]): Uint8Array {
  const sorted = [...entries].sort(([a], [b]) => compare(a, b));
  const data = written(sorted);
  const empty = written([]);
  const handle = (offset: number, block: Uint8Array) => concat([varint(offset), varint(block.length - TRAILER)]);
  const index = written([[Uint8Array.of(0xff, 0xff), handle(0, data)]]);
  const footer = new Uint8Array(FOOTER);
  footer.set(concat([handle(data.length, empty), handle(data.length + empty.length, index)]));
  footer.set(MAGIC, FOOTER - MAGIC.length);
  return concat([data, empty, index, footer]);
}

function written(entries: readonly Entry[]): Uint8Array {
  const parts = entries.flatMap(([key, value]) => [varint(0), varint(key.length), varint(value.length), key, value]);
  const content = concat([...parts, Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0), Uint8Array.of(0)]);
  return concat([content, checksum(content)]);
}

function checksum(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 0xff]!;
  crc = ~crc;
  const out = new DataView(new ArrayBuffer(4));
  out.setUint32(0, ((crc >>> 15) | (crc << 17)) + 0xa282ead8, true);
  return new Uint8Array(out.buffer);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}

function broken(at: number): MoError {
  return new MoError([pageMessage(CorruptFile, msg`byte ${at} of the checkpoint`, 'fetch or export the model again')]);
}
