/** scripts/check-order.mjs keeps nodes in one order on all compilers: in a tree with one file. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

import { checked } from './support.js';

function said(body: string): string {
  const { status, stderr } = checked('check-order.mjs', { 'core/a.cpp': `OutPort f(Builder& b, OutPort x) {\n${body}\n}\n` });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it.each([
  ['methods', 'return b.gather(b.squeeze(x, {0}), b.i64({1}), 0);', 'core/a.cpp:2: gather(…) adds nodes in two arguments'],
  ['functions', 'return plus(b, times(b, x, x),\n  times(b, x, 2));', 'core/a.cpp:2: plus(…)'],
  ['lambdas', 'const auto twice = [&](OutPort y) { return b.op("Add", {y, y}); };\n  return minus(twice(x), twice(x));', 'core/a.cpp:3: minus(…)'],
  ['a choice', 'return pad(x, b.i64({0}), is_one ? x : twice(b, x));', 'pad(…)'],
])('refuses two that add nodes: %s', (_what, body, reason) => {
  expect(said(body)).toContain(reason);
});

it.each([
  ['braces', 'return b.op("Add", {times(b, x, x), times(b, x, 2)});'],
  ['one', 'return b.gather(x, b.i64({1}), 0); // b.gather(b.i64({0}), b.i64({1}))'],
  ['names before', 'const OutPort y = b.i64({0}), z = b.i64({1});\n  return b.gather(y, z, 0);'],
  ['texts', 'return b.op("f(b, g(b), g(b))", {x});'],
])('allows %s', (_what, body) => {
  expect(said(body)).toBe('');
});

it('finds nothing in the core', () => {
  expect(spawnSync(process.execPath, ['scripts/check-order.mjs'], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
