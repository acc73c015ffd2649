/** Saving results: into a folder, as an archive, file by file; and what the tab says meanwhile. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { externalData, externalNet } from '../js/models.js';
import { writeOnnx } from '../js/onnx_writer.js';
import { allFiles, hash, nativeFiles, temporaryFolder } from '../js/support.js';
import { zip } from './archives.js';
import { choose, dropPaths, folderWith, model, openOptions, page, saved, shown, usePage } from './support.js';

usePage();

/** What `showDirectoryPicker` gives: a folder of the page's private file system. */
const stubPicker = () => page.evaluate(() => {
  const pick = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('out', { create: true });
  Object.assign(globalThis, { showDirectoryPicker: pick });
});

/** The files in that folder, by their paths. */
async function picked(): Promise<Record<string, Buffer>> {
  const files = await page.evaluate(async () => {
    const found: [string, string][] = [];
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of (folder as unknown as { entries(): AsyncIterable<[string, FileSystemHandle]> }).entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${path}${name}/`);
        else found.push([path + name, [...new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer())].map((byte) => String.fromCharCode(byte)).join('')]);
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle('out', { create: true }), '');
    return found;
  });
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => [path, Buffer.from(content, 'latin1')]));
}

const inFolder = () => page.locator('#done').getByRole('button', { name: 'Save to a folder…' }).click();
const status = () => page.locator('#done .save-status').innerText();

/** Presses a button and gives what is downloaded then. */
async function download(name: string, scope = '#done'): Promise<{ name: string; path: string; bytes: Buffer }> {
  const [one] = await Promise.all([page.waitForEvent('download'), page.locator(scope).getByRole('button', { name, exact: true }).click()]);
  const path = await one.path();
  return { name: one.suggestedFilename(), path, bytes: readFileSync(path) };
}

/** What Python makes of an archive: names, contents as hashes, and what it stores beside them. */
function python(kind: 'tar' | 'zip', path: string): { names: string[]; hashes: string[]; notes: unknown[] } {
  const script = kind === 'tar'
    ? 'a=tarfile.open(p); m=a.getmembers(); print(json.dumps({"names":[x.name for x in m],"hashes":[h(a.extractfile(x).read()) for x in m],"notes":[[x.mtime,x.mode,x.uid,x.uname] for x in m]}))'
    : 'a=zipfile.ZipFile(p); assert a.testzip() is None; m=a.infolist(); print(json.dumps({"names":[x.filename for x in m],"hashes":[h(a.read(x)) for x in m],"notes":[[x.compress_type,list(x.date_time)] for x in m]}))';
  const text = execFileSync('python3', ['-c', `import sys,json,hashlib,tarfile,zipfile\np=sys.argv[1]\nh=lambda b: hashlib.sha256(b).hexdigest()\n${script}`, path], { encoding: 'utf8' });
  return JSON.parse(text) as never;
}

const pairOf = (name: string, net = model(`${name}.onnx`)) => {
  const { xml, bin } = nativeFiles(net, [], name);
  return [hash(Buffer.from(xml)), bin];
};

describe('into a folder', () => {
  it('go both files and the mapping, as mo names and writes them', async () => {
    await stubPicker();
    await openOptions();
    await page.check('[name=generate_mapping]');
    await choose('conv.onnx');
    await shown('done');
    await inFolder();
    await expect.poll(status, { timeout: 20_000 }).toBe('Saved in out.');
    const files = await picked();
    expect(Object.keys(files)).toEqual(['conv.bin', 'conv.mapping', 'conv.xml']);
    const folder = temporaryFolder();
    execFileSync(process.execPath, ['dist/library/node/cli.js', model('conv.onnx'), '--generate_mapping', '-o', folder]);
    for (const [name, content] of Object.entries(files)) expect(hash(content), name).toBe(hash(readFileSync(join(folder, name))));
  });

  it('the .xml goes last, and an older one goes before its .bin does', async () => {
    await stubPicker();
    await page.evaluate(() => {
      const log: string[] = [];
      Object.assign(globalThis, { log });
      const { removeEntry } = FileSystemDirectoryHandle.prototype;
      FileSystemDirectoryHandle.prototype.removeEntry = function (name) {
        log.push(`remove ${name}`);
        return removeEntry.call(this, name);
      };
      const { createWritable } = FileSystemFileHandle.prototype;
      FileSystemFileHandle.prototype.createWritable = async function () {
        log.push(`open ${this.name}`);
        const stream = await createWritable.call(this);
        const { close } = stream;
        stream.close = () => (log.push(`close ${this.name}`), close.call(stream));
        return stream;
      };
    });
    await choose('conv.onnx');
    await shown('done');
    await inFolder();
    await expect.poll(status, { timeout: 20_000 }).toBe('Saved in out.');
    expect(await page.evaluate(() => (globalThis as never as { log: string[] }).log)).toEqual(
      ['open conv.bin', 'remove conv.xml', 'close conv.bin', 'open conv.xml', 'close conv.xml']);
    const first = await picked();
    await page.fill('[name=input_shape]', '[2,3,32,32]');
    await page.click('#again');
    await expect.poll(() => page.locator('#done').textContent(), { timeout: 20_000 }).toContain('[2,16,32,32]');
    await inFolder();
    await expect.poll(status, { timeout: 20_000 }).toBe('Saved in out.');
    const second = await picked();
    expect(Object.keys(second)).toEqual(['conv.bin', 'conv.xml']);
    expect(second['conv.xml']!.equals(first['conv.xml']!)).toBe(false);
  });

  const fillTheDisk = (ending: string) => page.evaluate((ending) => {
    const { createWritable } = FileSystemFileHandle.prototype;
    FileSystemFileHandle.prototype.createWritable = async function () {
      const stream = await createWritable.call(this);
      if (!this.name.endsWith(ending)) return stream;
      const full = new WritableStream({ write: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) });
      return Object.assign(full, { abort: () => stream.abort() }) as never;
    };
  }, ending);
  const saveOnFullDisk = async () => {
    await choose('conv.onnx');
    await shown('done');
    await inFolder();
    await page.locator('#done .save-status .messages').waitFor();
  };

  it.each([['.bin', []], ['.xml', ['conv.bin']]])('nothing halves when the disk is full at the %s, which the error names', async (ending, left) => {
    await stubPicker();
    await fillTheDisk(ending);
    await saveOnFullDisk();
    for (const part of ['MO7002', 'there is no space left', `conv${ending}`, 'Make room']) expect(await status()).toContain(part);
    expect(Object.keys(await picked())).toEqual(left);
    expect(await page.locator('#done').getByRole('button', { name: 'Save to a folder…' }).isEnabled()).toBe(true);
  });

  it('leaves nothing of a failed save where the browser unlocks its file late', async () => {
    await stubPicker();
    await fillTheDisk('.xml');
    await page.evaluate(() => {
      const { removeEntry } = FileSystemDirectoryHandle.prototype;
      let locked = 3;
      FileSystemDirectoryHandle.prototype.removeEntry = async function (name) {
        await this.getFileHandle(name); // A file that is missing is no locked one.
        if (locked-- > 0) throw new DOMException('locked', 'NoModificationAllowedError');
        return removeEntry.call(this, name);
      };
    });
    await saveOnFullDisk();
    expect(Object.keys(await picked())).toEqual(['conv.bin']);
  });

  it('not when a file of the model has changed meanwhile', async () => {
    const side = 1536;
    const folder = folderWith({
      'large.onnx': writeOnnx({
        nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
        weights: [{ name: 'w', shape: [side, side], file: 'w.bin', offset: 0, size: side * side * 4 }],
        inputs: [{ name: 'x', shape: [1, side] }],
        outputs: [{ name: 'y', shape: [1, side] }],
      }),
      'w.bin': Buffer.alloc(side * side * 4),
    });
    await stubPicker();
    await openOptions();
    await page.uncheck('[name=compress_to_fp16]');
    await page.setInputFiles('#files', ['large.onnx', 'w.bin'].map((name) => join(folder, name)));
    await shown('done');
    appendFileSync(join(folder, 'w.bin'), 'x');
    await inFolder();
    await page.locator('#done .save-status .messages').waitFor();
    for (const part of ['MO7002', 'has changed or cannot be read any more', 'large.bin', 'Convert the model again']) expect(await status()).toContain(part);
    expect(await picked()).toEqual({});
  });

  it('not when the permission is refused, or no folder is chosen', async () => {
    await choose('conv.onnx');
    await shown('done');
    await page.evaluate(() => Object.assign(globalThis, { showDirectoryPicker: () => Promise.reject(new DOMException('user said no', 'NotAllowedError')) }));
    await inFolder();
    await page.locator('#done .save-status .messages').waitFor();
    for (const part of ['MO7002', 'the browser was not allowed to', 'Choose the folder again']) expect(await status()).toContain(part);
    await page.evaluate(() => Object.assign(globalThis, { showDirectoryPicker: () => Promise.reject(new DOMException('', 'AbortError')) }));
    await inFolder();
    await expect.poll(status, { timeout: 20_000 }).toBe('');
  });

  it('shows how far it is, and can be cancelled', async () => {
    await stubPicker();
    await page.evaluate(() => {
      const disk = new Promise<void>((resolve) => Object.assign(globalThis, { goOn: resolve }));
      const { createWritable } = FileSystemFileHandle.prototype;
      FileSystemFileHandle.prototype.createWritable = async function () {
        const stream = await createWritable.call(this);
        const slow = new WritableStream({ write: () => disk });
        return Object.assign(slow, { abort: () => stream.abort() }) as never;
      };
    });
    await choose('dense.onnx');
    await shown('done');
    await inFolder();
    await expect.poll(status, { timeout: 20_000 }).toMatch(/^[\d.]+ \w+ of 266 KB\s+Cancel$/);
    await page.locator('#done .save-status button').click();
    // The disk completes the write that it has begun.
    await page.evaluate(() => (globalThis as never as { goOn(): void }).goOn());
    await expect.poll(status, { timeout: 20_000 }).toBe('Not saved.');
    expect(await picked()).toEqual({});
  });

  it('is not offered by browsers that have no way to it', async () => {
    await page.evaluate(() => delete (globalThis as { showDirectoryPicker?: unknown }).showDirectoryPicker);
    await choose('conv.onnx');
    await shown('done');
    expect(await page.getByRole('button', { name: 'Save to a folder…' }).isVisible()).toBe(false);
    expect((await saved()).names).toEqual(['conv.xml', 'conv.bin']);
  });
});

describe('as one archive', () => {
  it.each(['tar', 'zip'] as const)('.%s, which Python reads, with the same bytes each time', async (kind) => {
    await choose('conv.onnx');
    await shown('done');
    const one = await download(`Save .${kind}`);
    expect(one.name).toBe(`conv.${kind}`);
    const { names, hashes, notes } = python(kind, one.path);
    expect(names).toEqual(['conv.xml', 'conv.bin']);
    expect(hashes).toEqual(pairOf('conv'));
    const time = kind === 'tar' ? [315532800, 0o644, 0, ''] : [0, [1980, 1, 1, 0, 0, 0]];
    expect(notes).toEqual([time, time]);
    await page.click('#again');
    await shown('done');
    expect(hash((await download(`Save .${kind}`)).bytes)).toBe(hash(one.bytes));
  });

  it.each(['tar', 'zip'] as const)('.%s, with names that are long and foreign', async (kind) => {
    const name = `größe-模型-${'x'.repeat(120)}`;
    await page.fill('[name=model_name]', name);
    await choose('conv.onnx');
    await shown('done');
    expect(python(kind, (await download(`Save .${kind}`)).path)).toMatchObject({ names: [`${name}.xml`, `${name}.bin`], hashes: pairOf(name, model('conv.onnx')) });
  });

  it('of several models: all that were converted, from their own folders where names are the same', async () => {
    await stubPicker();
    const other = Buffer.from(externalData).reverse();
    const names = ['a/model.onnx', 'a/weights.bin', 'b/model.onnx', 'b/weights.bin'];
    const contents = [externalNet, externalData, externalNet, other];
    const folder = folderWith({ 'nets.zip': zip(names.map((path, index) => ({ path, content: contents[index]! }))) });
    await dropPaths(join(folder, 'nets.zip'));
    await page.getByRole('button', { name: 'Convert 2 models' }).click();
    await page.getByRole('button', { name: 'Save all as .tar' }).waitFor();
    const paths = ['a', 'b'].flatMap((name) => [`nets/${name}/model.xml`, `nets/${name}/model.bin`]);
    const tar = await download('Save all as .tar', '#models');
    expect(tar.name).toBe('models.tar');
    expect(python('tar', tar.path).names).toEqual(paths);
    const zipped = python('zip', (await download('Save all as .zip', '#models')).path);
    expect(zipped.names).toEqual(paths);
    expect(zipped.hashes).toEqual(python('tar', tar.path).hashes);
    const pairs = [externalData, other].flatMap((data) => pairOf('model', join(folderWith({ 'model.onnx': externalNet, 'weights.bin': data }), 'model.onnx')));
    expect(zipped.hashes).toEqual(pairs);
    expect(pairs[1]).not.toBe(pairs[3]);
    await page.getByRole('button', { name: 'Save all to a folder…' }).click();
    await expect.poll(() => page.locator('#models .save-status').innerText(), { timeout: 20_000 }).toBe('Saved in out.');
    const files = await picked();
    expect(Object.keys(files)).toEqual([...paths].sort());
    expect(paths.map((path) => hash(files[path]!))).toEqual(zipped.hashes);
  });

  it('of several models with names of their own: flat, and without those that failed', async () => {
    await choose('conv.onnx', 'unknown.onnx', 'dense.onnx');
    await page.getByRole('button', { name: 'Save all as .tar' }).waitFor();
    const { path } = await download('Save all as .tar', '#models');
    expect(python('tar', path)).toMatchObject({ names: ['conv.xml', 'conv.bin', 'dense.xml', 'dense.bin'], hashes: [...pairOf('conv'), ...pairOf('dense')] });
    const folder = temporaryFolder();
    execFileSync('tar', ['-xf', path, '-C', folder]);
    expect(allFiles(folder)).toEqual(['conv.bin', 'conv.xml', 'dense.bin', 'dense.xml']);
  });
});

describe('the tab', () => {
  it('says how far it is, and what came of it', async () => {
    const plain = await page.title();
    await page.evaluate(() => {
      const titles: string[] = [];
      Object.assign(globalThis, { titles });
      new MutationObserver(() => titles.push(document.title)).observe(document.querySelector('title')!, { childList: true });
    });
    await choose('long.onnx');
    await shown('done');
    expect(await page.title()).toBe('✓ long.onnx');
    const titles = await page.evaluate(() => (globalThis as never as { titles: string[] }).titles);
    const parts = titles.slice(0, -1).map((title) => Number(/^(\d+) % – long\.onnx$/.exec(title)?.[1]));
    expect(parts.length).toBeGreaterThan(3);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBeGreaterThan(20);
    expect(parts.at(-1)).toBeLessThanOrEqual(100);
    await choose('unknown.onnx');
    await shown('failed');
    expect(await page.title()).toBe('✗ unknown.onnx');
    await choose('conv.onnx', 'dense.onnx');
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('✓ 2 models');
    await choose('long.onnx');
    await shown('working');
    await page.click('#cancel');
    await expect.poll(() => page.title()).toBe(plain);
  });
});

describe('leaving', () => {
  /** Whether the browser would ask. */
  const asks = () => page.evaluate(() => {
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  });

  it('is asked about while a model is converted and until all files are saved', async () => {
    await stubPicker();
    expect(await asks()).toBe(false);
    await choose('long.onnx');
    await shown('working');
    expect(await asks()).toBe(true);
    await page.click('#cancel');
    await shown('empty');
    expect(await asks()).toBe(false);
    await choose('unknown.onnx');
    await shown('failed');
    expect(await asks()).toBe(false);
    await choose('conv.onnx');
    await shown('done');
    expect(await asks()).toBe(true);
    await Promise.all([page.waitForEvent('download'), page.getByText('Save .xml').click()]);
    expect(await asks()).toBe(true);
    await Promise.all([page.waitForEvent('download'), page.getByText('Save .bin').click()]);
    expect(await asks()).toBe(false);
    await page.click('#again');
    await expect.poll(asks, { timeout: 20_000 }).toBe(true);
    await shown('done');
    await inFolder();
    await expect.poll(asks, { timeout: 20_000 }).toBe(false);
    await choose('conv.onnx', 'dense.onnx');
    await page.getByRole('button', { name: 'Save all as .zip' }).waitFor();
    await download('Save .tar');
    expect(await asks()).toBe(true);
    await download('Save all as .zip', '#models');
    await expect.poll(asks, { timeout: 20_000 }).toBe(false);
  });

  it('is asked about by the browser itself', async () => {
    await choose('conv.onnx');
    await shown('done');
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await closing;
  });
});
