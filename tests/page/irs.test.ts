/** IRs that are brought to the page: what is wrong with each, and what differs between two. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compare, convert, verify } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe_support.js';
import { zip } from './archives.js';
import { condition } from './graph_models.js';
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

/** Brings files of the tests under other names. */
const bringAs = (files: Record<string, string>) => page.setInputFiles('#files', Object.entries(files).map(([name, from]) => ({ name, mimeType: '', buffer: readFileSync(model(from)) })));

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
  writeFileSync(model('long.bin'), new Uint8Array([...bytes, 0]));
  writeFileSync(model('old.bin'), bytes);
  writeFileSync(model('old.xml'), text.replace('version="11"', 'version="10"').replace(/<rt_info>\s*<MO_version[^]*<\/rt_info>/, '<meta_data><MO_version value="2021.4.0-3839-cd81789d294-releases/2021/4"/></meta_data>')
    .replaceAll(/<input>[^]*?<\/input>/g, (ports) => ports.replaceAll(/ precision="\w+"/g, '')));
  writeFileSync(model('if.onnx'), condition);
  const flow = await convert(model('if.onnx'));
  const body = flow.xml.indexOf('<then_body>');
  writeFileSync(model('flow.xml'), flow.xml.slice(0, body) + flow.xml.slice(body).replace('precision="FP32"', 'precision="FP99"'));
  await flow.bin.writeTo(model('flow.bin'));
  const layer = (id: string) => `<layer ${id} name="same" type="__proto__" version="1"><data __proto__="x" constructor="y"/><input><port id="0"/></input><output><port/></output></layer>`;
  writeFileSync(model('odd.xml'), `<net version="11"><layers>${layer('id="1"')}${layer('id="1"')}${layer('')}</layers><edges><edge from-layer="1" to-layer="9"/></edges></net>`);
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
    await bringAs({ 'conv.xml': 'conv.xml', 'conv.bin': 'short.bin' });
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

  it('that cannot be read is said to be so, and so is an .xml that is none', async () => {
    await drop('none.xml');
    await says('It cannot be read.');
    expect(await page.locator('#ir-title').innerText()).toBe('none.xml');
    for (const part of ['its root is mesh, want net', 'none.xml, line 1', 'the .xml of an IR of version 10 or 11']) await says(part);
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
    await expect.poll(taken).toEqual({ Model: ['conv.onnx'], 'Not a model that is read here: OpenVINO IR': ['conv.xml'] });
    expect(await textOf(page.locator('#taken'))).toContain('To verify it and to see its graph, bring it without a model');
  });

  it('is described: who wrote it, its inputs and outputs, its weights, and whether the .bin fits', async () => {
    await drop('conv.xml', 'conv.bin');
    await says('Nothing is wrong.');
    const { inputs: [input], outputs: [output], constants, rt_info } = await verify(model('conv.xml'));
    await says(`Written by ${rt_info.MO_version}`);
    const tables = await ir().locator('table').evaluateAll((all) => all.map((table) => [table.querySelector('caption')!.textContent, ...Array.from(table.querySelectorAll('tbody code'), (code) => code.textContent)]));
    expect(tables).toEqual([['Inputs', input!.name, input!.shape, input!.type], ['Outputs', output!.name, output!.shape, output!.type]]);
    const facts: Record<string, string> = Object.fromEntries(await ir().locator('.facts > div').evaluateAll((all) => all.map((row) => [row.querySelector('dt')!.textContent, row.querySelector('dd')!.textContent])));
    const [, size] = new RegExp(`^${constants} (\\d.*)$`).exec(facts['Constants']!)!;
    expect(facts['.bin']).toMatch(/ fits$/);
    await bringAs({ 'conv.xml': 'conv.xml', 'conv.bin': 'short.bin' });
    await says(`too short, ${size} are needed`);
    await bringAs({ 'conv.xml': 'conv.xml', 'conv.bin': 'long.bin' });
    await says('fits, only');
  });

  it('of version 10 is shown, with the Model Optimizer that wrote it', async () => {
    await drop('old.xml', 'old.bin');
    await says('Nothing is wrong.');
    await says('Version of IR 10');
    await says('Written by Model Optimizer 2021.4.0-3839-cd81789d294-releases/2021/4');
  });

  it('that lacks its .xml is asked for', async () => {
    await drop('conv.bin');
    await shown('failed');
    await says('.bin has weights alone', page.locator('#failed'));
    await says('the .xml of the IR with it', page.locator('#failed'));
  });

  it('in a folder beside a model is left alone, and the model is converted', async () => {
    const path = join(folderWith({ 'both.zip': zip(['conv.onnx', 'conv.xml', 'conv.bin'].map((name) => ({ path: `both/${name}`, content: readFileSync(model(name)) }))) }), 'both.zip');
    await page.setInputFiles('#files', path);
    await shown('done');
    expect(await ir().isVisible()).toBe(false);
    expect(Object.values(await taken()).flat()).toContain('both/both/conv.xml');
  });

  it('is spoken of in Chinese', async () => {
    await page.selectOption('#language', 'zh-Hans');
    await drop('wrong.xml', 'wrong.bin');
    await says('发现 1 个问题');
    await page.selectOption('#language', 'en');
    await says('1 finding');
  });
});

describe('the graph of an IR', () => {
  const dialog = () => page.locator('dialog.graph');
  const details = async () => (await page.locator('.graph-details').innerText()).replaceAll(/\s+/g, ' ');
  const drawn = () => page.waitForFunction(() => performance.getEntriesByName('mo-graph-result-all').length > 0);
  const nodes = () => page.locator('.graph-list [role=option] strong').allTextContents();

  it('has its nodes, with search, attributes and links', async () => {
    await drop('conv.xml', 'conv.bin');
    await says('Nothing is wrong.');
    await button('View graph').click();
    await drawn();
    const { operations, constants } = await verify(model('conv.xml'));
    expect((await nodes()).toSorted()).toEqual([...Object.entries(operations).flatMap(([type, count]) => Array<string>(count).fill(type)), ...Array<string>(constants).fill('Const')].toSorted());
    expect(await dialog().locator('h1').innerText()).toBe('conv.xml');
    expect(await dialog().locator('.graph-pane').count()).toBe(1);
    expect(await dialog().getByRole('radio').count()).toBe(0);
    expect(await dialog().getByText('Only with findings').isVisible()).toBe(false);
    await page.fill('#graph-search', 'CONVOL');
    await page.press('#graph-search', 'Enter');
    expect(await nodes()).toEqual(['Convolution']);
    const line = readFileSync(model('conv.xml'), 'utf8').split('\n').findIndex((text) => text.includes('type="Convolution"')) + 1;
    for (const part of ['strides 1, 1', 'opset1', `line ${line} of the file`, 'Read by', 'f32 [']) expect(await details()).toContain(part);
    await page.locator('.graph-details').getByRole('button').first().click();
    expect(await details()).not.toContain('strides');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('is opened at the node of a finding, which is marked in it', async () => {
    await drop('wrong.xml', 'wrong.bin');
    await says('1 finding');
    const { node, text } = (await verify(model('wrong.xml'))).messages[0]!;
    await card().locator('.messages').getByRole('button', { name: node, exact: true }).click();
    await drawn();
    for (const part of [node, 'Convolution', text.split(': ')[1]!, 'strides one']) expect(await details()).toContain(part);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('graph-details-title');
    await dialog().getByText('Only with findings').click();
    expect(await nodes()).toEqual(['Convolution']);
    expect(await page.locator('.graph-list em').innerText()).toBe('wrong');
    await button('Close', dialog()).click();
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('has bodies, and leads to a node in one', async () => {
    await drop('flow.xml', 'flow.bin');
    await says('1 finding');
    await card().locator('.messages .places').getByRole('button').click();
    await drawn();
    expect(await details()).toContain('then_body');
    expect(await dialog().locator('.graph-choice option').count()).toBe(3);
  });

  it('is that of a file in which everything may be wrong', async () => {
    await drop('odd.xml');
    await says('findings');
    await button('View graph').click();
    await drawn();
    expect((await nodes()).length).toBe(3);
  });
});

describe('a hostile .xml', () => {
  const hostile: Record<string, [text: string, said: string]> = {
    'entities.xml': ['<!DOCTYPE net [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><net name="&b;" version="11"/>', 'document type'],
    'deep.xml': [`<net version="11">${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</net>`, '400 elements in each other'],
    'cut.xml': ['<net name="a" version="11"><layers><layer id="0" name="', 'not XML'],
    'seven.xml': ['<net name="a" version="7"/>', 'version 7, want 10 or 11'],
  };

  it.each(Object.entries(hostile))('%s gives its message', async (name, [text, said]) => {
    writeFileSync(model(name), text);
    await drop(name);
    await says('It cannot be read.');
    await says(said);
    await says('MO5011');
  });

  it('has names of megabytes, with HTML and control characters: all are texts, and cut', async () => {
    const evil = `<img src=x onerror="document.title='broken in'">\u202e\u0007&#x202e;`.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\u0007', '&#x7;');
    const long = `${evil}${'n'.repeat(1 << 18)}`;
    const port = (id: number) => `<port id="${id}" precision="FP32" names="${long}"><dim>1</dim></port>`;
    const text = (name: string) => `<net name="${name}" version="11"><layers>
      <layer id="0" name="${name}" type="Parameter" version="opset1"><data shape="1" element_type="${name}"/><output>${port(0)}</output></layer>
      <layer id="1" name="${name}2" type="${name}" version="${name}"><data ${'a'.repeat(1000)}="${name}"/><input>${port(0)}</input><output>${port(1)}</output></layer>
      <layer id="2" name="r" type="Result" version="opset1"><input>${port(0)}</input></layer></layers>
      <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges><rt_info><MO_version value="${name}"/></rt_info></net>`;
    writeFileSync(model('evil.xml'), text(long));
    writeFileSync(model('evil2.xml'), text(`${long}x`));
    await drop('evil.xml');
    await says('finding');
    const check = async () => {
      expect(await page.locator('#ir img, .graph img').count()).toBe(0);
      expect(await page.title()).not.toContain('broken in');
      const shown = await page.locator('body').innerText();
      expect(shown.length).toBeLessThan(100_000);
      expect(shown).toContain('<img src=x');
      expect(shown).not.toMatch(/[\u202e\u0007]/);
    };
    await check();
    await button('View graph').click();
    await page.waitForFunction(() => performance.getEntriesByName('mo-graph-result-all').length > 0);
    await page.locator('.graph-list [role=option]').first().click();
    await check();
    await page.keyboard.press('Escape');
    await drop('evil2.xml');
    await says('difference');
    await check();
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

/** Nothing lies beyond the sides of the window, where nobody can scroll to. */
const fitsWidth = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);

it.each([1920, 390, 360])('nothing of IRs is beside the window, %i pixels wide', async (width) => {
  await page.setViewportSize({ width, height: 800 });
  await drop('wrong.xml');
  await says('MO5010');
  await fitsWidth();
  await drop('half.xml', 'half.bin');
  await says('difference');
  await fitsWidth();
});

describe.each(['light', 'dark'] as const)('axe finds nothing (%s)', (colorScheme) => {
  it.each([1280, 390])('on IRs, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drop('wrong.xml');
    await says('MO5010');
    expect(await violations()).toEqual([]);
    await fitsWidth();
    await card().locator('.messages .places').getByRole('button').first().click();
    await page.waitForFunction(() => performance.getEntriesByName('mo-graph-result-all').length > 0);
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await drop('half.xml', 'half.bin');
    await says('difference');
    expect(await violations()).toEqual([]);
    await fitsWidth();
    await choose('conv.xml', 'half.xml', 'other.xml');
    await expect.poll(() => page.locator('#ir .ir-card .support.bad').count()).toBe(3);
    expect(await violations()).toEqual([]);
    await fitsWidth();
  });
});
