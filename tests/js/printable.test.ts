/** Text that is safe for people and in JSON. The core has the same functions: tests/core/base/printable_test.cpp. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { hasUnsafe, jsonOf, printable, printableJson, printableLines, withoutUnsafe } from '../../wasm/library/shared/printable.js';

const TABLE = readFileSync(new URL('../core/base/unsafe_text.def', import.meta.url), 'utf8');
const CASES = [...TABLE.matchAll(/^MO_TEXT\((.*)\)$/gm)].map(([, row]) => JSON.parse(`[${row}]`) as [hex: string, people: string, lines: string, json: string]);
const RANGES = [...TABLE.matchAll(/^MO_UNSAFE\((\w+), (\w+)\)$/gm)].map(([, first, last]) => [Number(first), Number(last)] as const);

it.each(CASES)('escapes what is unsafe: %s', (hex, people, lines, json) => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(hex, 'hex'));
  expect([printable(text), printableLines(text), printableJson(text)]).toEqual([people, lines, json]);
  expect(printable(people)).toBe(people);
});

it('knows each character', () => {
  expect(CASES.length).toBeGreaterThan(20);
  expect(RANGES.length).toBeGreaterThan(8);
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const listed = RANGES.some(([first, last]) => code >= first && code <= last);
    if (hasUnsafe(String.fromCodePoint(code)) !== listed) throw new Error(code.toString(16));
  }
});

it('knows half of a character', () => {
  expect([printable('a\ud800b'), withoutUnsafe('a\udc00b'), printableLines('\u{1f600}')]).toEqual(['a\ufffdb', 'a_b', '\u{1f600}']);
});

it('keeps the values of JSON', () => {
  const value = { 'a\u202e': ['\u0085\u2028\x7f\x1b"\\', '\u{e0041}ä'] };
  const text = jsonOf(value, 1);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/[\x7f-\x9f\u2028-\u202e]/);
});

it('makes names of files safe', () => expect(withoutUnsafe('net\u202eonnx.\x1b')).toBe('net_onnx._'));
