/** The page in another language: chosen on it or by the browser, without a reload and without a request. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { STATIC } from '../../web/language/zh-Hans/static.js';
import { root } from '../js/support.js';
import { violations } from './axe_support.js';
import { choose, context, drop, folderWith, open, openOptions, page, shown, usePage, weightsAs } from './support.js';

usePage();

const KEY = 'mo.options.1';
const spoken = () => page.evaluate(() => document.documentElement.lang);
const kept = () => page.evaluate((key) => localStorage.getItem(key), KEY);

async function speak(language: 'en' | 'zh-Hans'): Promise<void> {
  await page.selectOption('#language', language);
  await expect.poll(spoken).toBe(language);
}

/** The browser's own languages, from the next visit on. */
const prefer = (...languages: string[]) =>
  context.addInitScript(`Object.defineProperty(Navigator.prototype, 'languages', { get: () => ${JSON.stringify(languages)}, configurable: true })`);

/** What can be read on the page, and what describes it: texts and attributes with words, but names and what is the same in every language. */
const words = () => page.evaluate(() => {
  const found = new Set<string>();
  const note = (text: string | null, element: Element) => {
    if (!text || !/[A-Za-z]{3,}/.test(text) || /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(text)) return;
    if (!element.closest('[hidden], [role=status], [role=alert], [translate=no], [lang=en], code, pre, kbd, script, style, noscript, .file-title, .graph-list, .button.link, .report-body :is(td, li, .quiet)')) found.add(text.trim());
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) note(node.data, node.parentElement!);
    else for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-valuetext', 'aria-roledescription']) note((node as Element).getAttribute(name), node as Element);
  }
  return [...found].sort();
});

/** Names of files and formats, of what runs the command, and of states that nobody sees. */
const NAMES = new Set(['TensorFlow', 'SHA-256', 'ONNX', 'tests', 'conv.xml', 'conv.bin', 'conv.onnx', 'unknown.onnx', 'weights.bin', 'boolean', 'bf16', 'ai.onnx 13', 'NAME->VALUE', 'English', '· CompressFloatConstants', '.xml', '.bin', '/conv', 'image', 'kernel_shape', 'pads', 'INT8', 'INT4']);
const untranslated = async () => (await words()).filter((text) => !NAMES.has(text) && !/^(?:\[.*\]|[fiu]\d+|\w+(?:\|\w+)+)$/.test(text));

/** How many pixels of the page stick out on the right. */
const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('the language', () => {
  it.each([[['zh-CN', 'en'], 'zh-Hans'], [['zh-TW', 'en-US'], 'en'], [['de', 'zh'], 'zh-Hans']] as const)('is that of the browser: %j', async (languages, expected) => {
    await prefer(...languages);
    await open('#input_shape=[1,3,32,32]&static_shape=True');
    await expect.poll(spoken).toBe(expected);
    expect(await page.locator('#language').inputValue()).toBe(expected);
    expect(await page.locator('#empty-title').innerText()).toContain(expected === 'en' ? 'Drop a model.' : '拖入模型');
    expect(await page.title()).toBe(expected === 'en' ? 'Models to OpenVINO IR' : '模型转换为 OpenVINO IR');
    expect(await page.locator('[name=input_shape]').inputValue()).toBe('[1,3,32,32]');
    expect(new URL(page.url()).hash).toBe('#input_shape=[1,3,32,32]&static_shape=True');
    expect(await kept()).toBeNull();
  });

  it('that is chosen is kept with the options, and forgotten with them', async () => {
    await speak('zh-Hans');
    await weightsAs('fp32');
    await expect.poll(async () => JSON.parse((await kept()) ?? '{}') as object).toEqual({ options: 'compress_to_fp16=False', look: false, language: 'zh-Hans' });
    await open('');
    await expect.poll(spoken).toBe('zh-Hans');
    await page.locator('#kept').waitFor();
    await page.getByRole('button', { name: '清除' }).click();
    await expect.poll(spoken).toBe('en');
    expect(await kept()).toBeNull();
    expect(await page.locator('#forget').isVisible()).toBe(false);
    await open('');
    expect(await spoken()).toBe('en');
  });

  it('alone is kept, too; the browser\'s own is no choice', async () => {
    await speak('zh-Hans');
    expect(JSON.parse((await kept())!)).toEqual({ options: '', look: false, language: 'zh-Hans' });
    await speak('en');
    expect(await kept()).toBeNull();
    for (const language of ['xx', 7, '__proto__', '<b>']) {
      await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [KEY, JSON.stringify({ options: '', look: false, language })]);
      await open('');
      expect([await spoken(), await page.locator('#language').inputValue()]).toEqual(['en', 'en']);
    }
  });

  it('changes what is there, and comes back, without touching the state of the page', async () => {
    await openOptions();
    await page.fill('[name=scale]', '0.5');
    await choose('conv.onnx');
    await shown('done');
    await page.locator('#done .help summary').click();
    await page.locator('#done .help').getByText('a number below 1', { exact: false }).waitFor();
    await page.locator('#card details').evaluate((details: HTMLDetailsElement) => (details.open = true));
    await expect.poll(() => page.locator('.digests code').count()).toBe(2);
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('1.8 KB');
    const english = await page.evaluate(() => document.body.innerText);
    const attributes = await words();
    await page.locator('#language').focus();
    await speak('zh-Hans');
    await expect.poll(() => page.locator('#done .help-body').textContent()).toContain('小于 1 的数');
    expect(await untranslated()).toEqual([]);
    expect(await page.locator('[name=scale]').inputValue()).toBe('0.5');
    expect(await page.title()).toBe('✓ conv.onnx');
    await choose('conv.onnx');
    await page.waitForFunction(() => document.getElementById('status')!.textContent!.includes('转换完成'));
    await choose('conv.onnx', 'unknown.onnx');
    await expect.poll(() => page.locator('#models .model-state').allTextContents()).toEqual(['已转换', '未转换：MO2001 不支持该算子：com.acme.Frobnicate']);
    expect(await untranslated()).toEqual([]);
    await speak('en');
    expect(await page.locator('#models .model-state').allTextContents()).toEqual(['Converted', 'Not converted: MO2001 the operation is not supported: com.acme.Frobnicate']);
    await choose('conv.onnx');
    await page.waitForFunction(() => document.getElementById('status')!.textContent!.includes('is converted'));
    await page.locator('#done .help summary').click();
    await page.locator('#done .help').getByText('a number below 1', { exact: false }).waitFor();
    await expect.poll(() => page.locator('.digests code').count()).toBe(2);
    const time = /\d+\.\d+ s/;
    // The sizes of the weights come when they are computed.
    await expect.poll(async () => (await page.evaluate(() => document.body.innerText)).replace(time, '')).toBe(english.replace(time, ''));
    expect(await words()).toEqual(attributes);
  });

  it('changes while a model is converted', async () => {
    await choose('long.onnx');
    await shown('working');
    await speak('zh-Hans');
    expect(await page.locator('#working .overline').textContent()).toBe('正在转换');
    expect(await page.locator('#rail').textContent()).toBe('加载提取前端推导中端布局后端生成写入');
    await page.keyboard.press('Escape');
    await shown('empty');
    expect(await page.locator('#status').textContent()).toBe('已取消。');
  });
});

describe.each([['light', 1280], ['dark', 1280], ['light', 360], ['dark', 360]] as const)('in Chinese (%s, %i pixels wide)', (colorScheme, width) => {
  it('a model goes its way from the drop to a result and to a failure', async () => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await speak('zh-Hans');
    const found: Record<string, unknown> = {};
    const see = async (state: string) => {
      found[state] = { axe: await violations(), english: await untranslated(), overflow: await overflow() };
    };
    await see('empty');
    await openOptions();
    await see('options');
    await page.check('#look');
    await drop('conv.onnx');
    await shown('ready');
    await page.locator('#card .support.good').waitFor();
    await page.locator('#card').getByLabel('形状').fill('[1,3');
    await page.locator('#card .messages').waitFor();
    await see('card');
    await page.locator('#cut-inputs').click();
    await page.locator('#cut-inputs-list [role=option]').first().waitFor();
    await see('places');
    await page.keyboard.press('Escape');
    await page.locator('#card').getByLabel('形状').fill('');
    await page.locator('#card .actions').getByRole('button', { name: '转换' }).click();
    await shown('done');
    await expect.poll(() => page.locator('.digests code').count()).toBe(2);
    await see('done');
    await page.getByRole('button', { name: '查看计算图' }).click();
    await page.locator('.graph-list [role=option]').nth(1).click();
    await page.getByRole('button', { name: '‹ 上一步' }).click();
    await see('graph');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '显示报告' }).click();
    await page.getByRole('dialog').waitFor();
    await see('report');
    await page.keyboard.press('Escape');
    await page.uncheck('#look');
    await choose('unknown.onnx');
    await shown('failed');
    await page.locator('#failed .help summary').first().click();
    await page.locator('#failed .help').getByText('用扩展说明它是什么').waitFor();
    await see('failed');
    await choose('external.onnx');
    await page.getByRole('button', { name: '添加缺少的文件…' }).first().waitFor();
    await see('missing');
    await page.fill('#line', 'mo a.onnx --bach 4');
    await page.click('#take-line');
    await page.locator('#line-error').waitFor();
    await see('line');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, { axe: [], english: [], overflow: 0 }])));
  }, 120_000);
});

describe('a message in Chinese', () => {
  it('whose detail has no translation shows it beneath, as it is', async () => {
    const text = "import { FrontReplacementPattern } from '@mo/wasm/extension';\n"
      + "export class Fails extends FrontReplacementPattern { findAndReplacePattern() { throw new Error('no such thing in my op'); } }\n";
    await speak('zh-Hans');
    await page.setInputFiles('#folder', folderWith({ 'my/front/one.js': text }));
    await page.locator('#extensions li').waitFor();
    await choose('conv.onnx');
    await shown('failed');
    expect(await page.locator('#failed strong').first().textContent()).toMatch(/^扩展出错/);
    const original = page.locator('#failed .message-original').first();
    expect(await original.textContent()).toContain('no such thing in my op');
    expect(await original.getAttribute('lang')).toBe('en');
    await speak('en');
    expect(await page.locator('#failed strong').first().textContent()).toContain('no such thing in my op');
    expect(await original.isVisible()).toBe(false);
  });

  it('marks the field that it is about', async () => {
    await speak('zh-Hans');
    await page.fill('[name=input_shape]', '[1,7');
    await choose('conv.onnx');
    await shown('failed');
    expect(await page.locator('#error-input_shape').textContent()).toBe('MO6003 形状的语法有误：--input_shape：无法解析输入形状 "[1,7"');
    expect(await page.locator('#alert').textContent()).toMatch(/^1 条消息。MO6003 形状的语法有误/);
  });
});

it('each text of index.html has a translation, and no other one has', async () => {
  const html = readFileSync(join(root, 'web/index.html'), 'utf8');
  // The page's own policy forbids to make a document of a text.
  const blank = await page.context().newPage();
  const texts = await blank.evaluate((html) => {
    const found: string[] = [];
    const visit = (element: Element): void => {
      if (element.matches('script, style, noscript, svg') || element.getAttribute('translate') === 'no') return;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) if (element.getAttribute(name)) found.push(element.getAttribute(name)!);
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue!.trim() !== '');
      if (hasText) found.push(element.childElementCount > 0 ? element.innerHTML.trim() : element.textContent!.trim());
      else [...element.children].forEach(visit);
    };
    visit(new DOMParser().parseFromString(html, 'text/html').body);
    return found;
  }, html);
  await blank.close();
  expect(texts.length).toBeGreaterThan(50);
  const { default: chinese } = await import('../../web/language/zh-Hans/language.js');
  expect(texts.filter((text) => !chinese.texts.has(text))).toEqual([]);
  expect(Object.keys(STATIC).filter((text) => !texts.includes(text))).toEqual([]);
});
