/** The card of a model: what it is before it is converted, and what shall become of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { longNet } from '../js/models.js';
import { writeOnnx } from '../js/onnx_writer.js';
import { nativeFiles } from '../js/support.js';
import { zip } from './archives.js';
import { choose, drop, folderWith, model, page, row, saved, shown, usePage, weightsAs } from './support.js';

usePage();

const option = (name: string) => page.locator(`#options [name=${name}]`);
const cell = (port: string, label: string) => page.locator('#card').getByRole('group', { name: port }).getByLabel(label);
const line = () => page.locator('#command-mo').innerText();
const button = (name: string) => page.locator('#card').getByRole('button', { name, exact: true });
const says = (text: string) => expect.poll(async () => (await page.locator('#card').innerText()).replaceAll(/\s+/g, ' '), { timeout: 20_000 }).toContain(text);
const lookFirst = () => page.check('#look');
const facts = async () => Object.fromEntries(await page.locator('#card .facts > div').evaluateAll((facts) =>
  facts.map((fact) => [fact.querySelector('dt')!.textContent, fact.querySelector('dd')!.textContent] as const))) as Record<string, string>;
const file = (name: string, content: Uint8Array) => join(folderWith({ [name]: content }), name);
const openPorts = () => page.locator('#card details').first().evaluate((details: HTMLDetailsElement) => (details.open = true));

describe('a model that is dropped', () => {
  it('is described while it is converted at once, and the card stays beside the result', async () => {
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      const visible = (id: string) => !document.getElementById(id)!.hidden;
      new MutationObserver(() => {
        const now = [visible('card') && 'card', document.querySelectorAll('#card dt').length > 3 && 'facts', visible('working') && 'working', visible('done') && 'done'];
        for (const one of now) if (one !== false && !seen.includes(one)) seen.push(one);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await drop('long.onnx');
    await shown('done');
    // The conversion takes several times as long as the look at the model, which does not wait for it.
    expect(await page.evaluate(() => (globalThis as never as { seen: string[] }).seen)).toEqual(['card', 'working', 'facts', 'done']);
    await drop('conv.onnx');
    await page.locator('#done-title', { hasText: 'conv.onnx' }).waitFor();
    await says('All operations are supported.');
    expect(await facts()).toEqual({
      Format: 'ONNX', Producer: 'tests', 'Operator sets': 'ai.onnx 13, com.acme 1', Operations: '3 of 3 types', Constants: '5 2.0 KB', '.bin, about': '992 bytes 2.0 KB without FP16',
    });
    await weightsAs('fp32');
    expect((await facts())['.bin, about']).toBe('2.0 KB 992 bytes as FP16');
    // What takes no time is converted again by itself.
    await expect.poll(() => button('Convert again').isVisible()).toBe(false);
  });

  it('is changed in its fields, converted again, and follows a pasted line', async () => {
    await choose('conv.onnx');
    await shown('done');
    expect(await button('Convert again').isVisible()).toBe(false);
    await openPorts();
    await cell('image', 'Shape').fill('1,3,32,32');
    expect(await option('input_shape').inputValue()).toBe('[1,3,32,32]');
    await cell('image', 'Mean').fill('1,2,3');
    await cell('image', 'Scale').fill('4');
    await cell('image', 'Layout').fill('nchw->nhwc');
    await cell('image', 'Type').selectOption('f32');
    expect(await line()).toBe("mo conv.onnx --input 'image[1,3,32,32]{f32}' --mean_values 'image(1,2,3)' --scale_values 'image(4)' --layout 'image(nchw->nhwc)'");
    await expect.poll(() => page.locator('#done').innerText()).toContain('[1,32,32,3]');
    const options = ['--input', 'image[1,3,32,32]{f32}', '--mean_values', 'image(1,2,3)', '--scale_values', 'image(4)', '--layout', 'image(nchw->nhwc)'];
    expect(await saved()).toMatchObject({ bin: nativeFiles(model('conv.onnx'), options, 'conv').bin, xml: nativeFiles(model('conv.onnx'), options, 'conv').xml });
    await page.fill('#line', 'mo conv.onnx --input_shape [2,3,32,32] --scale 255 --output c');
    await page.click('#take-line');
    await expect.poll(() => cell('image', 'Shape').inputValue()).toBe('[2,3,32,32]');
    expect(await Promise.all(['Mean', 'Scale', 'Layout', 'Type'].map((label) => cell('image', label).inputValue()))).toEqual(['', '255', '', '']);
    await says('No output now: result');
    expect(await page.locator('.understood li').allInnerTexts()).toEqual(['--output c', '--input_shape [2,3,32,32]', '--scale 255']);
    // One operation is left.
    await expect.poll(async () => (await facts())['Operations']).toBe('1 of 1 type');
  });

  it('W-06 gets the shapes of its inputs by their names', async () => {
    const net = writeOnnx({
      nodes: [{ op: 'MatMul', name: '/product', inputs: ['rows', 'columns'], outputs: ['y'] }], weights: [],
      inputs: [{ name: 'rows', shape: [2, 4] }, { name: 'columns', shape: [4, 3] }], outputs: [{ name: 'y', shape: ['m', 'n'] }],
    });
    const path = file('two.onnx', net);
    await page.setInputFiles('#files', path);
    await shown('done');
    await openPorts();
    await cell('columns', 'Shape').fill('[4,7]');
    expect(await line()).toBe("mo two.onnx --input_shape '[2,4],[4,7]'");
    await expect.poll(() => page.locator('#done').innerText()).toContain('[2,7]');
    await page.locator('#done .stale').waitFor({ state: 'hidden' });
    expect((await saved()).xml).toEqual(nativeFiles(path, ['--input_shape', '[2,4],[4,7]'], 'two').xml);
    // In a line that names them they may have another order.
    await page.fill('#line', 'mo two.onnx --input columns[4,9],rows[5,4]');
    await page.click('#take-line');
    await expect.poll(() => cell('rows', 'Shape').inputValue()).toBe('[5,4]');
    expect(await cell('columns', 'Shape').inputValue()).toBe('[4,9]');
    await expect.poll(() => page.locator('#done').innerText()).toContain('[5,9]');
    await page.locator('#done .stale').waitFor({ state: 'hidden' });
    expect((await saved()).xml).toEqual(nativeFiles(path, ['--input', 'columns[4,9],rows[5,4]'], 'two').xml);
  });

  it('that is cancelled takes the look at it along', async () => {
    const workers = page.workers();
    await page.setInputFiles('#files', file('huge.onnx', longNet(100_000)));
    await shown('working');
    await page.keyboard.press('Escape');
    await shown('empty');
    await expect.poll(() => page.workers().filter((worker) => workers.includes(worker)).length).toBe(0);
    expect(await page.locator('#card').isVisible()).toBe(false);
    await choose('conv.onnx');
    await shown('done');
    await says('All operations are supported.');
  });

  it('is cut before what is not supported, which the card names', async () => {
    await choose('unknown.onnx');
    await shown('failed');
    await says('2 operations are not supported: Frobnicate: /frob_1 Defrobnicate: /frob_2');
    await openPorts();
    await page.getByLabel('End at another node or tensor').fill('r');
    await page.keyboard.press('Enter');
    await says('1 operation is not supported');
    await page.getByLabel('Begin at another node or tensor').fill('a,b');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Begin at another node or tensor').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Begin at another node or tensor').fill('h');
    await page.keyboard.press('Enter');
    await says('All operations are supported.');
    expect(await line()).toBe('mo unknown.onnx --input h --output r');
    await cell('h', 'Shape').fill('[1,8]');
    await button('Convert again').click();
    await shown('done');
    // What was cut off comes back.
    await button('Take out h').click();
    await button('Keep y').click();
    expect(await line()).toBe("mo unknown.onnx --output 'r,y'");
    await button('Take out r').click();
    expect(await line()).toBe('mo unknown.onnx');
  });
});

describe('the list of places', () => {
  const field = (title: 'Begin' | 'End') => page.getByLabel(`${title} at another node or tensor`);
  const options = () => page.locator('#card .place-list:visible [role=option]');
  const texts = () => options().allInnerTexts();
  const status = () => page.locator('#card .place-list:visible .place-status').innerText();

  it('opens with the keyboard, is searched, and gives the name to cut at', async () => {
    await choose('unknown.onnx');
    await shown('failed');
    await openPorts();
    const end = field('End');
    await end.focus();
    expect(await options().count()).toBe(0);
    expect(await end.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await expect.poll(texts).toEqual(['h output of com.acme.Frobnicate /frob_1 not supported', 'r output of Relu /relu', 'y output of com.acme.Defrobnicate /frob_2 not supported']);
    expect(await status()).toBe('3 places');
    expect(await end.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowUp');
    expect(await end.getAttribute('aria-activedescendant')).toBe(await page.locator('#card [aria-selected=true]').getAttribute('id'));
    expect(await page.locator('#card [aria-selected=true] code').innerText()).toBe('y');
    // Escape closes the list, and nothing else.
    await page.keyboard.press('Escape');
    expect(await options().count()).toBe(0);
    expect(await end.getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.type('relu');
    await expect.poll(texts).toEqual(['r output of Relu /relu']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await end.inputValue()).toBe('r');
    expect(await options().count()).toBe(0);
    await page.keyboard.press('Enter');
    await says('1 operation is not supported');
    expect(await line()).toBe('mo unknown.onnx --output r');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('cut-outputs');
    expect(await field('End').inputValue()).toBe('');
    // With the mouse, and with a port.
    await field('Begin').click();
    await field('Begin').fill('0:/re');
    await options().filter({ hasText: '0:/relu' }).click();
    expect(await field('Begin').inputValue()).toBe('0:/relu');
    await page.locator('#card .cut').first().getByRole('button', { name: 'Cut here' }).click();
    await says('All operations are supported.');
    expect(await line()).toBe('mo unknown.onnx --input 0:/relu --output r');
    await field('Begin').fill('nothing of the kind');
    await expect.poll(status).toBe('No node or tensor has such a name.');
    // Another model has other places.
    await choose('conv.onnx');
    await shown('done');
    await says('All operations are supported.');
    await field('End').click();
    await expect.poll(texts).toEqual(['c output of Conv /conv', 'n output of BatchNormalization /norm', 'result output of Relu /relu']);
    await page.keyboard.press('Tab');
    expect(await options().count()).toBe(0);
  });

  it('of a model of 100,000 nodes shows some of them, and finds each', async () => {
    await lookFirst();
    await page.setInputFiles('#files', file('huge.onnx', longNet(100_000)));
    await shown('ready');
    await says('All operations are supported.');
    await field('End').click();
    await expect.poll(status, { timeout: 20_000 }).toBe('The first 100 places of 100,000 nodes. Type more letters to find others.');
    expect(await options().count()).toBe(100);
    await field('End').fill('node_77777');
    await expect.poll(texts).toEqual(['v77778 output of Relu /node_77777']);
  });

  it('is not there where the names cannot be read, which can be typed then', async () => {
    await choose('conv.onnx');
    await shown('done');
    await openPorts();
    await page.evaluate(() => (Worker.prototype.postMessage = () => { throw new Error('no worker'); }));
    await field('End').click();
    await expect.poll(status).toBe('The names cannot be listed. You can type them.');
  });
});

describe('with a look before', () => {
  it('a model waits, says what is wrong with the options, and is converted on request', async () => {
    await lookFirst();
    await drop('conv.onnx');
    await shown('ready');
    await says('All operations are supported.');
    expect(await page.locator('#ready-title').innerText()).toBe('conv.onnx');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ready-title');
    expect(await page.evaluate(() => performance.getEntriesByName('mo-begin').length)).toBe(0);
    // Keys reach the fields one after the other.
    await page.locator('#card summary').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('[1,3,32');
    await says('MO6003');
    expect(await cell('image', 'Shape').inputValue()).toBe('[1,3,32');
    expect(await cell('image', 'Shape').getAttribute('aria-invalid')).toBe('true');
    const described = await option('input_shape').getAttribute('aria-errormessage');
    expect(await page.locator(`#${described}`).innerText()).toContain('MO6003');
    await page.keyboard.type(',32]');
    await expect.poll(() => cell('image', 'Shape').getAttribute('aria-invalid')).toBeNull();
    await expect.poll(() => page.locator('#card .messages').count()).toBe(0);
    await button('Convert').click();
    await shown('done');
    expect(await page.locator('#done').innerText()).toContain('[1,16,32,32]');
    // A model in an unknown format fails at once.
    await drop('garbage.onnx');
    await shown('failed');
    expect(await page.locator('#failed').innerText()).toContain('MO1002');
    expect(await page.locator('#card').isVisible()).toBe(false);
  });

  it('several models are looked at one by one, and converted together; missing files can be brought before', async () => {
    await lookFirst();
    await choose('external.onnx', 'unknown.onnx');
    await shown('ready');
    await says('Its weights are in weights.bin, which did not come.');
    expect(await facts()).not.toHaveProperty('.bin, about');
    await row('unknown.onnx').getByRole('button', { name: 'unknown.onnx' }).click();
    await says('/frob_2');
    expect(await page.locator('#models .model-state').allTextContents()).toEqual(['Ready', 'Ready']);
    await drop('weights.bin');
    await row('external.onnx').getByRole('button', { name: 'external.onnx' }).click();
    await says('All operations are supported.');
    expect((await facts())['.bin, about']).toContain('262 KB');
    await button('Convert all').click();
    await expect.poll(() => page.locator('#models .model-state').allTextContents()).toEqual(['Converted', expect.stringContaining('MO2001')]);
  });

  it('files of an archive are not missing', async () => {
    await lookFirst();
    const archive = zip(['external.onnx', 'weights.bin'].map((path) => ({ path, content: readFileSync(model(path)) })));
    await page.setInputFiles('#files', file('both.zip', archive));
    await shown('ready');
    await says('All operations are supported.');
    await button('Convert').click();
    await shown('done');
  });
});

it('names of every kind are shown as they are, and options are offered only where they can hold them', async () => {
  const name = 'a,b[1]<img src=x onerror=alert(1)>';
  const net = writeOnnx({
    nodes: [{ op: 'Relu', name: '/relu', inputs: [name], outputs: ['y'] }, { op: '<b>Odd</b>', name: `/${'long'.repeat(200)}`, inputs: ['y'], outputs: ['z'] }],
    weights: [], inputs: [{ name, shape: [1, 8] }], outputs: [{ name: 'z', shape: [1, 8] }],
  });
  await page.setInputFiles('#files', file('odd.onnx', net));
  await shown('failed');
  await says('<b>Odd</b>');
  await openPorts();
  await says(name);
  expect(await page.locator('img[src=x], #card b').count()).toBe(0);
  expect(await cell(name, 'Shape').isEnabled()).toBe(true);
  expect(await cell(name, 'Mean').isDisabled()).toBe(true);
  await cell(name, 'Shape').fill('[2,8]');
  expect(await line()).toBe("mo odd.onnx --input_shape '[2,8]'");
});
