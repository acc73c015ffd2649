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

const inChinese = (path: string): string => path.replace(/^docs\/(?!zh-Hans\/)/, 'docs/zh-Hans/');

/** Where a link leads, as the English document has it: the file, and the number of the heading instead of its words. */
function leadsTo(path: string, target: string): { file: string; target: string } {
  const [relative, anchor] = target.split('#');
  const file = relative === '' ? path : join(dirname(path), relative!);
  const heading = anchor && file.endsWith('.md') ? `#${anchorsOf(file).indexOf(anchor)}` : '';
  return { file, target: `${file.replace('docs/zh-Hans/', 'docs/').replace(/^(docs\/pictures\/.*)-zh-Hans-/, '$1-en-')}${heading}` };
}

const BLOCK = /^```[^]*?^```$|(?:^ {4}.*\n)+/gm;
const COMMENT = /(^|[^\S\n])[^\S\n]*(?:#|\/\/) .*$/gm;

/** What a translation keeps, section by section: of programs all but their comments. What scripts generate is theirs. */
function partsOf(path: string) {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/<!-- \w+:[^]*?<!-- end -->/g, '');
  const blocks = (text.match(BLOCK) ?? []).map((block) => block.replaceAll(COMMENT, '').replaceAll(/[^\S\n]+$/gm, '').trim());
  let block = 0;
  return text.replaceAll(BLOCK, '\0').split(/^(?=#+ )/m).map((prose) => ({
    text: prose,
    level: /^#*/.exec(prose)![0].length,
    blocks: Array.from(prose.matchAll(/\0/g), () => blocks[block++]!),
    words: (prose.match(/`[^`]+`/g) ?? []).map((word) => word.replaceAll(/\s+/g, ' ')).sort(),
    lines: Array.from(prose.matchAll(/^(?:\||- |\d\. )/gm), ([mark]) => mark),
    links: Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => (/^[a-z]+:/.test(target!) ? { file: '', target: target! } : leadsTo(path, target!)))
      .sort((a, b) => (a.target < b.target ? -1 : a.target > b.target ? 1 : 0)),
  }));
}

it('each document is a page of the site', () => {
  const sources = PAGES.map(({ source }) => source);
  for (const folder of ['docs', 'docs/zh-Hans', 'docs/recipes']) expect(readdirSync(join(root, folder)).filter((name) => name.endsWith('.md') && !sources.includes(`${folder}/${name}`))).toEqual([]);
});

/** A translation may be behind in words, but never in commands: headings, code, rows of tables and links are those of the English document. */
describe.each(readdirSync(join(root, 'docs/zh-Hans')).filter((name) => name.endsWith('.md')))('docs/zh-Hans/%s', (name) => {
  const english = partsOf(`docs/${name}`), chinese = partsOf(`docs/zh-Hans/${name}`);

  it('has the headings of the English document', () => {
    expect(chinese.map(({ level }) => level)).toEqual(english.map(({ level }) => level));
    for (const { text } of chinese) expect(text).toMatch(/\p{Script=Han}/u);
  });

  it('has its commands, names and programs in each section, but for comments', () => {
    expect(chinese.map(({ blocks }) => blocks)).toEqual(english.map(({ blocks }) => blocks));
    expect(chinese.map(({ words }) => words)).toEqual(english.map(({ words }) => words));
  });

  it('has its rows and items in each section', () => {
    expect(chinese.map(({ lines }) => lines)).toEqual(english.map(({ lines }) => lines));
  });

  it('has its links in each section, to pages in Chinese where there are', () => {
    expect(chinese.map(({ links }) => links.map(({ target }) => target))).toEqual(english.map(({ links }) => links.map(({ target }) => target)));
    expect(chinese.flatMap(({ links }) => links).filter(({ file }) => inChinese(file) !== file && existsSync(join(root, inChinese(file))))).toEqual([]);
  });
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

it('a document of more than 600 lines has its own contents, which leads to each of its parts', () => {
  const long = documents.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 600);
  const withoutLink = long.flatMap((path) => {
    const text = textOf(path);
    const contents = /^Contents: [^]*?\n\n/m.exec(text)?.[0] ?? '';
    const parts = text.slice(text.indexOf(contents) + contents.length);
    // A changelog has releases: their parts are named.
    const level = path === 'CHANGELOG.md' ? '###' : '##';
    return [...parts.matchAll(new RegExp(`^${level} (.*)$`, 'gm'))].map(([, heading]) => heading!).filter((heading) => {
      const anchor = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
      return !contents.includes(`](#${anchor})`);
    }).map((heading) => `${path}: ${heading}`);
  });
  expect(long.length).toBeGreaterThan(3);
  expect(withoutLink).toEqual([]);
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
