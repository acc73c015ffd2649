/** Each language of the page has all of its texts, and no others; messages in it keep names and numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { linesToTranslate, translationsFor } from '../../scripts/error-help.mjs';
import { LANGUAGES, languageFor } from '../../web/language/languages.js';
import { hintText, isWordless, told, wholeText } from '../../web/language/messages.js';
import { countText, ENGLISH, numberText, plural, speak, t, type Language, type Translation } from '../../web/language/texts.js';
import { DETAILS } from '../../web/language/zh-Hans/details.js';
import { ERRORS } from '../../web/language/zh-Hans/errors.js';
import { GRAPH } from '../../web/language/zh-Hans/graph.js';
import { HINTS } from '../../web/language/zh-Hans/hints.js';
import { IRS } from '../../web/language/zh-Hans/irs.js';
import chinese from '../../web/language/zh-Hans/language.js';
import { OPTIONS } from '../../web/language/zh-Hans/options.js';
import { PAGE } from '../../web/language/zh-Hans/page.js';
import { REPORT } from '../../web/language/zh-Hans/report.js';
import { RESULT } from '../../web/language/zh-Hans/result.js';
import { STATIC } from '../../web/language/zh-Hans/static.js';
import { titleOf } from '../../web/options/option-title.js';
import { message } from '../../wasm/library/shared/messages.js';
import { asTemplate, msg, withDetail } from '../../wasm/library/shared/msg.js';
import { OPTION_ROWS } from '../../wasm/library/shared/option-rows.js';
import { hintsIn, placesOf, sourceOf, sources, textsIn } from './language_support.js';
import { templatesOfCore, templatesOfHosts } from './message_templates.js';
import { root } from './support.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = sources();
const found = all.map(textsIn);
const inSource = new Set(found.flatMap(({ keys }) => keys));
/** The titles and helps of options that the form has. */
const ofOptions = OPTION_ROWS.filter(({ group, pageGroup }) => group !== 'Former' && pageGroup !== '').flatMap(({ name, help }) => [titleOf(name), help]);
const PARTS = { STATIC, PAGE, RESULT, IRS, GRAPH, REPORT, OPTIONS, HINTS };
const HAN = /\p{Script=Han}/u;
/** Endings of formats that are only recognised are rows of the same tables as their titles. */
const IS_ENDING = /^\.\w+(?: \.\w+)*$/;

afterEach(() => speak(ENGLISH));

/** The rows of the table of messages: code, sentence, what to do. */
function messages(): string[][] {
  const rows = read('docs/errors.md').matchAll(/^\| \[(MO\d{4})\]\([^)]*\) \| (.*?) \| (.*) \|$/gm);
  return Array.from(rows, ([, ...cells]) => cells.map((cell) => cell.replaceAll('\\|', '|'))).sort(([a], [b]) => (a! < b! ? -1 : 1));
}

/** All that the core and the page can say, as text. */
const said = (() => {
  const library = readdirSync(join(root, 'wasm/library'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts')).map((path) => read(`wasm/library/${path}`));
  const core = readFileSync(join(root, 'dist/library/shared/core.wasm'), 'latin1');
  return [...all.map(({ file }) => file.text), ...library].join('\n').replaceAll('\\', '') + core;
})();

describe('Chinese', () => {
  it('has each text of the source', () => {
    expect(inSource.size).toBeGreaterThan(300);
    expect([...inSource].filter((text) => !chinese.texts.has(text))).toEqual([]);
  });

  it('has the title and the help of each option', () => {
    expect(ofOptions.length).toBeGreaterThan(40);
    expect(ofOptions.filter((text) => !chinese.texts.has(text))).toEqual([]);
  });

  it('has the sentence and the hint of each message, and no others', () => {
    const rows = messages();
    expect(rows.length).toBeGreaterThan(140);
    expect(ERRORS.map(([code, sentence, , hint]) => [code, sentence, hint])).toEqual(rows);
    expect([...chinese.sentences.keys()]).toEqual(rows.map(([code]) => code));
  });

  it('has each line of the help pages, and no others', () => {
    const translations = translationsFor('zh-Hans') as Record<string, string>;
    expect(linesToTranslate().length).toBeGreaterThan(500);
    expect(Object.keys(translations).sort()).toEqual(linesToTranslate().sort());
    for (const [english, translation] of Object.entries(translations)) {
      const parts = (text: string) => (text.match(/`[^`]*`|\]\([^)]*\)/g) ?? []).sort();
      expect(parts(translation), english).toEqual(parts(english));
      expect(translation).toMatch(HAN);
    }
  });

  it('has no text that is not English any more', () => {
    const used = new Set([...inSource, ...ofOptions, ...Object.keys(STATIC)]);
    const { HINTS: hints, ...others } = PARTS;
    expect(Object.values(others).flatMap(Object.keys).filter((text) => !used.has(text))).toEqual([]);
    expect(Object.keys(hints).filter((hint) => !said.includes(hint))).toEqual([]);
  });

  it('has each template of a message of the core and of the hosts, and no others', () => {
    const { templates, faults } = templatesOfCore();
    const all = new Map([...templates, ...templatesOfHosts()]);
    expect(templates.size).toBeGreaterThan(1000);
    expect(faults).toEqual([]);
    const elsewhere = new Map([...Object.values(PARTS).flatMap(Object.entries), ...ERRORS.flatMap(([, a, b, c, d]) => [[a, b], [c, d]] as const)]);
    expect([...all].filter(([template]) => !(template in DETAILS) && !elsewhere.has(template) && !isWordless(template) && !IS_ENDING.test(template))).toEqual([]);
    expect(Object.keys(DETAILS).filter((template) => !all.has(template))).toEqual([]);
  });

  it('has each argument of a template once', () => {
    for (const [template, translation] of Object.entries(DETAILS)) {
      const places = Array.from(translation.matchAll(/\{(\d*)\}/g), ([, place], index) => (place === '' ? index : Number(place)));
      expect(places.sort((a, b) => a - b), template).toEqual(Array.from({ length: template.split('{}').length - 1 }, (_, index) => index));
    }
  });

  it('has the same places and elements in a text as English', () => {
    const pairs: [string, Translation][] = [...chinese.texts];
    for (const [english, translation] of pairs) {
      const text = typeof translation === 'string' ? translation : translation.other;
      expect(text.trim(), english).not.toBe('');
      // The key is the plural in English, so it is compared with the translation of the plural.
      expect(placesOf(text), english).toEqual(placesOf(english));
      const elements = (text: string) => (text.match(/<[^>]+>|&\w+;/g) ?? []).sort();
      if (english in STATIC) expect(elements(text), english).toEqual(elements(english));
    }
  });

  it('says one thing for one text', () => {
    const first = new Map<string, string>();
    const pairs = [...Object.values(PARTS).flatMap((part) => Object.entries(part)), ...ERRORS.flatMap(([, a, b, c, d]) => [[a, b], [c, d]] as const), ...Object.entries(DETAILS).filter(([english, translation]) => english !== translation)];
    for (const [english, translation] of pairs) {
      expect(first.get(english) ?? translation, english).toBe(translation);
      first.set(english, translation);
    }
    for (const part of Object.values(PARTS)) for (const other of Object.values(PARTS)) if (part !== other) expect(Object.keys(part).filter((text) => text in other)).toEqual([]);
  });
});

describe('the source', () => {
  it('shows no English text that has no key', () => {
    expect(found.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('is read for such texts', () => {
    const faults = (text: string) => textsIn(sourceOf('web/x.ts', text)).faults.length;
    for (const wrong of ["h('p', {}, 'Some words')", "h('p', {}, open ? 'Some words' : '')", 'fill(box, `${n} words`)', "button('Save', 'quiet', act)", "box.textContent = 'Some words'",
      "h('p', { 'aria-label': 'Some words' })", 't(words)', "plural(n, '{a} word', '{n} words')", "setText(box, 'title', 'Some words')"])
      expect(faults(wrong), wrong).toBe(1);
    for (const right of ["h('p', { class: 'hint wide' }, t('Some words'))", 'fill(box, `${n} · ${m}`)', "button(t('Save'), 'quiet primary', act)", "plural(n, '{n} word', '{n} words')", "h('p', { 'aria-label': t('Words') })"])
      expect(faults(right), right).toBe(0);
    expect(textsIn(sourceOf('web/x.ts', "countText(2, 'word'); compose(box, 'In {x}', {}); plural(n, 'one', 'more')")).keys).toEqual(['{n} words', 'In {x}', 'more']);
  });

  it('has no hint of a message that Chinese does not know', () => {
    const hints = all.flatMap(hintsIn);
    expect(hints.length).toBeGreaterThan(20);
    expect(hints.filter((hint) => !chinese.texts.has(hint))).toEqual([]);
  });
});

describe('a message', () => {
  const inChinese = (said: ReturnType<typeof msg>, code = '') => {
    speak(chinese);
    return told(message(code, said, ''));
  };

  it.each([
    [asTemplate('the file is empty'), '文件为空'],
    [withDetail('a file with weights is missing', msg`${'weights.bin'}`), '缺少权重文件：weights.bin'],
    [withDetail('the operation is not supported', msg`${'com.acme.Frobnicate'}`), '不支持该算子：com.acme.Frobnicate'],
    [withDetail('shapes contradict each other', msg`[${'1,7'}] times [${'8,8'}]: ${7} columns meet ${8} rows`), '形状相互矛盾：[1,7] 乘 [8,8]：7 列对 8 行'],
    [msg`${withDetail('shapes contradict each other', msg`[${'1,7'}] times [${'8,8'}]: ${7} columns meet ${8} rows`)}, in the else branch of "${'my if'}"`, '形状相互矛盾：[1,7] 乘 [8,8]：7 列对 8 行（位于 "my if" 的 else 分支中）'],
    [withDetail('an archive could not be read', msg`it is empty`), '无法读取压缩包：它是空的'],
    [withDetail('no node and no tensor of the model has this name', msg`No node with name ${'"a b"'}`), '模型中没有这个名称的节点或张量：没有名为 "a b" 的节点'],
    [withDetail('the operation is not supported', msg`${'StringNormalizer'}: ${asTemplate('an operation on texts')}`), '不支持该算子：StringNormalizer：它处理文本'],
    [withDetail('there is no such option', msg`unrecognized arguments: ${'--x y'}`), '没有这样的选项：无法识别的参数：--x y'],
  ])('%j', (said, translation) => {
    expect(inChinese(said)).toEqual({ text: translation, original: '' });
  });

  it('says an argument in the order of the language', () => {
    expect(inChinese(msg`extensions has ${asTemplate('a list')} for "${'a.js'}"`).text).toBe('extensions 中 "a.js" 的值是列表');
  });

  it('with a part that has no translation has the sentence of its code, and keeps itself apart', () => {
    const unknown = msg`${asTemplate('an extension failed')}: ${asTemplate('what nobody has said')}`;
    expect(inChinese(unknown, 'MO4004')).toEqual({ text: '扩展出错', original: 'what nobody has said' });
    expect(String(wholeText(message('MO4004', unknown, '')))).toBe('扩展出错（what nobody has said）');
    expect(inChinese(withDetail('an extension failed', msg`${'no such thing in my op'}`), 'MO4004')).toEqual({ text: '扩展出错', original: 'no such thing in my op' });
    expect(inChinese(asTemplate('something else'))).toEqual({ text: 'something else', original: '' });
  });

  it('has what to do', () => {
    speak(chinese);
    expect(String(hintText(message('', msg``, 'check --input_shape')))).toBe('请检查 --input_shape');
    const freeze = msg`${asTemplate('check --input_shape')}; if the model never takes this branch, freeze what decides: --input ${msg`"${'sr->VALUE'}"`}`;
    expect(String(hintText({ ...message('', msg``, ''), advice: freeze }))).toBe('请检查 --input_shape；如果模型从不进入此分支，请冻结决定分支的输入：--input "sr->VALUE"');
    expect(String(hintText(message('', msg``, 'what an extension says')))).toBe('what an extension says');
  });

  it('is what it is in English', () => {
    const said = withDetail('a file with weights is missing', msg`${'a b c'}`);
    expect(told(message('MO1006', said, ''))).toEqual({ text: 'a file with weights is missing: a b c', original: '' });
  });

  it('of a hostile model takes no time, and puts nothing of its own into a text', () => {
    const start = performance.now();
    for (const text of ['times '.repeat(5000), '_'.repeat(20_000), '{}'.repeat(500), 'x'.repeat(600), '{0}: {1}']) {
      inChinese(asTemplate(text));
      inChinese(withDetail('shapes contradict each other', msg`${text}`));
    }
    expect(performance.now() - start).toBeLessThan(2000);
    expect(inChinese(withDetail('a file with weights is missing', msg`${'{}{0}$&'}`)).text).toBe('缺少权重文件：{}{0}$&');
    expect(inChinese(withDetail('the file is empty', msg`${'__proto__'}`)).text).toBe('文件为空：__proto__');
  });
});

describe('a language', () => {
  it.each([
    [['zh-CN'], 'zh-Hans'], [['zh'], 'zh-Hans'], [['zh-SG', 'en'], 'zh-Hans'], [['zh-Hans-US'], 'zh-Hans'], [['en-GB', 'zh'], 'en'], [['de-DE', 'zh-CN', 'en'], 'zh-Hans'],
    [['zh-TW', 'en-US'], 'en'], [['zh-Hant'], 'en'], [['fr'], 'en'], [[], 'en'], [['x_y', '', 'zh-CN'], 'zh-Hans'],
  ])('for %j is %s', (wanted, tag) => {
    expect(languageFor(wanted)).toBe(tag);
  });

  it('is loaded by its tag', async () => {
    for (const { tag, load } of LANGUAGES) expect((await load()).tag).toBe(tag);
  });

  it('has its own forms for numbers', () => {
    const russian: Language = { ...ENGLISH, tag: 'ru', texts: new Map([['{n} models', { one: '{n} модель', few: '{n} модели', other: '{n} моделей' }]]) };
    const texts = [1, 2, 5, 21].map((count) => countText(count, 'model'));
    expect(texts.map(String)).toEqual(['1 model', '2 models', '5 models', '21 models']);
    speak(russian);
    expect(texts.map(String)).toEqual(['1 модель', '2 модели', '5 моделей', '21 модель']);
    expect(String(numberText(1234567))).toBe(new Intl.NumberFormat('ru').format(1234567));
    expect(String(plural(1, 'one {x}', 'more {x}', { x: 2 }))).toBe('one 2');
  });

  it('leaves braces alone where a text has no values', () => {
    expect(String(t('then [shape], {type} and ->value'))).toBe('then [shape], {type} and ->value');
    expect(OPTION_ROWS.some(({ help }) => help.includes('{type}'))).toBe(true);
  });
});
