/** The page as one file, opened without a server. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

import { nativeFiles, root, temporaryFolder } from '../js/support.js';
import { choose, complaints, context, drop, dropPaths, folderWith, model, page, saved, shown, usePage } from './support.js';

usePage();

/** Opens a copy of the file, with nothing beside it; what it asks for from then on. */
async function openFile(): Promise<string[]> {
  const path = join(temporaryFolder(), 'mo.html');
  copyFileSync(join(root, 'build/mo.html'), path);
  const asked: string[] = [];
  // A blob is the page's own: the last one of the page before may come while the file opens.
  context.on('request', (request) => request.url().startsWith('blob:') || asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(2);
  expect(asked.splice(0)).toEqual([pathToFileURL(path).href]);
  return asked;
}

/** A folder with an example of an extension and its model. */
function example(name: string): string {
  const folder = temporaryFolder();
  const made = spawnSync(join(root, '.venv/bin/python'), [join(root, 'docs/examples/make_models.py'), folder], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const both = temporaryFolder();
  copyFileSync(join(folder, `${name}.onnx`), join(both, `${name}.onnx`));
  cpSync(join(root, 'docs/examples/extensions', name), join(both, name), { recursive: true });
  return both;
}

it('says its version and the day of its commit, as the served page does', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const served = await page.textContent('#version');
  expect(served).toMatch(/^mo [\d.]+, \d{4}-\d\d-\d\d$/);
  expect(served).toContain(` ${version}, `);
  await openFile();
  expect(await page.textContent('#version')).toBe(served);
});

it('converts to the bytes of the served page, with extensions too, and asks for nothing', async () => {
  const folder = example('mish');
  const convertBoth = async () => {
    await page.fill('[name=model_name]', 'same');
    await drop('conv.onnx');
    await shown('done');
    const plain = await saved();
    await page.setInputFiles('#folder', folder);
    await expect.poll(() => page.locator('#done-title').textContent(), { timeout: 30_000 }).toBe('mish.onnx');
    expect(await page.locator('#extensions').textContent()).toContain('mish/front/mish_fusion.js');
    return [plain, await saved()];
  };
  const served = await convertBoth();
  const asked = await openFile();
  expect(await convertBoth()).toEqual(served);
  expect(served[0]).toMatchObject(nativeFiles(model('conv.onnx')));
  expect(served[1]!.xml).toContain('type="Mish"');
  expect(asked).toEqual([]);
});

it('speaks the other language, with the help of messages', async () => {
  const asked = await openFile();
  await page.selectOption('#language', 'zh-Hans');
  await expect.poll(() => page.title()).toBe('模型转换为 OpenVINO IR');
  expect(await page.locator('footer summary').textContent()).toBe('本页所用组件的许可证');
  await choose('unknown.onnx');
  await shown('failed');
  await page.getByText('关于 MO2001').first().click();
  await page.locator('.help-body').getByText('常见原因').waitFor();
  expect(asked).toEqual([]);
});

it('takes dropped folders, and says what of them cannot be read', async () => {
  await openFile();
  await page.evaluate(() => {
    const { getFile } = FileSystemFileHandle.prototype;
    FileSystemFileHandle.prototype.getFile = function () {
      return this.name === 'gone.bin' ? Promise.reject(new DOMException('It is gone.', 'NotFoundError')) : getFile.call(this);
    };
  });
  await dropPaths(folderWith({ 'inner/external.onnx': readFileSync(model('external.onnx')), 'inner/weights.bin': readFileSync(model('weights.bin')), 'gone.bin': 'x' }));
  await shown('done');
  expect(await page.locator('#done-title').textContent()).toBe('external.onnx');
  const text = await page.locator('#taken').textContent();
  for (const part of ['MO7001', 'gone.bin']) expect(text).toContain(part);
});

it('says what is wrong, and goes on', async () => {
  await openFile();
  await choose('unknown.onnx');
  await shown('failed');
  expect(await page.locator('#failed').textContent()).toContain('MO2001');
  await page.fill('#line', 'mo --input_model model.onnx --batch 4');
  await page.click('#take-line');
  await expect.poll(() => page.locator('[name=batch]').inputValue()).toBe('4');
  await choose('conv.onnx');
  await shown('done');
  await expect.poll(() => page.locator('#done').textContent()).toContain('[4,3,32,32]');
});

it('shows the graph', async () => {
  const asked = await openFile();
  await choose('conv.onnx');
  await shown('done');
  await page.getByRole('button', { name: 'View graph' }).click();
  await page.waitForFunction(() => performance.getEntriesByName('mo-graph-result-all').length > 0);
  await page.fill('#graph-search', 'conv');
  await page.press('#graph-search', 'Enter');
  await expect.poll(() => page.locator('.graph-details').innerText()).toContain('Became, in IR');
  expect(asked).toEqual([]);
});

it('carries the licences', async () => {
  await openFile();
  await page.locator('.notices summary').click();
  expect(await page.locator('.notices pre').textContent()).toBe(readFileSync(join(root, 'build/web/THIRD_PARTY_NOTICES.txt'), 'utf8'));
});

it('has a link to the documents that it carries: what each message means', async () => {
  await openFile();
  await page.getByText('What messages mean').click();
  const dialog = page.getByRole('dialog', { name: 'What messages mean' });
  await dialog.getByText('MO2001 the operation is not supported').click();
  await dialog.locator('.help-body').getByText('What to do').waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.selectOption('#language', 'zh-Hans');
  await page.getByText('消息的含义').click();
  await page.getByRole('dialog').getByText('MO2001 不支持该算子').waitFor();
});

it('may ask for nothing', async () => {
  await openFile();
  const refused = await page.evaluate(async (url) => {
    const violated = new Promise((resolve) => addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }));
    return [await fetch(url).catch(() => 'failed'), await violated];
  }, 'http://127.0.0.1:9/');
  expect(refused).toEqual(['failed', 'connect-src']);
  complaints.splice(0);
});
