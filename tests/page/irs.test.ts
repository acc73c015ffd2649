/** IRs that are brought to the page: what is wrong with each, and what differs between two. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compare, convert, verify } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe_support.js';
import { zip } from './archives.js';
import { choose, drop, folderWith, model, page, shown, taken, usePage } from './support.js';

usePage();

const ir = () => page.locator('#ir');
const card = (index = 0) => page.locator('#ir .ir-card').nth(index);
const textOf = async (where = ir()) => (await where.innerText()).replaceAll(/\s+/g, ' ');
const says = (text: string, where = ir()) => expect.poll(() => textOf(where)).toContain(text);
const button = (name: string, where = ir()) => where.getByRole('button', { name, exact: true });
const differences = () => page.locator('#ir .differences').evaluateAll((parts) => Object.fromEntries(parts.map((part) => [
  part.querySelector('h3')!.firstChild!.textContent, [...part.querySelectorAll('li')].map((row) => [...row.querySelectorAll('code')].map((code) => code.textContent)),
] as const)));

async function save(name: string, options = {}): Promise<void> {
  const { xml, bin } = await convert(model('conv.onnx'), options);
  writeFileSync(model(`${name}.xml`), xml);
  await bin.writeTo(model(`${name}.bin`));
}

/** What a button saves: its name and content. */
async function savedJson(where = ir()): Promise<[name: string, content: unknown]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button('Save .json', where).click()]);
  return [download.suggestedFilename(), JSON.parse(readFileSync(await download.path(), 'utf8'))];
}

beforeAll(async () => {
  await save('conv');
  await save('half', { compress_to_fp16: true });
  const text = readFileSync(model('conv.xml'), 'utf8');
  writeFileSync(model('wrong.xml'), text.replace('strides="1, 1"', 'strides="one"'));
  writeFileSync(model('wrong.bin'), readFileSync(model('conv.bin')));
  const bytes = readFileSync(model('conv.bin'));
  writeFileSync(model('other.xml'), text);
  writeFileSync(model('other.bin'), bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte)));
  writeFileSync(model('short.bin'), bytes.subarray(1));
  writeFileSync(model('none.xml'), '<mesh/>');
  writeFileSync(model('broken.xml'), '<net name="broken" version="11"><layers>');
});

describe('an IR', () => {
  it('that is right is said to be so, with what it is', async () => {
    await drop('conv.xml', 'conv.bin');
    await shown('ir');
    await says('Nothing is wrong.');
    expect(await page.locator('#ir-title').innerText()).toBe('conv.xml');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ir-title');
    expect(await textOf()).toContain('Version of IR 11');
    expect(await page.locator('#taken').isVisible()).toBe(false);
    expect(await page.locator('#ir .messages, #ir .comparing').count()).toBe(0);
    await expect.poll(() => page.locator('#status').innerText()).toBe('conv.xml: Nothing is wrong.');
    const [name, content] = await savedJson();
    expect(name).toBe('conv.xml.verify.json');
    expect(content).toEqual({ model: 'conv.xml', ...(await verify(model('conv.xml'))) });
  });

  it('that is wrong is shown with each finding, its place and what to do', async () => {
    await drop('wrong.xml', 'wrong.bin');
    await says('1 finding');
    const { text, hint, node, line } = (await verify(model('wrong.xml'))).messages[0]!;
    const said = (await textOf(card().locator('.messages'))).toLowerCase();
    for (const part of ['MO5010', text, hint, node, 'Convolution', `wrong.xml, line ${line}`]) expect(said).toContain(part.toLowerCase());
    expect(await button('Copy messages').isVisible()).toBe(true);
    expect((await savedJson())[1]).toMatchObject({ model: 'wrong.xml', ok: false, messages: [{ code: 'MO5010' }] });
  });

  it('with a .bin that is too short is wrong', async () => {
    await page.setInputFiles('#files', [{ name: 'conv.xml', mimeType: '', buffer: readFileSync(model('conv.xml')) }, { name: 'conv.bin', mimeType: '', buffer: readFileSync(model('short.bin')) }]);
    await says('1 finding');
    await says('MO5010');
  });

  it('that comes alone asks for its .bin, which may come later', async () => {
    await drop('conv.xml');
    await says('The IR keeps its weights in conv.bin. Drop it here, or choose it, to go on.');
    await says('MO5010');
    // What is not meant changes nothing.
    await drop('half.bin');
    await expect.poll(taken).toEqual({ 'Not needed so far': ['half.bin'] });
    await says('The IR keeps its weights in conv.bin.');
    await drop('conv.bin');
    await says('Nothing is wrong.');
    expect(await card().locator('.missing').count()).toBe(0);
    expect(await page.locator('#taken').isVisible()).toBe(false);
  });

  it('in an archive is verified, too', async () => {
    const path = join(folderWith({ 'pair.zip': zip(['conv.xml', 'conv.bin'].map((name) => ({ path: `ir/${name}`, content: readFileSync(model(name)) }))) }), 'pair.zip');
    await page.setInputFiles('#files', path);
    await says('Nothing is wrong.');
  });

  it('that cannot be read is said to be so, and an .xml that is none is no model', async () => {
    await drop('none.xml');
    await shown('failed');
    expect(await ir().isVisible()).toBe(false);
    expect(await page.locator('#failed-title').innerText()).toBe('none.xml');
    await drop('broken.xml');
    await says('It cannot be read.');
    await says('MO5011');
  });

  it('takes the place of a model, and a model that of an IR', async () => {
    await choose('conv.onnx');
    await shown('done');
    await choose('conv.xml', 'conv.bin');
    await says('Nothing is wrong.');
    expect(await page.locator('#done, #card, #again').filter({ visible: true }).count()).toBe(0);
    await choose('conv.onnx');
    await shown('done');
    expect(await ir().isVisible()).toBe(false);
    // Beside a model it is what it always was.
    await choose('conv.onnx', 'conv.xml');
    await expect.poll(taken).toEqual({ Model: ['conv.onnx'], 'Not a model for here: OpenVINO IR': ['conv.xml'] });
  });

  it('is spoken of in Chinese', async () => {
    await page.selectOption('#language', 'zh-Hans');
    await drop('wrong.xml', 'wrong.bin');
    await says('发现 1 个问题');
    await page.selectOption('#language', 'en');
    await says('1 finding');
  });
});

describe('two IRs', () => {
  it('of one name that are the same differ in nothing', async () => {
    const files = Object.fromEntries(['a', 'b'].flatMap((folder) => ['conv.xml', 'conv.bin'].map((name) => [`${folder}/${name}`, readFileSync(model(name))] as const)));
    const folder = folderWith(files);
    await page.setInputFiles('#folder', folder);
    await says('Nothing differs.');
    await says('by contents');
    expect(await page.locator('#ir .ir-card h2').allInnerTexts()).toEqual(['a', 'b'].map((name, index) => `${'AB'[index]} ${basename(folder)}/${name}/conv.xml`));
    expect(await page.locator('#ir .ir-card .support.good').count()).toBe(2);
  });

  it('that differ are shown side by side, as the command says it', async () => {
    await drop('conv.xml', 'conv.bin', 'half.xml', 'half.bin');
    const { text, ...found } = await compare(model('conv.xml'), model('half.xml'), { hash: true });
    const [count] = Object.values(found.counts);
    await says(`${count} difference`);
    const { names: [layer], values: [a, b] } = found.differences[0]!;
    expect((await differences())['Types and shapes of constants']).toContainEqual(expect.arrayContaining([layer, a, b]));
    await page.getByText('As mo --compare prints it').click();
    expect(await page.locator('#ir pre').innerText()).toBe(text);
    const [name, content] = await savedJson(page.locator('#ir .comparing'));
    expect([name, content]).toEqual(['conv.xml.compare.json', { a: 'conv.xml', b: 'half.xml', ok: true, ...found, messages: [] }]);
  });

  it('of which the second comes later, and that differ only in contents', async () => {
    await drop('conv.xml', 'conv.bin');
    await says('Nothing is wrong.');
    await drop('other.xml', 'other.bin');
    await says('1 difference');
    expect(Object.keys(await differences())).toEqual(['Contents of constants']);
    await ir().getByRole('switch').uncheck();
    await says('Nothing differs.');
    await says('by place and size');
    await ir().getByRole('switch').check();
    await says('1 difference');
    await expect.poll(() => page.locator('#status').innerText()).toBe('conv.xml and other.xml: 1 difference');
  });

  it('without .bin are compared by places', async () => {
    await drop('conv.xml', 'wrong.xml');
    await says('1 difference');
    expect(await differences()).toEqual({ Attributes: [[expect.any(String), '1, 1', 'one']] });
    expect(await ir().getByRole('switch').isDisabled()).toBe(true);
  });

  it('of which one cannot be read are not compared, and it is named', async () => {
    await drop('conv.xml', 'broken.xml');
    await says('MO5011', page.locator('#ir .comparing'));
    await says('broken.xml', page.locator('#ir .comparing'));
  });

  it('are chosen among more', async () => {
    await choose('conv.xml', 'conv.bin', 'half.xml', 'half.bin', 'other.xml', 'other.bin');
    await expect.poll(() => page.locator('#ir .ir-card .support.good').count()).toBe(3);
    await button('Compare').click();
    await says('difference');
    await page.locator('#ir select').nth(1).selectOption('other.xml');
    await says('1 difference');
    expect(Object.keys(await differences())).toEqual(['Contents of constants']);
  });
});

describe.each(['light', 'dark'] as const)('axe finds nothing (%s)', (colorScheme) => {
  it.each([1280, 360])('on IRs, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drop('wrong.xml');
    await says('MO5010');
    expect(await violations()).toEqual([]);
    await drop('half.xml', 'half.bin');
    await says('difference');
    expect(await violations()).toEqual([]);
    await choose('conv.xml', 'half.xml', 'other.xml');
    await expect.poll(() => page.locator('#ir .ir-card .support.bad').count()).toBe(3);
    expect(await violations()).toEqual([]);
  });
});
