/** Skeletons have the numbers of fields from the schemas that the core is built with: scripts/generate-fields.mjs and scripts/check-field-numbers.mjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { fieldsOf } from '../../scripts/generate-fields.mjs';
import { readTables } from '../../scripts/tables.mjs';
import { checked, root } from './support.js';

/** What the check says of a skeleton of one file. */
function said(text: string, path = 'web/skeleton/onnx/a.ts'): string {
  const { status, stderr } = checked('check-field-numbers.mjs', { 'web/skeleton/onnx/b.ts': '', [path]: text });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it('fields.ts of each format is what the schemas say', () => {
  for (const [framework, text] of fieldsOf(readTables())) expect(readFileSync(join(root, `web/skeleton/${framework}/fields.ts`), 'utf8'), framework).toBe(text);
});

it('no message that is asked for may be missing', () => {
  const tables = readTables();
  const { GraphProto, ...messages } = tables.schemas.onnx.messages;
  expect(GraphProto).toBeDefined();
  expect(() => fieldsOf({ ...tables, schemas: { ...tables.schemas, onnx: { ...tables.schemas.onnx, messages } } })).toThrow('no message GraphProto');
});

it.each([
  ["rewrite(range, GraphDef, { 1: 'keep' });"],
  ['const NAME = 3;\nconst made = { [NAME]: value };'],
  ['const [NAME, KEY] = [1, 2];\nconst made = { [KEY]: value };'],
  ['parts.push(field(7, content));'],
  ['parts.push(fixed(isFloat ? 5 : 6, bytes));'],
  ['await rewriter.last(one, 2);'],
  ['table.raw(1, 4);'],
  ['await table.each(0, (one) => one);'],
  ['if (one.number === 5) use(one);'],
  ['for (const { number } of fields) if (3 !== number) use(number);'],
  ['const VALUES = new Set([5, 6]);\nif (VALUES.has(one.number)) use(one);'],
  ['const LAYERS = new Map([[2, V1]]);\nLAYERS.get(one.number);'],
  ['const LEGACY = [1, 2];\nLEGACY.includes(number);'],
])('%s is refused', (text) => {
  expect(said(text)).toMatch(/^web\/skeleton\/onnx\/a\.ts:\d: .* by its number: /);
});

it.each([
  ["rewrite(range, GraphDef, { node: 'keep' });"],
  ['parts.push(field(GraphDef.node, 7));'],
  ['const made = { [Tensor.shape]: table.raw(Tensor.shape, 4) };'],
  ['const WIDTHS = new Set([1, 2]);\nif (WIDTHS.has(width) && one.number === Tensor.shape) use(4);'],
])('%s is allowed', (text) => {
  expect(said(text)).toBe('');
});

it('other files than those of formats with a schema may have such numbers', () => {
  expect(said('field(7, content);', 'web/skeleton/kaldi/a.ts')).toBe('');
});
