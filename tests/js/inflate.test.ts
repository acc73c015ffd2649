/** What the package unpacks by pako takes and refuses what zlib does. */
import { constants, deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { Damaged, gunzip, gunzipHead, inflate as inflateFrom, type Source } from '../../dist/library/node/archive/inflate.js';

let state = 1;
const random = () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;

/** Gives the bytes in pieces. */
function inPieces(bytes: Uint8Array, size: number): Source {
  let at = 0;
  return () => bytes.subarray(at, (at += Math.min(size, bytes.length - at)));
}

function inflate(packed: Uint8Array, size = 65536, most = Infinity): Buffer {
  const out: Buffer[] = [];
  let done = 0;
  inflateFrom(inPieces(packed, size), (bytes) => (out.push(Buffer.from(bytes)), (done += bytes.length) < most));
  return Buffer.concat(out);
}

/** Texts of different kinds. */
function sample(index: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(random() * 150_000));
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = [random() * 256, random() * 4, at % 97, random() < 0.5 ? 65 : bytes[Math.max(0, at - Math.floor(random() * 30_000))]!][index % 4]!;
  return bytes;
}

it('what zlib packs is unpacked, by all strategies, from pieces of any size', () => {
  for (let index = 0; index < 60; index++) {
    const bytes = sample(index);
    const packed = deflateRawSync(bytes, { level: index % 10, strategy: index % 5, memLevel: 1 + (index % 9) });
    expect(inflate(packed, [1, 7, 1000, 65536][index % 4]).equals(bytes), `sample ${index}`).toBe(true);
  }
  const long = Buffer.alloc(3_000_000, 'abc');
  expect(inflate(deflateRawSync(long, { strategy: constants.Z_FIXED })).equals(long)).toBe(true);
});

it('damaged bytes are refused where zlib refuses them, and give the same bytes where it does not', () => {
  for (let index = 0; index < 25; index++) {
    const packed = deflateRawSync(sample(index).subarray(0, 5000), { strategy: index % 5 });
    for (let times = 0; times < 40; times++) {
      const damaged = Buffer.from(packed);
      for (let count = 0; count <= times % 3; count++) damaged[Math.floor(random() * Math.min(damaged.length, times % 2 ? 60 : 1e9))] = random() * 256;
      let wanted: Buffer | undefined;
      try {
        wanted = inflateRawSync(damaged);
      } catch {
        expect(() => inflate(damaged)).toThrow(Damaged);
      }
      if (wanted) expect(inflate(damaged).equals(wanted)).toBe(true);
    }
  }
});

it('ends where no more is wanted, before what is damaged behind it', () => {
  const packed = Buffer.concat([deflateRawSync(Buffer.alloc(300_000, 'x'), { finishFlush: constants.Z_SYNC_FLUSH }), Buffer.alloc(20, 0xff)]);
  expect(inflate(packed, 65536, 300_000).length).toBe(300_000);
  expect(() => inflate(packed)).toThrow(Damaged);
});

it('gzip: several streams, zeros behind them, headers with all fields', () => {
  const unpack = (bytes: Uint8Array): string => {
    const out: Buffer[] = [];
    gunzip(inPieces(bytes, 5), (piece) => (out.push(Buffer.from(piece)), true));
    return Buffer.concat(out).toString();
  };
  const [a, b] = [gzipSync('abc'), gzipSync('def')];
  expect(unpack(a)).toBe('abc');
  expect(unpack(Buffer.concat([a, b, Buffer.alloc(1000)]))).toBe('abcdef');
  const named = Buffer.concat([a.subarray(0, 3), Buffer.from([4 | 8 | 16]), a.subarray(4, 10), Buffer.from([3, 0, 1, 2, 3]), Buffer.from('name\0note\0'), a.subarray(10)]);
  expect(unpack(named)).toBe('abc');
  for (const wrong of [Buffer.concat([a, Buffer.from('x')]), Buffer.concat([a, Buffer.alloc(3), b]), a.subarray(0, -1), Buffer.from([...a.subarray(0, -5), 1, ...a.subarray(-4)]), Buffer.alloc(0)])
    expect(() => unpack(wrong)).toThrow(Damaged);
  expect(Buffer.from(gunzipHead(a.subarray(0, -9), 2)).toString()).toBe('ab');
});
