/** The data of core.wasm is one segment in the package, as compressed files are smaller then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { withOneSegment } from '../../scripts/package/wasm-data.mjs';

import { root } from './support.js';

const section = (id: number, ...content: number[]) => [id, content.length, ...content];
const constant = (...address: number[]) => [0x41, ...address, 0x0b];

/** A module of two pages of memory, which it exports as `m`. */
const module = (...data: number[]) =>
  new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(5, 1, 0, 2), ...section(7, 1, 1, 0x6d, 2, 0), ...section(11, ...data)]);

const memoryOf = (bytes: Uint8Array<ArrayBuffer>) =>
  Buffer.from((new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.m as WebAssembly.Memory).buffer);

it.each([
  ['far apart, in any order', module(3, 0, ...constant(0xac, 0x02), 2, 1, 2, 0, ...constant(0x3f), 1, 7, 0, ...constant(0x80, 0x80, 0x04), 3, 9, 0, 9)],
  ['at an address whose last bits look like a sign', module(2, 0, ...constant(0xc0, 0), 1, 5, 0, ...constant(0xc8, 0), 1, 6)],
  ['already one', module(1, 0, ...constant(16), 2, 3, 4)],
])('segments %s', (_, bytes) => {
  const joined = withOneSegment(bytes);
  expect(memoryOf(joined).equals(memoryOf(bytes))).toBe(true);
  expect(memoryOf(joined).some((byte) => byte !== 0)).toBe(true);
  expect(withOneSegment(joined)).toEqual(joined);
});

it('segments without a fixed address are refused', () => {
  expect(() => withOneSegment(module(1, 1, 1, 5))).toThrow('without a fixed address');
});

it('the package has the joined core', () => {
  const wasm = readFileSync(join(root, 'dist/library/shared/core.wasm'));
  expect(withOneSegment(wasm).equals(wasm)).toBe(true);
});
