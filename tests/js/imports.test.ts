/** The modules of wasm/ and web/ stand in layers: no chain of imports, not even of types, leads back to its beginning. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

import { root } from './support.js';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** What the page and Node share besides the package. */
const SHARED = '../wasm/library/shared/';

/** Each module with those that it imports. */
function importsOf(folder: string): Map<string, string[]> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) => /\.m?ts$/.test(path));
  const known = new Set(paths);
  return new Map(paths.map((path) => {
    const text = readFileSync(join(root, folder, path), 'utf8');
    const found = Array.from(text.matchAll(IMPORT), ([, specifier]) => {
      const target = normalize(join(dirname(path), specifier!));
      return target.replace(/\.js$/, '.ts').replace(/\.mjs$/, '.d.mts');
    });
    const own = found.filter((target) => !target.startsWith(SHARED));
    for (const target of own) if (!known.has(target)) throw new Error(`${path} imports ${target}, which is not there`);
    return [path, own];
  }));
}

/** A way from a module back to itself. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path];
    if (done.has(path)) return undefined;
    done.add(path);
    for (const target of imports.get(path)!) {
      const circle = visit(target, [...above, path]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = visit(path, []);
    if (circle) return circle;
  }
  return undefined;
}

test.each(['wasm', 'web'])('no modules of %s/ import each other in a circle', (folder) => {
  const imports = importsOf(folder);
  expect(imports.size).toBeGreaterThan(8);
  expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
  expect(circleIn(imports)).toBeUndefined();
});

test('a circle is found, however long, also behind modules that are in none', () => {
  const imports = new Map([['a', ['b']], ['b', ['c', 'd']], ['c', []], ['d', ['e']], ['e', ['b']]]);
  expect(circleIn(imports)).toEqual(['b', 'd', 'e', 'b']);
  expect(circleIn(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toBeUndefined();
});

test('each folder of wasm/extension imports from itself and from those below it', () => {
  const LAYERS = ['types.ts', 'operations.ts', 'core', 'values', 'graph', 'classes', 'api.ts', 'load'];
  const layer = (path: string) => LAYERS.indexOf(path.split('/')[1]!);
  const inside = Array.from(importsOf('wasm')).filter(([path]) => path.startsWith('extension/'));
  const upwards = inside.flatMap(([path, targets]) =>
    targets.filter((target) => target.startsWith('extension/') && layer(target) > layer(path)).map((target) => `${path} imports ${target}`));
  expect(inside.every(([path]) => layer(path) >= 0)).toBe(true);
  expect(upwards).toEqual([]);
});
