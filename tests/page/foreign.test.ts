/** Files that are no model for the page say what they are and what to do, alone and among others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { choose, dropPaths, folderWith, model, page, shown, taken, usePage } from './support.js';

usePage();

/** An archive with one file, of which only the header is there. */
const zipped = (name: string) => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(22), Buffer.from([name.length, 0, 0, 0]), Buffer.from(name)]);
const latin = (text: string) => Buffer.from(text, 'latin1');
const FILES: Record<string, [content: Buffer, what: string, todo: string]> = {
  'net.pt': [zipped('archive/data.pkl'), 'PyTorch model or weights', 'torch.export.save'],
  'pytorch_model.bin': [zipped('archive/data.pkl'), 'PyTorch model or weights', 'torch.export.save'],
  'old.pth': [latin('\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.'), 'PyTorch model or weights', 'torch.export.save'],
  'script.pt': [Buffer.concat([zipped('net/data.pkl'), latin('\x80\x02c__torch__\nNet\nq')]), 'TorchScript program', 'torch.export.save'],
  'net.pte': [latin('\x1c\0\0\0ET12'), 'ExecuTorch program', 'torch.export.save'],
  'model.safetensors': [latin('\x10\0\0\0\0\0\0\0{"a":{}}        '), 'safetensors file with weights alone', 'torch.export.save'],
  'llama.gguf': [latin('GGUF\x03\0\0\0'), 'GGUF model of llama.cpp', 'take the model that it was made of'],
  'fast.ort': [latin('\x1c\0\0\0ORTM'), 'ORT model of ONNX Runtime', 'convert the ONNX model that it was made of'],
  'net.engine': [latin('ptrt\0\0\0\0'), 'TensorRT engine', 'convert the ONNX model that it was made of'],
  'yolo.weights': [latin('\0\0\0\0\x02\0\0\0\x05\0\0\0'), 'Darknet weights', 'write the network with its weights as ONNX'],
  'yolo.cfg': [latin('[net]\nbatch=1\n'), 'Darknet configuration', 'write the network with its weights as ONNX'],
  'tree.pkl': [latin('\x80\x04\x95\0\0'), 'Python pickle', 'load it in Python'],
  'big.bin': [latin('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'), 'Git LFS pointer', 'git lfs pull'],
  'download.bin': [latin('<!DOCTYPE html><html><body>Sign in</body></html>'), 'web page', 'download the file itself'],
  'plot.png': [latin('\x89PNG\r\n\x1a\n'), 'image file', "choose the model's file"],
};
const folder = () => folderWith(Object.fromEntries(Object.entries(FILES).map(([name, [content]]) => [name, content])));

describe('a file of another kind', () => {
  it.each(Object.entries(FILES))('%s is named, with what to do', async (name, [, what, todo]) => {
    await page.setInputFiles('#files', join(folder(), name));
    await shown('failed');
    const text = await page.locator('#failed').innerText();
    expect(text).toContain(what);
    expect(text.toLowerCase()).toContain(todo.toLowerCase());
  });

  it('beside a model is named, too, and never "not needed so far"', async () => {
    const files = Object.fromEntries(Object.entries(FILES).map(([name, [content]]) => [name, content]));
    await page.check('#look');
    await page.setInputFiles('#folder', folderWith({ ...files, 'model.onnx': readFileSync(model('conv.onnx')) }));
    await shown('ready');
    const groups = await taken();
    expect(Object.keys(groups)).not.toContain('Not needed so far');
    const named = Object.values(groups).flat().map((path) => path.replace(/^.*\//, '')).sort();
    expect(named).toEqual([...Object.keys(FILES), 'model.onnx'].sort());
    for (const [, what, todo] of Object.values(FILES)) {
      expect(Object.keys(groups).some((title) => title.includes(what)), what).toBe(true);
      expect((await page.locator('#taken').innerText()).toLowerCase()).toContain(todo.toLowerCase());
    }
  });

  it.each([['plot.png', 'net.pt'], ['pointer.onnx', 'llama.gguf'], ['dense_cut.onnx', 'net.pt']])('is named, and no part of what failed before: %s, then %s', async (first, second) => {
    const failing = { 'pointer.onnx': FILES['big.bin']![0], 'dense_cut.onnx': readFileSync(model('truncated.onnx')), 'plot.png': FILES['plot.png']![0] }[first]!;
    await page.setInputFiles('#files', join(folderWith({ [first]: failing }), first));
    await expect.poll(() => page.locator('#failed').innerText()).toContain(first);
    await page.setInputFiles('#files', join(folder(), second));
    await expect.poll(() => page.locator('#failed').innerText()).toContain(FILES[second]![1]);
    expect(await page.locator('#failed').innerText()).not.toContain(first);
    expect(await page.locator('#taken').isVisible()).toBe(false);
  });

  it('has its place beside the name of the model, however long that is', async () => {
    const long = `${'a_model_with_a_name_that_is_long'.repeat(2)}.onnx`;
    const brought = folderWith({ [long]: readFileSync(model('external.onnx')), 'weights.bin': readFileSync(model('weights.bin')), 'plot.png': FILES['plot.png']![0] });
    await page.setInputFiles('#files', [long, 'weights.bin', 'plot.png'].map((name) => join(brought, name)));
    await shown('done');
    expect(Object.keys(await taken())).toContain(`Data of ${long}`);
    expect(await page.locator('#taken dt').evaluateAll((titles) => titles.filter((title) => title.scrollWidth > title.clientWidth).length)).toBe(0);
  });

  it('among others of which none is a model is named', async () => {
    await page.setInputFiles('#files', ['net.pt', 'plot.png', 'model.safetensors'].map((name) => join(folder(), name)));
    await shown('failed');
    const text = await page.locator('#failed').innerText();
    for (const name of ['net.pt', 'plot.png', 'model.safetensors']) for (const part of [name, FILES[name]![1]]) expect(text).toContain(part);
    expect(text).not.toContain('MO6005');
  });

  it('is named in Chinese', async () => {
    await page.selectOption('#language', 'zh-Hans');
    await page.setInputFiles('#files', join(folder(), 'llama.gguf'));
    await shown('failed');
    await expect.poll(() => page.locator('#failed').innerText()).toContain('llama.cpp 的 GGUF 模型');
    expect(await page.locator('#failed .message-original:visible').count()).toBe(0);
  });
});

describe('files that look like extensions', () => {
  it('and lie in no folder for them are named beside a model', async () => {
    await dropPaths(folderWith({ 'model.onnx': readFileSync(model('conv.onnx')), 'ext/frnt/mine.js': 'export {};', 'ext/x.js': 'export {};', 'mo_extensions/front/old.py': '' }));
    await shown('done');
    const groups = await taken();
    expect(groups['Not read: extensions']?.map((path) => path.replace(/^[^/]*\//, ''))).toEqual(['ext/frnt/mine.js', 'ext/x.js']);
    expect(groups['Not read: extensions in Python']).toHaveLength(1);
    expect(await page.locator('#taken').innerText()).toContain('Their modules must be in the folders ops, front, middle or back');
  });

  it('and come alone say where they belong', async () => {
    await choose('conv.onnx');
    await shown('done');
    await dropPaths(`${folderWith({ 'ext/frnt/mine.js': 'export {};', 'ext/front/old.py': '' })}/ext`);
    await shown('failed');
    const text = await page.locator('#failed').innerText();
    for (const part of ['their modules must be in the folders ops, front, middle or back', 'ext/frnt/mine.js', 'extensions are JavaScript modules', 'ext/front/old.py']) expect(text.toLowerCase()).toContain(part.toLowerCase());
  });

  it('in TypeScript are extensions; declarations are not', async () => {
    await dropPaths(`${folderWith({ 'ext/front/mine.ts': 'export {};', 'ext/front/types.d.ts': 'export {};' })}/ext`);
    await expect.poll(taken).toMatchObject({ Extensions: ['ext/front/mine.ts'] });
  });
});

describe('an address', () => {
  const transfer = (type: string, text: string) => page.evaluateHandle(([type, text]) => {
    const transfer = new DataTransfer();
    transfer.setData(type!, text!);
    return transfer;
  }, [type, text]);

  it.each(['https://example.org/models/net.onnx', 'http://127.0.0.1/net.onnx\n'])('that is pasted is answered: the page makes no requests', async (address) => {
    const clipboardData = await transfer('text/plain', address);
    await page.evaluate((clipboardData) => dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })), clipboardData);
    await shown('failed');
    const text = await page.locator('#failed').innerText();
    expect(text).toContain('it is an address, and this page makes no requests');
    expect(text).toContain(address.trim());
  });

  it('that is dropped is answered, too; other texts are left alone', async () => {
    for (const text of ['file:///etc/passwd', 'javascript:alert(1)']) await page.dispatchEvent('body', 'drop', { dataTransfer: await transfer('text/uri-list', text) });
    expect(await page.locator('#failed').isVisible()).toBe(false);
    await page.dispatchEvent('body', 'drop', { dataTransfer: await transfer('text/uri-list', 'https://example.org/net.onnx') });
    await shown('failed');
    expect(await page.locator('#failed').innerText()).toContain('download the file, then drop it here'.replace('d', 'D'));
  });
});
