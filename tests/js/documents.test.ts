/** Documents name tests and files as proofs: each one is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { PAGES } from '../../scripts/docs/site/pages.mjs';
import { root } from './support.js';

/** All texts of the repository, those beside the code, too. */
const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
const linksOf = (path: string): string[] => [...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!).filter((target) => !/^[a-z]+:/.test(target));
const anchorsOf = (path: string): string[] => [...textOf(path).matchAll(/^#+ (.*)$/gm)]
  .map(([, heading]) => heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-'));

it('each document is a page of the site', () => {
  const sources = PAGES.map(({ source }) => source);
  expect(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && !sources.includes(`docs/${name}`))).toEqual([]);
});

it('each link of each document leads somewhere', () => {
  const dead = documents.flatMap((path) => linksOf(path).filter((target) => {
    const [file, anchor] = target.split('#');
    const to = file === '' ? path : join(dirname(path), file!);
    return !existsSync(join(root, to)) || (anchor && to.endsWith('.md') && !anchorsOf(to).includes(anchor));
  }).map((target) => `${path}: ${target}`));
  expect(documents.length).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});

it.each(['docs/features.md', 'SECURITY.md'])('%s names what shows it', (path) => {
  expect(linksOf(path).length).toBeGreaterThan(20);
});

it.each([['onnx', 'operators.md', 200], ['tf', 'operators-tensorflow.md', 300], ['tflite', 'operators-tflite.md', 100],
  ['caffe', 'operators-caffe.md', 30], ['kaldi', 'operators-kaldi.md', 30], ['mxnet', 'operators-mxnet.md', 100], ['paddle', 'operators-paddle.md', 100], ['pytorch', 'operators-pytorch.md', 200]])('K-03 the operators of %s are published, each that the registry has', (front, page, least) => {
  const registered = [...readFileSync(join(root, `core/front/${front}/extract/operators.def`), 'utf8').matchAll(/^[A-Z]+_[A-Z]+\((?:\d+, )?(\w+),/gm)].map(([, name]) => name!);
  const published = new Set([...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^\| ?`?(?:\w+\.)*(\w+)/gm)].map(([, name]) => name!));
  expect(registered.length).toBeGreaterThan(least);
  expect(registered.filter((name) => !published.has(name))).toEqual([]);
});

describe('docs/features.md', () => {
  const rows = readFileSync(join(root, 'docs/features.md'), 'utf8').split('\n').filter((line) => /^\|(?! ?(?:#|feature|-))/.test(line)).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));

  it('has a test, or the words "not yet", for each feature', () => {
    const unproved = rows.filter((cells) => !/\]\(\.\.\/(?:tests\/|SECURITY)|not yet/.test(cells.at(-1)!));
    expect(rows.length).toBeGreaterThan(40);
    expect(unproved).toEqual([]);
  });

  it('has the 25 features in their order', () => {
    const numbers = rows.filter((cells) => cells.length === 3 && cells[0] !== '').map(([number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  });
});
