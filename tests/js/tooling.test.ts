/** The programs of examples/ run as they stand, with the package as it is packed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';

import { models, origin, TestBrowser } from './bundler_support.js';
import { hash, listing, nativeFiles, root, temporaryFolder, unpackPackage } from './support.js';

const examples = join(root, 'examples');
const user = new TestBrowser();

/** A copy of an example. */
function copied(name: string, folder = temporaryFolder()): string {
  cpSync(join(examples, name), folder, { recursive: true });
  return folder;
}

describe('node', () => {
  it('converts a folder, and names what is in the way', () => {
    const folder = copied('node');
    unpackPackage(folder);
    mkdirSync(join(folder, 'models'));
    for (const name of ['conv.onnx', 'unknown.onnx']) copyFileSync(join(models, name), join(folder, 'models', name));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['convert.mjs', 'models', 'ir'], { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^conv\.onnx: \d+ operations, [\d.]+ MB, OpenVINO \S+ or newer\n$/);
    expect(stderr).toContain('unknown.onnx: MO2001 ');
    expect(listing(join(folder, 'ir'))).toEqual(['conv.bin', 'conv.xml']);
    const native = nativeFiles(join(models, 'conv.onnx'), [], 'conv');
    expect(readFileSync(join(folder, 'ir/conv.xml'), 'utf8')).toBe(native.xml);
    expect(hash(readFileSync(join(folder, 'ir/conv.bin')))).toBe(native.bin);
  });
});

describe('vite', () => {
  it('converts the file that is chosen', async () => {
    const folder = copied('vite');
    unpackPackage(folder);
    await build({ root: folder, base: './', logLevel: 'warn', configFile: false });
    const server = await user.serveFiles(join(folder, 'dist'));
    await user.page.goto(origin(server));
    const native = nativeFiles(join(models, 'conv.onnx'), ['--compress_to_fp16=False'], 'conv');
    await user.page.setInputFiles('#model', join(models, 'conv.onnx'));
    const [download] = await Promise.all([user.page.waitForEvent('download'), user.page.getByText('conv.bin').click()]);
    expect(hash(readFileSync(await download.path()))).toBe(native.bin);
    await user.page.setInputFiles('#model', join(models, 'unknown.onnx'));
    await expect.poll(() => user.page.textContent('#says')).toContain('MO2001');
  });
});

describe('next', () => {
  /** Next.js takes only packages that are in folders above the application. */
  const runtimes = join(root, 'build/runtimes');
  const app = join(runtimes, 'example');
  beforeAll(() => {
    rmSync(app, { recursive: true, force: true });
    mkdirSync(app);
    copied('next', app);
    unpackPackage(app);
    writeFileSync(join(app, 'next.config.mjs'), `export default { outputFileTracingRoot: ${JSON.stringify(runtimes)}, turbopack: { root: ${JSON.stringify(runtimes)} } };\n`);
  });
  afterAll(() => rmSync(app, { recursive: true, force: true }));

  it('converts what is posted, and what is chosen on its page', async () => {
    const next = join(runtimes, 'node_modules/next/dist/bin/next');
    const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    execFileSync(process.execPath, [next, 'build'], { cwd: app, env: environment, stdio: 'pipe' });
    const server = spawn(process.execPath, [next, 'start', '-p', '0'], { cwd: app, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let text = '';
        server.stdout!.on('data', (more) => {
          const [found] = /http:\/\/localhost:\d+/.exec((text += more)) ?? [];
          if (found) resolve(found);
        });
        server.on('exit', () => reject(new Error(text)));
      });
      const post = (name: string, more = '') => fetch(`${url}/convert?name=conv${more}`, { method: 'POST', body: readFileSync(join(models, name)) });
      const native = nativeFiles(join(models, 'conv.onnx'), ['--compress_to_fp16=False'], 'conv');
      expect(await (await post('conv.onnx')).text()).toBe(native.xml);
      expect(hash(new Uint8Array(await (await post('conv.onnx', '&part=bin')).arrayBuffer()))).toBe(native.bin);
      const refused = await post('unknown.onnx');
      expect([refused.status, ((await refused.json()) as { code: string }[])[0]!.code]).toEqual([422, 'MO2001']);
      await user.page.goto(url);
      await user.page.waitForLoadState('networkidle');
      await user.page.setInputFiles('#model', join(models, 'conv.onnx'));
      await expect.poll(() => user.page.textContent('#says'), { timeout: 30_000 }).toMatch(/^\d+ operations$/);
    } finally {
      server.kill();
    }
  }, 300_000);
});

describe('electron', () => {
  it('opens a window with the file beside it, and lets nothing out', () => {
    const said: Record<string, unknown>[] = [];
    const module = { exports: {} };
    let decide: ((request: { url: string }, answer: (said: { cancel: boolean }) => void) => void) | undefined;
    class BrowserWindow {
      webContents = { session: { webRequest: { onBeforeRequest: (listener: typeof decide) => (decide = listener) } } };
      constructor(options: Record<string, unknown>) { said.push(options); }
      loadFile(path: string) { said.push({ path }); }
    }
    const app = { whenReady: () => ({ then: (go: () => void) => go() }), on: () => {}, quit: () => {} };
    const load = createRequire(import.meta.url);
    const text = readFileSync(join(examples, 'electron/main.cjs'), 'utf8');
    new Function('require', 'module', '__dirname', text)((name: string) => (name === 'electron' ? { app, BrowserWindow } : load(name)), module, '/app');
    expect(said[0]).toMatchObject({ webPreferences: { sandbox: true, contextIsolation: true } });
    expect(said[1]).toEqual({ path: '/app/mo.html' });
    const answers = ['file:///app/mo.html', 'blob:null/1', 'https://example.org/'].map((url) => {
      let cancelled: boolean | undefined;
      decide!({ url }, ({ cancel }) => (cancelled = cancel));
      return cancelled;
    });
    expect(answers).toEqual([false, false, true]);
  });

  it('shows a page that converts from a disk', async () => {
    const folder = copied('electron');
    copyFileSync(join(root, 'build/mo.html'), join(folder, 'mo.html'));
    await user.page.goto(pathToFileURL(join(folder, 'mo.html')).href);
    await expect.poll(() => user.page.evaluate(() => performance.getEntriesByName('mo-ready').length)).toBe(1);
    await user.page.setInputFiles('#files', join(models, 'conv.onnx'));
    await user.page.locator('#done').waitFor({ state: 'visible' });
  });
});

describe('github', () => {
  it('converts the models of a repository, and leaves those that have not changed', () => {
    const folder = copied('github');
    mkdirSync(join(folder, 'models/inner'), { recursive: true });
    copyFileSync(join(models, 'conv.onnx'), join(folder, 'models/conv.onnx'));
    copyFileSync(join(models, 'dense.onnx'), join(folder, 'models/inner/dense.onnx'));
    const go = () => execFileSync('sh', ['convert.sh'], { cwd: folder, encoding: 'utf8', env: { ...process.env, MO: `${process.execPath} ${join(root, 'dist/library/node/cli.js')}` } });
    expect(go()).toMatch(/ir\/conv\.xml\nir\/inner\/dense\.xml\n$/);
    expect(go()).toMatch(/ir\/conv\.xml\nir\/inner\/dense\.xml\n$/);
    expect(readFileSync(join(folder, '.github/workflows/convert.yml'), 'utf8')).toContain('- run: sh convert.sh');
  });
});

it('each example is in the list, and has its test', () => {
  const names = listing(examples).filter((name) => name !== 'README.md');
  const list = readFileSync(join(examples, 'README.md'), 'utf8');
  const here = readFileSync(join(root, 'tests/js/tooling.test.ts'), 'utf8');
  for (const name of names) {
    expect(list).toContain(`[${name}](${name}/)`);
    expect(here).toContain(`describe('${name}'`);
  }
});
