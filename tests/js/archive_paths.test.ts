/** The order and the safety of paths in archives. */
import { expect, it } from 'vitest';

import { insidePath } from '../../wasm/library/shared/archive/paths.js';
import { byPath, keyOf } from '../../web/archive/paths.js';

it('keys of paths have the order of names', () => {
  const paths = ['a', 'a1', 'a2', 'a10', 'a01b', 'a_b', 'a-b', 'a.b', 'a/b', 'b', 'net/1/file10.bin', 'net/1/file9.bin', 'net/10/a', 'net/9/z', 'x y', 'x~', 'x+', '(x)', '1', '9', '10', '2a'];
  const byKey = [...paths].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  expect(byKey).toEqual([...paths].sort((a, b) => byPath({ path: a }, { path: b })));
});

it('keys have other letters than those of ASCII as they are', () => {
  expect(keyOf('\x80')).toBe('\x80');
  expect([keyOf('\x80'), keyOf('é'), keyOf('a')].sort()).toEqual([keyOf('a'), '\x80', 'é']);
});

it('only paths that stay inside are taken, without what says nothing', () => {
  const cases: [string, string | undefined][] = [
    ['a/b.txt', 'a/b.txt'], ['a', 'a'], ['a//b', 'a/b'], ['./a', 'a'], ['a/./b', 'a/b'], ['a/', 'a'], ['..a/b..c', '..a/b..c'],
    ['', undefined], ['.', undefined], ['..', undefined], ['../a', undefined], ['a/../b', undefined], ['a/..', undefined], ['/a', undefined], ['C:a', undefined], ['a\0b', undefined],
  ];
  for (const [path, inside] of cases) expect(insidePath(path), path).toBe(inside);
  const begin = performance.now();
  for (const path of ['a/'.repeat(30_000), `${'a'.repeat(60_000)}\0`, '/.'.repeat(30_000)]) insidePath(path);
  expect(performance.now() - begin).toBeLessThan(1000);
});
