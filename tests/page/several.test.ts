/** Several models at once, and files that cannot be read. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { externalData, externalNet, longNet } from '../js/models.js';
import { nativeFiles } from '../js/support.js';
import { choose, context, drop, dropPaths, folderWith, model, page, row, saved, savedOf, shown, taken, usePage } from './support.js';

usePage();

/** Converts for some seconds, however fast the machine is. */
beforeAll(() => writeFileSync(model('longer.onnx'), longNet(300_000)));

const states = () => page.locator('#models .model-state').allTextContents();
const ended = () => expect.poll(async () => {
  const all = await states();
  return all.length > 0 && all.every((text) => !/Waiting|Converting/.test(text));
}, { timeout: 30_000 }).toBe(true);
/** Presses a button at once, for a conversion does not wait. */
const press = (name: string) => page.getByRole('button', { name }).evaluate((button: HTMLElement) => button.click());
const named = (model: string, name: string) => {
  const { xml, bin } = nativeFiles(model, [], name);
  return { xml, bin, names: [`${name}.xml`, `${name}.bin`] };
};

describe('several models', () => {
  it('are all converted, each to its own files', async () => {
    await drop('dense.onnx', 'conv.onnx', 'external.onnx', 'weights.bin');
    await ended();
    expect(await states()).toEqual(['Converted', 'Converted', 'Converted']);
    for (const name of ['conv', 'dense', 'external'])
      expect(await savedOf(`${name}.onnx`)).toEqual(named(model(`${name}.onnx`), name));
    expect(await page.locator('#status').textContent()).toBe('3 of 3 models converted.');
    expect(await taken()).toEqual({ 'Data of external.onnx': ['weights.bin'] });
  });

  it('show what came of each', async () => {
    await choose('conv.onnx', 'unknown.onnx', 'dense.onnx');
    await ended();
    expect(await states()).toEqual(['Converted', 'Converted', expect.stringContaining('Not converted: MO2001')]);
    await row('conv.onnx').getByRole('button', { name: 'conv.onnx' }).click();
    await shown('done');
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
    expect(await page.locator('#command').innerText()).toBe('npx @mo/wasm conv.onnx dense.onnx unknown.onnx');
    expect(await page.locator('#models [aria-current]').textContent()).toBe('conv.onnx');
    expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
    await row('unknown.onnx').getByRole('button', { name: 'unknown.onnx' }).click();
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('/frob_2');
  });

  it('can be cancelled one by one, and the others go on', async () => {
    await choose('conv.onnx', 'longer.onnx', 'unknown.onnx', 'weights.bin', 'dense.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted', 'Converting', 'Waiting']);
    await page.click('#cancel');
    await ended();
    expect(await states()).toEqual(['Converted', 'Converted', 'Cancelled', expect.stringContaining('MO2001')]);
    await shown('failed');
  });

  it('can be cancelled while they wait, or all of them', async () => {
    await choose('longer.onnx', 'unknown.onnx', 'conv.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converting', 'Waiting']);
    await press('Cancel unknown.onnx');
    expect(await states()).toEqual(['Converted', 'Converting', 'Cancelled']);
    await press('Cancel longer.onnx');
    await shown('done');
    expect(await states()).toEqual(['Converted', 'Cancelled', 'Cancelled']);
    await page.click('#again');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converting', 'Waiting']);
    await press('Cancel all');
    expect(await states()).toEqual(['Converted', 'Cancelled', 'Cancelled']);
  });

  it('can be looked at while others are converted', async () => {
    await choose('conv.onnx', 'longer.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converting']);
    await row('conv.onnx').getByRole('button', { name: 'conv.onnx' }).click();
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
    await ended();
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
  });

  it('that lack a file get it while others are converted', async () => {
    await choose('external.onnx', 'longer.onnx', 'unknown.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual([expect.stringContaining('MO1006'), 'Converting', 'Waiting']);
    await drop('weights.bin');
    await ended();
    expect(await states()).toEqual(['Converted', 'Converted', expect.stringContaining('MO2001')]);
    expect(page.workers().length).toBeLessThanOrEqual(2);
  });

  it('make way for those that come next', async () => {
    await choose('longer.onnx', 'unknown.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converting', 'Waiting']);
    await choose('conv.onnx');
    await shown('done');
    expect(await page.locator('#models').isVisible()).toBe(false);
    expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
  });

  it('have their data from their own folders', async () => {
    const other = Buffer.from(externalData).reverse();
    const folder = folderWith({
      'a/model.onnx': externalNet, 'a/weights.bin': externalData,
      'b/model.onnx': externalNet, 'b/weights.bin': other,
      'c/model.onnx': externalNet,
    });
    const path = (name: string) => `${basename(folder)}/${name}/model.onnx`;
    await dropPaths(folder);
    await page.getByRole('button', { name: 'Convert 3 models' }).click();
    await ended();
    expect(await states()).toEqual(['Converted', 'Converted', expect.stringContaining('MO1006')]);
    const files = [await savedOf(path('a')), await savedOf(path('b'))];
    expect(files).toEqual(['a', 'b'].map((name) => named(join(folder, name, 'model.onnx'), 'model')));
    expect(files[0]!.bin).not.toBe(files[1]!.bin);
    expect(await taken()).toEqual({ [`Data of ${path('a')}`]: [`${basename(folder)}/a/weights.bin`], [`Data of ${path('b')}`]: [`${basename(folder)}/b/weights.bin`] });
    // Only the one that lacks its file is converted again.
    await dropPaths(join(folder, 'b/weights.bin'));
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted', 'Converted']);
    expect((await savedOf(path('c'))).bin).toBe(files[1]!.bin);
  });

  it('share the options but not the name', async () => {
    await page.fill('[name=model_name]', 'mine');
    await choose('conv.onnx', 'dense.onnx');
    await ended();
    expect((await savedOf('conv.onnx')).names).toEqual(['conv.xml', 'conv.bin']);
    expect(await page.locator('[name=model_name]').isDisabled()).toBe(true);
    // The name was given for others.
    await choose('conv.onnx');
    await shown('done');
    expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
  });
});

describe('what cannot be read', () => {
  /** Removes a file or folder that the page has been given, before its n-th reading of a kind. */
  async function removeBefore(kind: 'readEntries' | 'text', turn: number, path: string): Promise<void> {
    let readings = 0;
    await context.exposeFunction('beforeReading', () => ++readings === turn && rmSync(path, { recursive: true }));
    await page.evaluate((kind) => {
      const wait = (prototype: Record<string, (...args: unknown[]) => unknown>) => {
        const original = prototype[kind]!;
        prototype[kind] = async function (...args) {
          await (globalThis as unknown as { beforeReading(): Promise<void> }).beforeReading();
          return original.apply(this, args);
        };
      };
      if (kind === 'text') return wait(Blob.prototype as never);
      // The class of readers has no name on the page: the first folder brings it.
      const { webkitGetAsEntry } = DataTransferItem.prototype;
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        DataTransferItem.prototype.webkitGetAsEntry = webkitGetAsEntry;
        const folder = webkitGetAsEntry.apply(this) as FileSystemDirectoryEntry;
        wait(Object.getPrototypeOf(folder.createReader()) as never);
        return folder;
      };
    }, kind);
  }

  const isReported = async (section: 'failed' | 'taken', ...parts: string[]) => {
    await page.locator(`#${section}`).getByText('MO7001', { exact: true }).waitFor();
    const text = await page.locator(`#${section}`).textContent();
    for (const part of parts) expect(text).toContain(part);
  };

  it('is reported: a folder', async () => {
    const folder = folderWith({ 'model.onnx': externalNet });
    await removeBefore('readEntries', 1, folder);
    await dropPaths(folder);
    await isReported('failed', 'a folder could not be read', basename(folder));
    expect(await page.locator('#alert').textContent()).toContain('MO7001');
    await choose('conv.onnx');
    await shown('done');
  });

  it.each([['folder', 'data/x'], ['file', 'data']])('is reported, and the rest is converted: a %s in a folder', async (what, path) => {
    const folder = folderWith({ 'model.onnx': readFileSync(model('conv.onnx')), [path]: 'x' });
    await removeBefore('readEntries', 2, join(folder, 'data'));
    await dropPaths(folder);
    await shown('done');
    await isReported('taken', `a ${what} could not be read`, `${basename(folder)}/data`);
    expect((await saved()).names).toEqual(['model.xml', 'model.bin']);
  });

  it('is reported, and the rest is converted: JSON', async () => {
    const folder = folderWith({ 'model.onnx': readFileSync(model('conv.onnx')), 'config.json': '{}' });
    await removeBefore('text', 1, join(folder, 'config.json'));
    await dropPaths(folder);
    await shown('done');
    await isReported('taken', 'a file could not be read', `${basename(folder)}/config.json`);
  });

  it('is reported: a module of extensions', async () => {
    const folder = folderWith({ 'front/mine.js': 'export {};' });
    await removeBefore('text', 1, join(folder, 'front/mine.js'));
    await dropPaths(folder);
    await isReported('failed', 'a file could not be read', `${basename(folder)}/front/mine.js`);
  });

  it('is reported: a model', async () => {
    const folder = folderWith({ 'model.onnx': readFileSync(model('conv.onnx')), 'config.json': '{}' });
    await removeBefore('text', 1, join(folder, 'model.onnx'));
    await dropPaths(folder);
    await isReported('failed', 'model.onnx');
  });
});
