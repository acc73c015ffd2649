/** Models with more of a kind than anybody reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { writeOnnx } from '../js/onnx_writer.js';
import { temporaryFolder } from '../js/support.js';
import { page, usePage } from './support.js';

usePage();

it('converts a model with more outputs than a call has room for arguments, and shows the first ones', async () => {
  const names = Array.from({ length: 150_000 }, (_, index) => `y${index}`);
  const path = join(temporaryFolder(), 'outputs.onnx');
  writeFileSync(path, writeOnnx({
    nodes: names.map((name) => ({ op: 'Relu', name: `/${name}`, inputs: ['x'], outputs: [name] })),
    weights: [],
    inputs: [{ name: 'x', shape: [2] }],
    outputs: names.map((name) => ({ name, shape: [2] })),
  }));
  await page.setInputFiles('#files', path);
  const outputs = page.locator('#done table').nth(1);
  await outputs.waitFor({ timeout: 110_000 });
  const rows = await outputs.locator('tbody tr').allInnerTexts();
  expect(rows).toHaveLength(101);
  expect(rows[0]).toMatch(/^y0\s+\[2\]\s+f32$/);
  expect(rows[100]).toBe('and 149,900 more');
}, 120_000);
