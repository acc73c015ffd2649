/** The documents beside the page: build/web/docs/, by scripts/build-docs.mjs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

import { root } from '../js/support.js';
import { violations } from './axe_support.js';
import { complaints, forgetRequests, page, usePage } from './support.js';

const site = join(root, 'build/web/docs');
const files = new Set(readdirSync(site, { recursive: true }) as string[]);
const pages = [...files].filter((path) => path.endsWith('.html') && path !== '404.html');
const textOf = (path: string) => readFileSync(join(site, path), 'utf8');

describe('the documents', () => {
  it('have a page for each message, the API, and each document', () => {
    const codes = readdirSync(join(root, 'docs/errors')).map((name) => `errors/${name.replace('.md', '.html')}`);
    for (const path of ['index.html', 'start.html', 'extending.html', 'features.html', 'security.html', 'api/library/browser/browser.html', 'api/extension/api.html', ...codes])
      expect(pages).toContain(path);
    expect(textOf('api/library/browser/browser.html')).toContain('Converts a model in a Web Worker');
  });

  it('name nothing that is not there, and no file of another place', () => {
    const wrong = pages.flatMap((path) => [...textOf(path).matchAll(/<(a|link|script|img)\b[^>]*? (?:href|src)="([^"]*)"/g)].flatMap(([, tag, target]) => {
      if (/^(?:https?:|mailto:)/.test(target!)) return tag === 'a' ? [] : [`${path}: ${target}`];
      const file = posix.normalize(posix.join(posix.dirname(path), target!.split('#')[0]!));
      return target!.startsWith('#') || files.has(file) || file === '../index.html' ? [] : [`${path}: ${target}`];
    }));
    expect(wrong).toEqual([]);
  });

  it('have what their links to a part of a page name', () => {
    const ids = new Map(pages.map((path) => [path, new Set([...textOf(path).matchAll(/ (?:id|name)="([^"]+)"/g)].map(([, id]) => id))]));
    const dead = pages.flatMap((path) => [...textOf(path).matchAll(/<a\b[^>]* href="([^":]*)#([^"]+)"/g)].filter(([, file, part]) => {
      const there = ids.get(file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file!)));
      return there && !there.has(decodeURIComponent(part!));
    }).map(([, file, part]) => `${path}: ${file}#${part}`));
    expect(dead).toEqual([]);
  });

  it('are in Chinese for start, frameworks and problems, and say which language they have', () => {
    const codes = readdirSync(join(root, 'docs/errors')).map((name) => `zh-Hans/errors/${name.replace('.md', '.html')}`);
    const documents = readdirSync(join(root, 'docs/zh-Hans')).map((name) => `zh-Hans/${name.replace('.md', '.html')}`);
    for (const path of ['zh-Hans/index.html', 'zh-Hans/search.html', ...documents, ...codes]) expect(pages).toContain(path);
    expect(documents.length).toBeGreaterThan(10);
    expect(pages.filter((path) => !textOf(path).includes(path.startsWith('zh-Hans/') ? '<html lang="zh-Hans"' : '<html lang="en"'))).toEqual([]);
    // Pages of messages are put together of translated lines, in which none is left out.
    const untranslated = codes.filter((path) => !/<h1 [^>]*>MO\d+：.*\p{Script=Han}/u.test(textOf(path)) || !textOf(path).includes('处理方法'));
    expect(untranslated).toEqual([]);
  });

  it('have no style or script in their text, which the policy forbids', () => {
    expect(pages.filter((path) => / style="|<style|<script>|\son\w+="/.test(textOf(path)))).toEqual([]);
  });
});

describe('the site', () => {
  usePage({ start: 'docs/index.html' });

  it('opens from the page, and leads back to it, without a complaint', async () => {
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/docs/index.html`);
    await page.getByRole('link', { name: 'All messages' }).first().click();
    await page.getByRole('link', { name: 'MO2001' }).first().click();
    await page.getByRole('heading', { name: 'MO2001: the operation is not supported' }).waitFor();
    await page.getByRole('link', { name: 'Converter' }).first().click();
    await page.locator('#empty').waitFor({ state: 'visible' });
    forgetRequests();
  });

  it('follows the colours of the system', async () => {
    const { origin } = new URL(page.url());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${origin}/docs/errors/MO2001.html`);
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
    forgetRequests();
  });

  it('finds words without a network, from a disk too', async () => {
    const { origin } = new URL(page.url());
    for (const url of [`${origin}/docs/search.html`, `file://${join(site, 'search.html')}`]) {
      await page.goto(url);
      await page.fill('#words', 'MO2001');
      const first = page.locator('.search-list a').first();
      await first.waitFor();
      expect(await first.getAttribute('href')).toContain('MO2001');
      await page.fill('#words', 'no such words anywhere <b>');
      expect(await page.locator('.search-count').innerText()).toBe('Nothing found.');
    }
    expect(complaints).toEqual([]);
    forgetRequests();
  });

  it('changes the language of a page, and of the whole where a page has only one', async () => {
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/docs/caffe.html`);
    await page.getByRole('link', { name: '简体中文' }).click();
    await page.getByRole('heading', { name: 'Caffe 模型', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'MO6019' }).first().click();
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'MO6019：' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'MO6019: two options must not be used together' }).waitFor();
    await page.goto(`${origin}/docs/extending.html`);
    await page.getByRole('link', { name: '简体中文' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs/zh-Hans/index.html');
    forgetRequests();
  });

  it('finds words in Chinese, which have no spaces between them, and English pages behind them', async () => {
    const { origin } = new URL(page.url());
    for (const url of [`${origin}/docs/zh-Hans/search.html`, `file://${join(site, 'zh-Hans/search.html')}`]) {
      await page.goto(url);
      const addresses = async (words: string) => {
        await page.fill('#words', words);
        await page.locator('.search-list a').first().waitFor();
        return page.locator('.search-list a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
      };
      expect((await addresses('缺少权重文件'))[0]).toContain('/zh-Hans/');
      expect((await addresses('MO2001'))[0]).toContain('/zh-Hans/errors/MO2001.html');
      const found = await addresses('group_size_fallback');
      expect(found[0]).toContain('/zh-Hans/');
      expect(await page.locator('.search-list li[lang=en]').count()).toBeGreaterThan(0);
      // A page that there is in Chinese is not found in English, too.
      expect(found.filter((address) => /\/docs\/(?:start|tensorflow|caffe)\.html/.test(address))).toEqual([]);
      await page.fill('#words', 'zzzz');
      expect(await page.locator('.search-count').innerText()).toBe('未找到结果。');
    }
    expect(complaints).toEqual([]);
    forgetRequests();
  });

  it('begins with a picture, the formats and a choice of roads', async () => {
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/docs/index.html`);
    expect(await page.locator('.VPFeature').count()).toBe(8);
    await page.locator('.VPHero img:visible').waitFor();
    expect(await page.evaluate(() => [...document.images].every(({ naturalWidth, complete }) => complete && naturalWidth > 0))).toBe(true);
    await page.getByRole('link', { name: 'an extension', exact: true }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    forgetRequests();
  });

  // scripts/axe-site.mjs looks at all pages.
  it.each(['index', 'search', 'start', 'zoo', 'walk', 'onnx', 'operators', 'tensorflow', 'tflite', 'caffe', 'paddle', 'mxnet', 'pytorch', 'kaldi', 'recipes', 'recipes/mobilenet-ssd', 'deploying', 'options', 'errors',
    'errors/MO2001', 'library', 'glossary', 'changelog', 'security', 'verify', 'api/extension/types', 'api/library/node/node', 'zh-Hans/index', 'zh-Hans/search', 'zh-Hans/start', 'zh-Hans/pytorch', 'zh-Hans/errors/MO2001'])('has no violation that axe finds: %s', async (name) => {
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/docs/${name}.html`);
    if (name.endsWith('search')) await page.fill('#words', 'layout');
    expect(await violations()).toEqual([]);
    forgetRequests();
  });

  it.each(['onnx', 'operators', 'tensorflow', 'tflite', 'caffe', 'paddle', 'mxnet', 'pytorch', 'kaldi'].flatMap((name) => [name, `zh-Hans/${name}`]))('has the first command of a framework on the first screen: %s', async (name) => {
    const { origin } = new URL(page.url());
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${origin}/docs/${name}.html`);
    const command = (await page.locator('.vp-doc pre', { hasText: /\bmo \S/ }).first().boundingBox())!;
    expect(command.y + command.height).toBeLessThanOrEqual(800);
    forgetRequests();
  });

  it.each([390, 1280])('is never wider than the window: %i pixels', async (width) => {
    const { origin } = new URL(page.url());
    await page.setViewportSize({ width, height: 800 });
    const wide = [];
    for (const path of pages.filter((path) => !/errors\/(?!MO2001)/.test(path))) {
      await page.goto(`${origin}/docs/${path}`);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(path);
    }
    expect(wide).toEqual([]);
    forgetRequests();
  }, 300_000);

  it('opens from a disk', async () => {
    await page.goto(`file://${join(site, 'errors/MO2001.html')}`);
    const fonts = await page.evaluate(() => getComputedStyle(document.querySelector('h1')!).fontWeight);
    expect(Number(fonts)).toBeGreaterThanOrEqual(600);
    expect(complaints).toEqual([]);
    forgetRequests();
  });
});
