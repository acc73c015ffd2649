/** The package in what people build pages with: no configuration, and the bytes of the other hosts come out. */
import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build } from 'vite';
import webpack, { type Configuration, type Stats } from 'webpack';

import type * as MoWasm from '../../dist/library/browser/browser.js';
import { convNet } from './models.js';
import { hash, installPackage, modelFolder, nativeFiles, temporaryFolder } from './support.js';

declare global {
  interface Window { mo: typeof MoWasm }
}

const models = modelFolder();
const expected = nativeFiles(join(models, 'conv.onnx'), ['--compress_to_fp16=False']);

const INDEX = '<!doctype html><title>user</title><link rel="icon" href="data:," /><script type="module" src="./main.js"></script>';
const MAIN = "import * as mo from '@mo/wasm';\nglobalThis.mo = mo;\n";
const EXTENSION = `
import { FrontReplacementOp, log, ops } from '@mo/wasm/extension';
export default class TanhForReLU extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) {
    log.info('tanh for ' + node.name);
    return ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]);
  }
}
`;

/** Those of the test that runs. */
const servers: Server[] = [];
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** The project of a user, with the package installed. */
let project: string;

beforeAll(async () => {
  project = temporaryFolder();
  installPackage(project);
  writeFileSync(join(project, 'index.html'), INDEX);
  writeFileSync(join(project, 'main.js'), MAIN);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  for (const server of servers.splice(0)) server.close();
});

/** Converts on the open page, also with an extension. */
async function converts(): Promise<void> {
  await page.waitForFunction(() => 'mo' in window);
  const made = await page.evaluate(async ({ model, extension }) => {
    const convert = async (options: MoWasm.BrowserOptions) => {
      const bytes = Uint8Array.from(model);
      const { xml, bin } = await window.mo.convert(new Blob([bytes]), { model_name: 'same', ...options });
      return { xml, bin: [...new Uint8Array(await bin.arrayBuffer())] };
    };
    return { plain: await convert({}), extended: await convert({ extensions: { 'front/onnx/tanh.js': extension } }) };
  }, { model: [...convNet], extension: EXTENSION });
  expect(made.plain.xml).toBe(expected.xml);
  expect(hash(Uint8Array.from(made.plain.bin))).toBe(expected.bin);
  expect(made.extended.xml).toContain('type="Tanh"');
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** A server of files that sends nothing else with them but `headers`. What is not there is the page, as with many hosts. */
function serveFiles(root: string, headers: Record<string, string> = {}): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const { pathname } = new URL(url!, 'http://localhost');
    const found = join(root, pathname);
    const path = statSync(found, { throwIfNoEntry: false })?.isFile() ? found : join(root, 'index.html');
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream', ...headers });
    createReadStream(path).pipe(response);
  });
  servers.push(server);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Shows the page of a folder. */
async function open(root: string, name = '', headers?: Record<string, string>): Promise<void> {
  await page.goto(`${origin(await serveFiles(root, headers))}/${name}`);
  await page.waitForFunction(() => 'mo' in window);
}

const origin = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.each([['vite-6'], ['vite-7'], ['vite']])('%s', (name) => {
  it('in development', async () => {
    const { createServer } = (await import(name)) as typeof import('vite');
    const server = await createServer({
      root: project, configFile: false, logLevel: 'warn', cacheDir: join(project, 'node_modules', `.${name}`), server: { port: 0, host: '127.0.0.1' },
    });
    try {
      await server.listen();
      await page.goto(origin(server.httpServer!));
      await converts();
    } finally {
      await server.close();
    }
  });

  it('in production', async () => {
    const { build } = (await import(name)) as typeof import('vite');
    const outDir = join(temporaryFolder(), 'out');
    await build({ root: project, configFile: false, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await open(outDir);
    await converts();
  });
});

/** Builds `entry` of the project with nothing but what is given. */
async function bundle(configuration: Configuration): Promise<void> {
  const stats = await new Promise<Stats>((resolve, reject) => {
    webpack({ context: project, mode: 'production', performance: false, ...configuration }, (error, done) => (done ? resolve(done) : reject(error)));
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  expect([...errors!, ...warnings!]).toEqual([]);
}

describe('webpack', () => {
  const shown = '<link rel="icon" href="data:," /><body><script src="./main.js"></script>';
  let built: string;

  beforeAll(async () => {
    built = join(temporaryFolder(), 'out');
    await bundle({ entry: './main.js', output: { path: built } });
    writeFileSync(join(built, 'index.html'), `<!doctype html>${shown}`);
  });

  it('in production', async () => {
    await open(built);
    await converts();
  });

  it('in production, for a page whose policy forbids scripts in its text', async () => {
    writeFileSync(join(built, 'strict.html'), `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:" />${shown}`);
    const frame = readdirSync(built).find((name) => /^\w{20}\.html$/.test(name))!;
    expect(readFileSync(join(built, frame), 'utf8')).not.toBe(readFileSync(join(project, 'node_modules/@mo/wasm/dist/library/browser/extension-frame.html'), 'utf8'));
    await open(built, 'strict.html');
    await converts();
  });

  it('for a server that serves the files of pages elsewhere, as Next.js has it', async () => {
    const path = join(temporaryFolder(), 'server');
    writeFileSync(join(project, 'route.js'), `import { convert } from '@mo/wasm';
      export async function GET() {
        const { xml, bin } = await convert(process.env.MODEL, { model_name: 'same' });
        await bin.writeTo(process.env.MODEL + '.bin');
        return xml;
      }`);
    await bundle({
      entry: './route.js',
      target: 'node20',
      output: { path, publicPath: '/_next/', library: { type: 'commonjs2' }, assetModuleFilename: '../static/media/[name].[hash:8][ext]' },
      module: { parser: { javascript: { url: 'relative' } } },
    });
    const run = `require(${JSON.stringify(join(path, 'main.js'))}).GET().then((xml) => process.stdout.write(xml))`;
    const model = join(models, 'conv.onnx');
    const made = execFileSync(process.execPath, ['-e', run], { env: { ...process.env, MODEL: model }, encoding: 'utf8' });
    expect(made).toBe(expected.xml);
    expect(hash(readFileSync(`${model}.bin`))).toBe(expected.bin);
  });
});

describe('without a bundler', () => {
  const header = { 'Access-Control-Allow-Origin': '*' };
  const library = () => join(project, 'node_modules/@mo/wasm');
  const pageOf = (from: string, more = '') => `<!doctype html>${more}<link rel="icon" href="data:," /><body>
    <script type="module">import * as mo from ${JSON.stringify(from)}; globalThis.mo = mo;</script>`;
  const LOADED = 'dist/library/browser/browser.js';

  function pageFolder(text: string): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'index.html'), text);
    return folder;
  }

  it('from the same origin', async () => {
    writeFileSync(join(library(), 'index.html'), pageOf(`./${LOADED}`));
    await open(library());
    await converts();
  });

  it('from another origin', async () => {
    const elsewhere = origin(await serveFiles(library(), header));
    await open(pageFolder(pageOf(`${elsewhere}/${LOADED}`)));
    await converts();
  });

  it('with files from a place of its own', async () => {
    const folder = pageFolder(INDEX.replace('./main.js', './out/main.js'));
    await build({ root: project, configFile: false, logLevel: 'warn', build: { outDir: join(folder, 'out'), emptyOutDir: true, lib: { entry: './main.js', formats: ['es'], fileName: () => 'main.js' } } });
    const elsewhere = origin(await serveFiles(library(), header));
    await open(folder);
    await page.evaluate((distUrl) => window.mo.prepare({ distUrl }), `${elsewhere}/dist`);
    await converts();
  });

  it('with a worker from a place of its own', async () => {
    await open(pageFolder(pageOf(`${origin(await serveFiles(library(), header))}/${LOADED}`)));
    await page.evaluate((workerUrl) => window.mo.prepare({ workerUrl }), `${origin(await serveFiles(library(), header))}/dist/library/browser/browser-worker.js`);
    await converts();
  });

  /** The error of a conversion of a model in memory. */
  const failure = (options: MoWasm.BrowserOptions) => page.evaluate(async ({ model, options }) => {
    const error = await window.mo.convert(Uint8Array.from(model), options).then(() => undefined, (reason: MoWasm.MoError) => reason);
    return { code: error?.code, message: String(error), hint: error?.hint };
  }, { model: [...convNet], options });

  it('is told that a page came for core.wasm', async () => {
    const elsewhere = origin(await serveFiles(pageFolder(INDEX), header));
    await open(pageFolder(pageOf(`${origin(await serveFiles(library(), header))}/${LOADED}`)));
    const error = await failure({ distUrl: `${elsewhere}/dist` });
    expect(error).toMatchObject({ code: 'MO7005', hint: expect.stringContaining('README') });
    expect(error.message).toContain(`${elsewhere}/dist/library/shared/core.wasm is not WebAssembly: the bundler or the server sent an HTML page`);
    expect(error.message).toContain('sent an HTML page in its place');
  });

  it('is told that the worker cannot be loaded', async () => {
    await open(pageFolder(pageOf(`${origin(await serveFiles(library(), header))}/${LOADED}`)));
    expect(await failure({ workerUrl: './none.js' })).toMatchObject({ code: 'MO7006', message: expect.stringContaining('none.js') });
  });

  it('is told that the worker is silent', async () => {
    const folder = pageFolder(pageOf(`${origin(await serveFiles(library(), header))}/${LOADED}`));
    writeFileSync(join(folder, 'silent.js'), '');
    await context.clock.install();
    await open(folder);
    const failed = failure({ workerUrl: './silent.js' });
    const now = async () => {
      await context.clock.fastForward(31_000);
      return Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 50))]);
    };
    await expect.poll(now).toMatchObject({ code: 'MO7006', message: expect.stringContaining('silent for 30 seconds') });
  });

  it('is told that the frame for extensions is silent, for a policy forbids it', async () => {
    const elsewhere = origin(await serveFiles(library(), header));
    const folder = pageFolder('<!doctype html><link rel="icon" href="data:," /><body><script type="module" src="./main.js"></script>');
    writeFileSync(join(folder, 'main.js'), MAIN.replace('@mo/wasm', `${elsewhere}/${LOADED}`));
    await open(folder, '', { 'Content-Security-Policy': `script-src 'self' ${elsewhere} blob: 'wasm-unsafe-eval'; frame-src 'none'` });
    expect(await failure({ extensions: { 'front/onnx/tanh.js': EXTENSION } }))
      .toMatchObject({ code: 'MO7006', message: expect.stringContaining('the frame for extensions is silent'), hint: expect.stringContaining('Content-Security-Policy') });
    expect(await failure({})).toMatchObject({ code: undefined });
  });
});
