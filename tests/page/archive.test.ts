/** Archives: what is in them is taken as a folder's files are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { externalData, externalNet } from '../js/models.js';
import { nativeFiles, root } from '../js/support.js';
import { pax, tar, zip, type TarEntry, type ZipEntry } from './archives.js';
import { choose, drop, dropPaths, folderWith, forgetRequests, model, page, row, saved, savedOf, shown, taken, usePage } from './support.js';

usePage();

const net = readFileSync(model('conv.onnx'));
const saved_model = join(root, 'tests/tf/recorded/saved/tf2_module');
const parts = ['saved_model.pb', 'variables/variables.index', 'variables/variables.data-00000-of-00001'];
const long = `${'a'.repeat(90)}/${'b'.repeat(90)}`;

/** Drops one archive of this name. */
const dropArchive = (name: string, bytes: Uint8Array) => dropPaths(join(folderWith({ [name]: bytes }), name));
const messages = () => page.locator('.messages:visible').allTextContents().then((texts) => texts.join('\n'));
/** The names of the files that lie unpacked in the page's private file system. */
const unpacked = () => page.evaluate(async () => {
  const sizes: number[] = [];
  const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
    for await (const handle of (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
      if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle);
      else sizes.push((await (handle as FileSystemFileHandle).getFile()).size);
    }
  };
  await walk(await navigator.storage.getDirectory());
  return sizes.sort((a, b) => a - b);
});

const zipped = (method: number, zip64 = false) => (files: Record<string, Uint8Array>) =>
  zip(Object.entries(files).map(([path, content]): ZipEntry => ({ path, content, method, zip64 })));
const tarred = (files: Record<string, Uint8Array>) => tar(Object.entries(files).map(([path, content]): TarEntry => ({ path, content })));
const kinds: [name: string, ending: string, pack: (files: Record<string, Uint8Array>) => Uint8Array][] = [
  ['a zip archive', '.zip', zipped(8)],
  ['a zip archive that only stores', '.zip', zipped(0)],
  ['a zip64 archive', '.ZIP', zipped(8, true)],
  ['a tar archive', '.tar', tarred],
  ['a compressed tar archive', '.tar.gz', (files) => gzipSync(tarred(files))],
  ['a compressed tar archive with the short ending', '.tgz', (files) => gzipSync(tarred(files))],
];

describe.each(kinds)('%s', (_, ending, pack) => {
  it('gives its model, with the weights beside it', async () => {
    await dropArchive(`net${ending}`, pack({ 'export/model.onnx': externalNet, 'export/weights.bin': externalData, 'export/notes.txt': Buffer.from('x') }));
    await shown('done');
    expect(await taken()).toEqual({
      Model: ['net/export/model.onnx'],
      'Data of model.onnx': ['net/export/weights.bin'],
      'Ignored: not named in the model': ['net/export/notes.txt'],
    });
    const folder = folderWith({ 'model.onnx': externalNet, 'weights.bin': externalData });
    expect(await saved()).toMatchObject(nativeFiles(join(folder, 'model.onnx'), [], 'model'));
  });

  it('gives a SavedModel as one model', async () => {
    const files = Object.fromEntries(parts.map((name) => [name, readFileSync(join(saved_model, name))]));
    await dropArchive(`scores${ending}`, pack({ ...files, 'assets/words.txt': Buffer.from('a') }));
    await shown('done');
    expect(await page.locator('#done-title').textContent()).toBe('scores');
    expect((await saved()).names).toEqual(['scores.xml', 'scores.bin']);
  });
});

describe('an archive', () => {
  it('is chosen, too, and brings extensions and a configuration', async () => {
    const config = JSON.stringify([{ id: 'Nothing', match_kind: 'general', custom_attributes: {} }]);
    const name = 'all.zip';
    await page.setInputFiles('#files', join(folderWith({ [name]: zip([
      { path: 'model.onnx', content: net }, { path: 'c.json', content: config }, { path: 'ext/front/nothing.js', content: 'export {};' },
    ]) }), name));
    await shown('done');
    expect(await taken()).toEqual({ Model: ['all/model.onnx'], Extensions: ['all/ext/front/nothing.js'], Configuration: ['all/c.json'] });
    expect(await page.locator('[name=transformations_config]').inputValue()).toBe(config);
  });

  it('X-04 cannot run its extensions before the user switches them on', async () => {
    const code = "import { FrontReplacementPattern } from '@mo/wasm/extension';\nexport default class Ran extends FrontReplacementPattern { findAndReplacePattern() { throw new Error('it ran'); } }";
    await dropArchive('all.zip', zip([{ path: 'model.onnx', content: net }, { path: 'ext/front/ran.js', content: code }]));
    await shown('done');
    expect(await page.locator('#extensions').textContent()).toContain('Off, because they came in an archive');
    expect(await page.locator('#extensions code').textContent()).toBe('ext/front/ran.js');
    expect(await page.locator('#command').innerText()).not.toContain('--extensions');
    await page.getByRole('button', { name: 'Switch on' }).click();
    expect(await page.locator('#command').innerText()).toContain('--extensions ext');
    await page.click('#again');
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('it ran');
  });

  it('is unpacked as far as the model needs it: nothing that is stored, nothing that is not named', async () => {
    await dropArchive('lazy.zip', zip([
      { path: 'model.onnx', content: externalNet, method: 0 },
      { path: 'weights.bin', content: externalData },
      { path: 'large.bin', content: Buffer.alloc(3_000_000, 'x') },
    ]));
    await shown('done');
    expect(await unpacked()).toEqual([externalData.length]);
  });

  it('that only stores, and a tar archive, are not copied at all', async () => {
    await dropArchive('a.zip', zip([{ path: 'model.onnx', content: net, method: 0 }]));
    await shown('done');
    await dropArchive('b.tar', tar([{ path: 'model.onnx', content: net }]));
    await expect.poll(taken, { timeout: 20_000 }).toEqual({});
    expect(await unpacked()).toEqual([]);
  });

  it('has weights of the same name in several folders, and each model reads its own', async () => {
    const other = Buffer.from(externalData).reverse();
    // Only the wrong weights are stored without compression, and so at hand without unpacking.
    await dropArchive('net.zip', zip([
      { path: 'model.onnx', content: externalNet }, { path: 'weights.bin', content: externalData }, { path: 'sub/weights.bin', content: other, method: 0 },
    ]));
    await shown('done');
    const folder = folderWith({ 'model.onnx': externalNet, 'weights.bin': externalData });
    expect(await saved()).toMatchObject(nativeFiles(join(folder, 'model.onnx'), [], 'model'));
  });

  it('brings the weights that a model at hand lacks', async () => {
    await choose('external.onnx');
    await shown('failed');
    await dropArchive('data.zip', zip([{ path: 'weights.bin', content: externalData }]));
    await shown('done');
  });

  it('has links to files in it, and backslashes between folders', async () => {
    await dropArchive('a.tar', tar([
      { path: 'blobs\\1', content: externalNet }, { path: 'blobs\\2', content: externalData },
      { path: 'net/model.onnx', type: '2', link: '../blobs/1' }, { path: 'net/weights.bin', type: '1', link: 'blobs/2' },
    ]));
    await shown('done');
    expect((await taken())['Model']).toEqual(['a/net/model.onnx']);
    const folder = folderWith({ 'model.onnx': externalNet, 'weights.bin': externalData });
    expect(await saved()).toMatchObject(nativeFiles(join(folder, 'model.onnx'), [], 'model'));
  });

  it('has long and foreign names', async () => {
    const path = `${long}/größe.onnx`;
    await dropArchive('x.tar', tar([pax('path', path), { path: 'short', content: net }, { path: 'LongLink', type: 'L', content: `${long}/b.txt\0` }, { path: 'short', content: 'x' }]));
    await shown('done');
    expect(await taken()).toEqual({ Model: [`x/${path}`], 'Ignored: not named in the model': [`x/${long}/b.txt`] });
  });

  it('in a folder or in an archive is left alone', async () => {
    const inner = zip([{ path: 'other.onnx', content: net }]);
    await dropPaths(join(folderWith({ 'top/model.onnx': net, 'top/inner.zip': inner }), 'top'));
    await shown('done');
    expect(await taken()).toEqual({ Model: ['top/model.onnx'], 'Ignored: archives in folders and in archives': ['top/inner.zip'] });
    await dropArchive('outer.zip', zip([{ path: 'inner.zip', content: inner }, { path: 'model.onnx', content: net }]));
    await expect.poll(taken, { timeout: 20_000 }).toEqual({ Model: ['outer/model.onnx'], 'Ignored: archives in folders and in archives': ['outer/inner.zip'] });
  });

  it('leaves nothing behind once the page is closed', async () => {
    await dropArchive('net.zip', zip([{ path: 'model.onnx', content: net }]));
    await shown('done');
    expect(await unpacked()).toEqual([net.length]);
    const url = page.url();
    await page.goto('about:blank');
    await page.goto(url);
    await expect.poll(unpacked, { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBe(2);
    await choose('conv.onnx');
    await shown('done');
    // The requests of this second visit to the page are expected.
    forgetRequests();
  });

  it('is unpacked into memory where the page may store nothing', async () => {
    await page.evaluate(() => (navigator.storage.getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'))));
    await dropArchive('net.tar.gz', gzipSync(tar([{ path: 'model.onnx', content: net }])));
    await shown('done');
    expect((await saved()).bin).toBe(nativeFiles(model('conv.onnx'), [], 'model').bin);
  });

  it('makes way for what comes while it is opened', async () => {
    await page.evaluate(() => {
      const { pipeThrough } = ReadableStream.prototype;
      // The first unpacking never ends.
      ReadableStream.prototype.pipeThrough = function (...args) {
        ReadableStream.prototype.pipeThrough = pipeThrough;
        const { readable } = args[0] as TransformStream;
        void readable;
        return new ReadableStream() as never;
      };
    });
    await dropArchive('slow.tar.gz', gzipSync(tar([{ path: 'slow.onnx', content: net }])));
    await page.locator('#opening').waitFor({ state: 'visible' });
    expect(await page.locator('#opening-title').textContent()).toBe('slow.tar.gz');
    expect(await page.locator('#empty').isVisible()).toBe(false);
    await drop('conv.onnx');
    await shown('done');
    expect(await page.locator('#opening').isVisible()).toBe(false);
  });

  it('can be cancelled while it is opened', async () => {
    await page.evaluate(() => (ReadableStream.prototype.pipeThrough = () => new ReadableStream() as never));
    await dropArchive('slow.tar.gz', gzipSync(tar([{ path: 'slow.onnx', content: net }])));
    await page.locator('#opening button').click();
    await shown('empty');
  });
});

describe('a hostile archive', () => {
  const good = { path: 'model.onnx', content: net };

  it.each<[what: string, name: string, bytes: () => Uint8Array, said: string[]]>([
    ['paths that lead out', 'a.zip', () => zip([good, { path: '../up.onnx', content: 'x' }, { path: 'x/../../up.onnx', content: 'x' }]),
      ['2 times', 'its path leads out of the archive', 'a.zip/../up.onnx']],
    ['absolute paths', 'a.zip', () => zip([good, { path: '/etc/model.onnx', content: 'x' }, { path: 'C:\\model.onnx', content: 'x' }]),
      ['2 times', 'its path leads out of the archive', 'a.zip//etc/model.onnx']],
    ['paths of tar that lead out', 'a.tar', () => tar([good, { path: '../up.onnx', content: 'x' }, { path: '/etc/model.onnx' }]),
      ['2 times', 'its path leads out of the archive']],
    ['links in zip', 'a.zip', () => zip([good, { path: 'weights.bin', content: '/etc/passwd', mode: 0o120777 }]), ['it is a link', 'a.zip/weights.bin']],
    ['links in tar', 'a.tar', () => tar([good, { path: 'b.onnx', type: '2', link: '/etc/passwd' }, { path: 'c.onnx', type: '1', link: '../model.onnx' }]),
      ['2 times', 'it is a link to nothing in the archive', 'a.tar/b.onnx']],
    ['entries in the same place', 'a.zip', () => {
      const bytes = zip([good, { path: 'b.onnx', content: net }, { path: 'c.onnx', content: net }]);
      const [second, third] = [bytes.indexOf('b.onnx', bytes.indexOf('PK\x01\x02', 0, 'latin1')), bytes.lastIndexOf('c.onnx')];
      bytes.copy(bytes, third - 4, second - 4, second);
      return bytes;
    }, ['2 times', 'it lies in the same place as another file']],
    ['a second entry of a name that cannot be read', 'a.zip', () => zip([good, { path: 'b.onnx', content: net }, { path: 'b.onnx', content: net, flags: 0x801 }]),
      ['it is encrypted', 'a.zip/b.onnx']],
    ['devices', 'a.tar', () => tar([good, { path: 'b.onnx', type: '3' }]), ['it is a device']],
    ['encrypted files', 'a.zip', () => zip([good, { path: 'b.onnx', content: 'x'.repeat(20), flags: 0x801 }]), ['it is encrypted', 'a.zip/b.onnx']],
    ['methods that are not read', 'a.zip', () => zip([good, { path: 'b.onnx', content: 'x', method: 12 }, { path: 'c.onnx', content: 'x', method: 77 }]),
      ['bzip2, is not read', 'method 77, is not read']],
  ])('with %s: they are named, and the rest is converted', async (_, name, bytes, said) => {
    await dropArchive(name, bytes());
    await shown('done');
    for (const part of said) expect(await messages()).toContain(part);
    expect((await saved()).names).toEqual(['model.xml', 'model.bin']);
    expect(await page.locator('#models').isVisible()).toBe(false);
  });

  it.each<[what: string, entry: ZipEntry, said: string]>([
    ['a size that is too small', { ...good, size: 10 }, 'size is not what the archive says'],
    ['a size that is too large', { ...good, size: net.length + 1 }, 'an archive could not be read: its'],
    ['a wrong checksum', { ...good, crc: 1 }, 'the checksum differs'],
    ['compressed bytes that are none', { path: 'model.onnx', content: 'x'.repeat(50), garbled: true }, 'damaged'],
    ['a bomb', { path: 'model.onnx', content: Buffer.alloc(1000), size: 5e9, zip64: true }, 'more than 4 GB and more than 100 times'],
  ])('with %s is not converted', async (_, entry, said) => {
    await dropArchive('a.zip', zip([entry]));
    await shown('failed');
    expect(await messages()).toContain('MO7001');
    expect(await messages()).toContain(said);
    expect(await messages()).toContain('a.zip/model.onnx');
    await choose('conv.onnx');
    await shown('done');
  });

  it.each<[what: string, name: string, bytes: () => Uint8Array, said: string]>([
    ['is none', 'a.zip', () => Buffer.from('this is no archive at all, whatever it is called'), 'it is no zip archive, or it is cut off'],
    ['is cut off', 'a.zip', () => zip([good]).subarray(0, -30), 'it is no zip archive, or it is cut off'],
    ['has a directory that lies about its size', 'a.zip', () => {
      const bytes = zip([good]);
      bytes.writeUInt32LE(0xfffffff0, bytes.length - 10);
      return bytes;
    }, 'an archive could not be read'],
    ['is cut off', 'a.tar', () => tar([good]).subarray(0, 2000), 'it is cut off'],
    ['is none', 'a.tar', () => Buffer.alloc(2048, 'x'), 'what is at byte 0 is no header of a tar archive'],
    ['has a name without end', 'a.tar', () => tar([{ path: 'LongLink', type: 'L', content: Buffer.alloc((1 << 20) + 1, 'x') }, good]), 'longer than 1 MB'],
    ['says a size that is none', 'a.tar', () => tar([pax('size', '-1'), good]), 'a size in it is no number'],
    ['is none', 'a.tar.gz', () => Buffer.from('neither gzip nor tar'), 'its compressed bytes are damaged or cut off'],
    ['is cut off', 'a.tgz', () => gzipSync(tar([good])).subarray(0, -500), 'its compressed bytes are damaged or cut off'],
    ['is empty', 'a.zip', () => zip([]), 'it is empty'],
    ['is of another kind', 'a.7z', () => Buffer.from('7z'), 'archives of this kind are not known here'],
  ])('that %s is named: %s', async (_, name, bytes, said) => {
    await dropArchive(name, bytes());
    await shown('failed');
    expect(await messages()).toContain(said);
    expect(await messages()).toContain(name);
  });

  it('with what other systems add: that is left out without a message', async () => {
    await dropArchive('a.zip', zip([good, { path: '__MACOSX/._model.onnx', content: 'x' }, { path: '.DS_Store', content: 'x' }]));
    await shown('done');
    expect(await page.locator('#taken').isVisible()).toBe(false);
  });
});

describe('several models in one folder or archive', () => {
  const three = () => zip(['a', 'b', 'c'].map((name) => ({ path: `${name}.onnx`, content: net })));
  const states = () => page.locator('#models .model-state').allTextContents();

  it('are asked about, and those that are ticked are converted', async () => {
    await dropArchive('nets.zip', three());
    await page.locator('#question').waitFor({ state: 'visible' });
    expect(await page.locator('#question label span').allTextContents()).toEqual(['nets/a.onnx', 'nets/b.onnx', 'nets/c.onnx']);
    expect(await page.locator('#question input:checked').count()).toBe(3);
    expect(await page.locator('#empty').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-title');
    await page.getByLabel('nets/b.onnx').uncheck();
    await page.getByRole('button', { name: 'Convert 2 models' }).click();
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted']);
    expect((await savedOf('nets/c.onnx')).names).toEqual(['c.xml', 'c.bin']);
    expect(await taken()).toEqual({ 'Left out: not chosen': ['nets/b.onnx'] });
  });

  it('can be ticked all at once, and none of them is no answer', async () => {
    await dropPaths(join(folderWith({ 'x/a.onnx': net, 'x/b.onnx': net }), 'x'));
    await page.getByRole('button', { name: 'Tick none' }).click();
    expect(await page.locator('#question [type=submit]').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Tick all' }).click();
    await page.getByRole('button', { name: 'Convert 2 models' }).click();
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted']);
  });

  it('are not converted when the answer is Escape, and what is at hand stays', async () => {
    await choose('conv.onnx');
    await shown('done');
    await dropArchive('nets.zip', three());
    await page.locator('#question').waitFor({ state: 'visible' });
    for (const former of ['#done', '#card']) expect(await page.locator(former).isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await shown('done');
    expect(await page.locator('#card').isVisible()).toBe(true);
    expect(await page.locator('#done-title').textContent()).toBe('conv.onnx');
  });

  it('are asked about no longer when something else comes', async () => {
    await dropArchive('nets.zip', three());
    await page.locator('#question').waitFor({ state: 'visible' });
    await choose('conv.onnx');
    await shown('done');
    expect(await page.locator('#question').isVisible()).toBe(false);
  });

  it('are not asked about side by side, nor one in each of several folders', async () => {
    await choose('conv.onnx', 'dense.onnx');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted']);
    const folder = folderWith({ 'x/a.onnx': net, 'y/b.onnx': net, 'z/c.onnx': net });
    await dropPaths(...['x', 'y', 'z'].map((name) => join(folder, name)));
    await expect.poll(states, { timeout: 20_000 }).toEqual(['Converted', 'Converted', 'Converted']);
    await row('x/a.onnx').waitFor();
  });
});

describe('what is pasted', () => {
  /** Pastes as the keyboard does, where the focus is. */
  const paste = (name: string) => page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], 'pasted.onnx'));
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
    return event.defaultPrevented;
  }, readFileSync(model(name)).toString('base64'));

  it('is converted', async () => {
    expect(await paste('conv.onnx')).toBe(true);
    await shown('done');
    expect((await saved()).names).toEqual(['pasted.xml', 'pasted.bin']);
  });

  it('stays in a text field', async () => {
    await page.focus('[name=model_name]');
    expect(await paste('conv.onnx')).toBe(false);
    await page.focus('#line');
    expect(await paste('conv.onnx')).toBe(false);
    await page.focus('[name=static_shape]');
    expect(await paste('conv.onnx')).toBe(true);
    await shown('done');
  });
});
