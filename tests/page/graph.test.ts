/** The graph view: the model and its IR side by side. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { writeOnnx } from '../js/onnx_writer.js';
import { temporaryFolder } from '../js/support.js';
import { channelsLast, condition, hostile } from './graph_models.js';
import { choose, drop, model, page, shown, usePage } from './support.js';

usePage();

/** Converts a model, and opens its graph. */
async function openGraph(path: string): Promise<void> {
  await page.setInputFiles('#files', path);
  await shown('done');
  await page.getByRole('button', { name: 'View graph' }).click();
  await drawn();
}

function file(name: string, content: Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Until all boxes of both graphs are laid out. */
const drawn = () => page.waitForFunction(() =>
  ['source', 'result'].every((side) => performance.getEntriesByName(`mo-graph-${side}-all`).length > 0));

const options = () => page.locator('#graph-found, .graph-list [role=option] strong').allTextContents();
const details = () => page.locator('.graph-details').innerText();
const side = (name: RegExp) => page.getByRole('radio', { name }).check();
const step = () => page.locator('#graph-step').textContent();
const said = () => page.locator('.graph-view [role=status]').textContent();

async function search(words: string): Promise<void> {
  await page.fill('#graph-search', words);
  await page.press('#graph-search', 'Enter');
}

it('shows the nodes of both graphs, what is known of one, and what it became', async () => {
  await openGraph(model('conv.onnx'));
  expect(await page.locator('.graph h1').textContent()).toBe('conv.onnx');
  expect(await page.locator('.graph-pane h2').allTextContents()).toEqual(['Model', 'IR']);
  expect(await page.locator('.graph-count').allTextContents()).toEqual(['5 nodes, 5 constants', '5 nodes, 4 constants']);
  expect(await options()).toEqual(['Parameter', 'Conv', 'BatchNormalization', 'Relu', 'Result', 'Const', 'Const', 'Const', 'Const', 'Const', '10 nodes']);

  await search('CONV');
  expect(await options()).toEqual(['Conv', '1 node']);
  for (const part of ['/conv', 'Conv, byte 12 of the file', 'kernel_shape\n[3,3]', 'Parameter image', 'Const w', 'Read by\nBatchNormalization /norm']) expect(await details()).toContain(part);
  await expect.poll(details).toContain('Became, in IR\nConvolution /conv');
  expect(await said()).toContain('Conv /conv, Model');

  // The link leads to the other graph, and from there back.
  await page.locator('.graph-details').getByRole('button', { name: 'Convolution /conv' }).click();
  await expect.poll(details).toMatch(/Layer of the IR\n\d+, Convolution, opset1/);
  for (const part of ['strides\n[1,1]', 'Data of the layer\nstrides\n1, 1', 'f32 [?,16,32,32]', 'Made from, in the model\nConv /conv']) expect(await details()).toContain(part);
  expect(await page.getByRole('radio', { name: 'IR' }).isChecked()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('graph-details-title');

  // Tensors are found by their names; other names find nothing.
  await search('result');
  expect(await page.locator('#graph-found').textContent()).toBe('2 nodes');
  await search('no such node');
  expect(await options()).toEqual(['No such node.']);
});

it('is used with the keyboard, and gives the focus back', async () => {
  await openGraph(model('conv.onnx'));
  await page.locator('.graph-list').focus();
  await page.keyboard.press('End');
  expect(await details()).toContain('variance');
  await page.keyboard.press('Home');
  expect(await details()).toContain('image');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  expect(await page.locator('.graph-list').getAttribute('aria-activedescendant')).toBe(await page.locator('.graph-list [aria-selected=true]').getAttribute('id'));
  expect(await said()).toBe('Relu /relu, Model, linked to /relu');

  // What is in the middle of the drawing can be pressed; keys move and zoom it.
  const canvas = page.locator('.graph-pane.source canvas');
  await canvas.focus();
  for (let i = 0; i < 8; i++) await page.keyboard.press('+');
  await search('norm');
  const { x, y, width, height } = (await canvas.boundingBox())!;
  await page.mouse.click(x + 20, y + height - 20);
  expect(await details()).toContain('No node selected');
  await page.mouse.click(x + width / 2, y + height / 2);
  expect(await details()).toContain('/norm');
  await canvas.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('PageDown');
  await page.mouse.click(x + width / 2, y + height / 2 - 0.9 * height - 80);
  expect(await details()).toContain('/norm');
  await page.keyboard.press('0');
  await page.mouse.move(x + 50, y + 50);
  await page.mouse.down();
  await page.mouse.move(x + 90, y + 70);
  await page.mouse.up();
  expect(await details()).toContain('/norm');

  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('View graph');
  // The second time the trace is there already.
  await page.keyboard.press('Enter');
  await page.locator('.graph-view').waitFor();
  expect(await page.locator('.graph-count').first().textContent()).toBe('5 nodes, 5 constants');
  // Files that are dropped on the view go to the page.
  await page.locator('.graph').dispatchEvent('drop');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
});

it('goes through the steps of the conversion, with what each of them changed', async () => {
  await openGraph(model('conv.onnx'));
  expect(await step()).toMatch(/^(\d+) of \1: emit/);
  const previous = page.getByRole('button', { name: 'Previous' });
  const visited: string[] = [];
  while (await previous.isEnabled()) {
    await previous.click();
    visited.push((await step())!);
  }
  expect(visited.at(-1)).toBe(`1 of ${visited.length + 1}: load, 10 nodes of the model`);
  const fusing = visited.find((text) => text.includes('middle · Fusing'))!;
  expect(fusing).toMatch(/: middle · Fusing, \d removed, \d added, \d changed/);

  await page.fill('#graph-slider', String(Number(fusing.split(' ')[0]) - 1));
  await expect.poll(() => page.locator('.graph-pane.result h2').textContent()).toBe('After Fusing');
  expect(await page.locator('#graph-slider').getAttribute('aria-valuetext')).toBe(fusing);
  await side(/Fusing/);
  await page.getByLabel('Only what this step changed').check();
  const changes = await page.locator('.graph-list em').allTextContents();
  expect(new Set(changes)).toEqual(new Set(['added', 'removed', 'changed']));
  expect(changes.length).toBe(await page.locator('.graph-list [role=option]').count());
  await search('mul');
  expect(await details()).toContain('In this step\nremoved');
  await page.fill('#graph-search', '');
  await page.getByRole('button', { name: 'Next change' }).click();
  expect(await details()).toContain('In this step');
  await page.getByRole('button', { name: 'Next ›' }).click();
  await expect.poll(() => page.locator('.graph-pane.result h2').textContent()).not.toBe('After Fusing');
});

it('says which Transposes the change of the layout has put in, and why', async () => {
  await openGraph(model('conv.onnx'));
  expect(await page.locator('.graph-layout').innerText()).toContain('has put no Transpose into the IR');
  await page.keyboard.press('Escape');
  await openGraph(file('last.pbtxt', channelsLast));
  const layout = await page.locator('.graph-layout').innerText();
  for (const part of ['2 Transposes inserted', 'f32 [1,8,8,3] to f32 [1,3,8,8]', 'By PreserveRuntimeInfo', 'keep the order of the framework', 'Behind Parameter image', 'Before Convolution net/conv'])
    expect(layout).toContain(part);
  await page.fill('#graph-slider', '0');
  await page.locator('.graph-layout li button').first().click();
  expect(await page.locator('.graph-pane.result h2').textContent()).toBe('IR');
  expect(await details()).toMatch(/^image\/Transpose.*\n[^]*Operation\nTranspose/);
  expect(await details()).toContain('Read by\nConvolution net/conv');
});

it('changes the layout of inputs and outputs, and says which Transposes went', async () => {
  await openGraph(file('last.pbtxt', channelsLast));
  const panel = page.locator('.graph-layout');
  const input = panel.getByLabel('Input image');
  expect(await input.locator('option').allInnerTexts()).toEqual(['Stays as it is', 'NHWC becomes NCHW', 'NCHW becomes NHWC']);
  expect(await panel.getByRole('button', { name: 'Convert again' }).isVisible()).toBe(false);
  // The model is a small one: the picture follows each choice.
  await page.evaluate(() => performance.clearMarks());
  await input.selectOption('NHWC becomes NCHW');
  await drawn();
  await expect.poll(() => panel.innerText()).toContain('The new layouts removed 1 Transpose: image/Transpose');
  await page.evaluate(() => performance.clearMarks());
  await panel.getByLabel('Output net/relu').selectOption('nhwc->nchw');
  await drawn();
  await expect.poll(() => panel.innerText()).toContain('The new layouts removed 1 Transpose: ');
  // The form, the command line and the card say the same.
  expect(await page.inputValue('#options [name=layout]')).toMatch(/^image\(nhwc->nchw\),net\/relu[^,]*\(nhwc->nchw\)$/);
  expect(await page.locator('#card [data-side=in][data-cell=layout]').inputValue()).toBe('nhwc->nchw');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('graph-layout-title');
  expect(await panel.innerText()).toContain('f32 [1,3,8,8] in the IR');
  expect(await panel.getByLabel('Input image').inputValue()).toBe('nhwc->nchw');
  expect(await panel.getByRole('button', { name: 'Convert again' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('#done').innerText()).toContain('[1,3,8,8]');
  // Only a conversion that the view has asked for opens it again.
  await page.locator('#card summary').first().click();
  await page.locator('#card [data-side=in][data-cell=layout]').fill('');
  await page.click('#again');
  await expect.poll(() => page.locator('#done').innerText()).toContain('[1,8,8,3]');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
});

it('asks before a conversion with other layouts that takes long', async () => {
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => 20 * now();
  });
  await openGraph(file('last.pbtxt', channelsLast));
  const panel = page.locator('.graph-layout');
  await panel.getByLabel('Input image').selectOption('NHWC becomes NCHW');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('graph-layout-0');
  await panel.getByLabel('Output net/relu').selectOption('nhwc->nchw');
  await page.evaluate(() => performance.clearMarks());
  await panel.getByRole('button', { name: 'Convert again' }).click();
  await drawn();
  await expect.poll(() => panel.innerText()).toContain('The new layouts removed 2 Transposes: image/Transpose');
});

it('folds constants of ONNX that are nodes, and finds operations by their type before names', async () => {
  const content = writeOnnx({
    nodes: [
      { op: 'Relu', name: '/reshape/act', inputs: ['x'], outputs: ['h'] },
      { op: 'Constant', name: '/shape', inputs: [], outputs: ['s'], attributes: { value_ints: [3, 2] } },
      { op: 'Reshape', name: '/turn', inputs: ['h', 's'], outputs: ['y'] },
    ],
    weights: [], inputs: [{ name: 'x', shape: [2, 3] }], outputs: [{ name: 'y', shape: [3, 2] }],
  });
  await openGraph(file('constant.onnx', content));
  expect(await page.locator('.graph-count').first().textContent()).toBe('4 nodes, 1 constant');
  await page.getByLabel('Constants as nodes of their own').check();
  await expect.poll(() => page.locator('.graph-count').first().textContent()).toBe('5 nodes');
  await search('reshape');
  expect(await options()).toEqual(['Reshape', 'Relu', '2 nodes']);
  expect(await details()).toContain('/turn');
});

it.each([[390, 844], [640, 400]])('shows the counts and the drawings whole in %i by %i pixels', async (width, height) => {
  await page.setViewportSize({ width, height });
  await openGraph(model('conv.onnx'));
  const seen = await page.locator('.graph-count').evaluateAll((counts) => counts.map((count) => {
    const { left, right } = count.getBoundingClientRect();
    return [left >= 0, right <= innerWidth, count.scrollWidth <= count.clientWidth];
  }));
  expect(seen).toEqual([[true, true, true], [true, true, true]]);
  for (const canvas of await page.locator('.graph-pane canvas').all()) expect((await canvas.boundingBox())!.height).toBeGreaterThan(80);
});

it('says why an input has no choice of layouts', async () => {
  await openGraph(file('if.onnx', condition));
  expect(await page.locator('.graph-layout').innerText()).toContain('It has no layout of channels: that takes 3 to 5 dimensions.');
  expect(await page.locator('.graph-layout select').count()).toBe(0);
});

/** Counts the conversions that begin from now on. */
async function countConversions(): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Object.assign(globalThis, { conversions: 0 });
    Worker.prototype.postMessage = function (this: Worker, ...args: [never]) {
      if ((args[0] as { kind?: string } | undefined)?.kind === 'convert') (globalThis as never as { conversions: number }).conversions++;
      return post.apply(this, args);
    };
  });
  return () => page.evaluate(() => (globalThis as never as { conversions: number }).conversions);
}

it('shares its conversion with the report', async () => {
  await choose('conv.onnx');
  await shown('done');
  const conversions = await countConversions();
  await page.getByRole('button', { name: 'View graph' }).click();
  await drawn();
  expect(await conversions()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show report' }).click();
  await page.locator('.report-dialog').waitFor();
  expect(await page.locator('.report-dialog').innerText()).toContain('Fusing');
  expect(await conversions()).toBe(1);
});

it('begins no conversion where it is closed at once', async () => {
  await choose('conv.onnx');
  await shown('done');
  const conversions = await countConversions();
  await page.evaluate(() => new MutationObserver((_, observer) => {
    observer.disconnect();
    document.querySelector('dialog.graph')!.dispatchEvent(new Event('close'));
  }).observe(document.body, { childList: true }));
  await page.getByRole('button', { name: 'View graph' }).click();
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'View graph' }).click();
  await drawn();
  expect(await conversions()).toBe(1);
});

it('opens bodies', async () => {
  await openGraph(file('if.onnx', condition));
  await search('choose');
  await page.locator('.graph-details').getByRole('button', { name: 'Open /choose · then_branch' }).click();
  const graph = page.getByLabel('Graph of Model');
  expect(await graph.locator('option').allTextContents()).toEqual(['Main graph', '/choose · then_branch', '/choose · else_branch']);
  expect(await graph.inputValue()).toBe('2.then_branch');
  expect(await page.locator('.graph-count').first().textContent()).toBe('3 nodes');
  // What is linked to a node of a body comes into view, too.
  await search('else/act');
  expect(await graph.inputValue()).toBe('2.else_branch');
  expect(await page.getByLabel('Graph of IR').inputValue()).toBe('2.else_graph');
  expect(await details()).toContain('Became, in IR\nSigmoid /else/act');
  await page.locator('.graph-details').getByRole('button', { name: 'Sigmoid /else/act' }).click();
  await expect.poll(details).toMatch(/Layer of the IR\n\d+, Sigmoid, opset1/);
  await page.getByLabel('Constants as nodes of their own').check();
  expect(await graph.inputValue()).toBe('2.else_branch');
});

it('takes names for names, however long', async () => {
  await openGraph(file('hostile.onnx', hostile));
  await search('img');
  expect(await page.locator('.graph-details h2').textContent()).toBe('<img src=x onerror=alert(1)>');
  await search('long');
  expect((await details()).length).toBeLessThan(10_000);
  expect(await page.locator('.graph img').count()).toBe(0);
});

it('says what is wrong where the model cannot be converted once more, and can be left meanwhile', async () => {
  await choose('external.onnx', 'weights.bin');
  await shown('done');
  await page.evaluate(() => (globalThis.JSON.parse = () => { throw new Error('no trace'); }));
  await page.getByRole('button', { name: 'View graph' }).click();
  await expect.poll(() => page.locator('dialog').innerText()).toContain('no trace');
  await page.getByRole('button', { name: 'Close' }).click();
  await drop('long.onnx');
  await shown('done');
  await page.getByRole('button', { name: 'View graph' }).click();
  await page.locator('.graph-waiting progress').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
});

it.each(['light', 'dark'] as const)('is legible (%s)', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await openGraph(model('conv.onnx'));
  const ratios = await page.evaluate(() => {
    const dialog = document.querySelector<HTMLElement>('.graph')!;
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const lightness = (name: string) => {
      const probe = document.createElement('span');
      dialog.append(probe);
      probe.style.color = `var(--${name})`;
      canvas.fillStyle = getComputedStyle(probe).color;
      probe.remove();
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const ratio = (a: string, b: string) => {
      const [low, high] = [lightness(a), lightness(b)].sort((x, y) => x - y);
      return (high! + 0.05) / (low! + 0.05);
    };
    const kinds = [...document.querySelectorAll('.graph-legend li')].map((item) => item.className);
    return {
      texts: kinds.flatMap((kind) => ['ink', 'soft'].map((text) => [`${text} on ${kind}`, ratio(text, `fill-${kind}`)] as const)),
      edges: [...kinds.map((kind) => `kind-${kind}`), 'edge', 'focus', 'accent', 'added', 'removed', 'changed'].map((name) => [name, ratio(name, 'paper')] as const),
    };
  });
  expect(ratios.texts.length).toBe(16);
  expect(ratios.texts.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  expect(ratios.edges.filter(([, ratio]) => ratio < 3)).toEqual([]);
});
