/** The package with the bundlers that people build pages with: without any configuration it gives the bytes of the other hosts. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';
import webpack, { type Configuration, type Stats } from 'webpack';

import type * as MoWasm from '../../dist/library/browser/browser.js';
import { CONVERSIONS, expectConversions, EXTENSION, INDEX, MAIN, models, origin, TestBrowser } from './bundler_support.js';
import { convNet } from './models.js';
import { installPackage, temporaryFolder } from './support.js';

const user = new TestBrowser();
/** The project of a user, with the package installed. */
const project = temporaryFolder();

beforeAll(() => {
  installPackage(project);
  writeFileSync(join(project, 'index.html'), INDEX);
  writeFileSync(join(project, 'main.js'), MAIN);
});

describe.each([['vite-6'], ['vite-7'], ['vite']])('%s', (name) => {
  it('in development', async () => {
    const { createServer } = (await import(name)) as typeof import('vite');
    const server = await createServer({
      root: project, configFile: false, logLevel: 'warn', cacheDir: join(project, 'node_modules', `.${name}`), server: { port: 0, host: '127.0.0.1' },
    });
    try {
      await server.listen();
      await user.page.goto(origin(server.httpServer!));
      await user.converts();
    } finally {
      await server.close();
    }
  });

  it('in production', async () => {
    const { build } = (await import(name)) as typeof import('vite');
    const outDir = join(temporaryFolder(), 'out');
    await build({ root: project, configFile: false, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await user.open(outDir);
    await user.converts();
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
    await user.open(built);
    await user.converts();
  });

  it('in production, for a page whose policy forbids scripts in its text', async () => {
    writeFileSync(join(built, 'strict.html'), `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:" />${shown}`);
    const frame = readdirSync(built).find((name) => /^\w{20}\.html$/.test(name))!;
    expect(readFileSync(join(built, frame), 'utf8')).not.toBe(readFileSync(join(project, 'node_modules/@mo/wasm/dist/library/browser/extension-frame.html'), 'utf8'));
    await user.open(built, 'strict.html');
    await user.converts();
  });

  it('for a server that serves the files of pages elsewhere, as Next.js has it', async () => {
    const path = join(temporaryFolder(), 'server');
    writeFileSync(join(project, 'route.js'), `import { convert } from '@mo/wasm';
      export async function GET() {
        const model = process.env.MODEL, path = model + '.bin';
        ${CONVERSIONS}
        return answer;
      }`);
    await bundle({
      entry: './route.js',
      target: 'node20',
      output: { path, filename: 'main.cjs', publicPath: '/_next/', library: { type: 'commonjs2' }, assetModuleFilename: '../static/media/[name].[hash:8][ext]' },
      module: { parser: { javascript: { url: 'relative' } } },
    });
    const run = `require(${JSON.stringify(join(path, 'main.cjs'))}).GET().then((answer) => process.stdout.write(answer))`;
    const model = join(models, 'conv.onnx');
    const answer = execFileSync(process.execPath, ['-e', run], { env: { ...process.env, MODEL: model }, encoding: 'utf8' });
    expectConversions(answer, `${model}.bin`);
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
    await user.open(library());
    await user.converts();
  });

  it('from another origin', async () => {
    const elsewhere = origin(await user.serveFiles(library(), header));
    await user.open(pageFolder(pageOf(`${elsewhere}/${LOADED}`)));
    await user.converts();
  });

  it('with files from a place of its own', async () => {
    const folder = pageFolder(INDEX.replace('./main.js', './out/main.js'));
    await build({ root: project, configFile: false, logLevel: 'warn', build: { outDir: join(folder, 'out'), emptyOutDir: true, lib: { entry: './main.js', formats: ['es'], fileName: () => 'main.js' } } });
    const elsewhere = origin(await user.serveFiles(library(), header));
    await user.open(folder);
    await user.page.evaluate((distUrl) => window.mo.prepare({ distUrl }), `${elsewhere}/dist`);
    await user.converts();
  });

  it('with a worker from a place of its own', async () => {
    await user.open(pageFolder(pageOf(`${origin(await user.serveFiles(library(), header))}/${LOADED}`)));
    await user.page.evaluate((workerUrl) => window.mo.prepare({ workerUrl }), `${origin(await user.serveFiles(library(), header))}/dist/library/browser/browser-worker.js`);
    await user.converts();
  });

  /** The error of a conversion of a model in memory. */
  const failure = (options: MoWasm.BrowserOptions) => user.page.evaluate(async ({ model, options }) => {
    const error = await window.mo.convert(Uint8Array.from(model), options).then(() => undefined, (reason: MoWasm.MoError) => reason);
    return { code: error?.code, message: String(error), hint: error?.hint };
  }, { model: [...convNet], options });

  it('is answered with an error where a page came for core.wasm', async () => {
    const elsewhere = origin(await user.serveFiles(pageFolder(INDEX), header));
    await user.open(pageFolder(pageOf(`${origin(await user.serveFiles(library(), header))}/${LOADED}`)));
    const error = await failure({ distUrl: `${elsewhere}/dist` });
    expect(error).toMatchObject({ code: 'MO7005', hint: expect.stringContaining('README') });
    expect(error.message).toContain(`${elsewhere}/dist/library/shared/core.wasm is not WebAssembly: the bundler or the server sent an HTML page`);
    expect(error.message).toContain('sent an HTML page in its place');
  });

  it('is answered with an error where the worker cannot be loaded', async () => {
    await user.open(pageFolder(pageOf(`${origin(await user.serveFiles(library(), header))}/${LOADED}`)));
    expect(await failure({ workerUrl: './none.js' })).toMatchObject({ code: 'MO7006', message: expect.stringContaining('none.js') });
  });

  it('is answered with an error where the worker is silent', async () => {
    const folder = pageFolder(pageOf(`${origin(await user.serveFiles(library(), header))}/${LOADED}`));
    writeFileSync(join(folder, 'silent.js'), '');
    await user.context.clock.install();
    await user.open(folder);
    const failed = failure({ workerUrl: './silent.js' });
    const now = async () => {
      await user.context.clock.fastForward(31_000);
      return Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 50))]);
    };
    await expect.poll(now).toMatchObject({ code: 'MO7006', message: expect.stringContaining('silent for 30 seconds') });
  });

  it.each([
    ['of the library', 'file', ''],
    ['of the library', 'text', ''],
    ['that the page has made', 'file', "globalThis.made = trustedTypes.createPolicy('mo', { createHTML: (text) => text, createScriptURL: (url) => url });\n"],
    ['that the page has made', 'text', "globalThis.made = trustedTypes.createPolicy('mo', { createHTML: (text) => text, createScriptURL: (url) => url });\n"],
  ] as const)('on a page with Trusted Types, through the policy %s; the frame is a %s', async (_whose, extensionFrame, makes) => {
    writeFileSync(join(library(), 'typed.html'), '<!doctype html><link rel="icon" href="data:," /><body><script type="module" src="./typed.js"></script>');
    writeFileSync(join(library(), 'typed.js'), makes + MAIN.replace('@mo/wasm', `./${LOADED}`));
    const { FRAME_SCRIPT } = await import('../../dist/library/browser/frame-text.js');
    const hash = createHash('sha256').update(FRAME_SCRIPT).digest('base64');
    const server = await user.serveFiles(library(), { 'Content-Security-Policy': `script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-${hash}'; require-trusted-types-for 'script'; trusted-types mo` });
    await user.page.goto(`${origin(server)}/typed.html`);
    await user.page.waitForFunction(() => 'mo' in window);
    await user.page.evaluate((extensionFrame) => window.mo.prepare({ extensionFrame, trustedTypes: (window as unknown as { made?: MoWasm.TrustedTypes }).made }), extensionFrame);
    await user.converts();
  });

  it('is answered with an error where the frame for extensions is silent, for a policy forbids it', async () => {
    const elsewhere = origin(await user.serveFiles(library(), header));
    const folder = pageFolder('<!doctype html><link rel="icon" href="data:," /><body><script type="module" src="./main.js"></script>');
    writeFileSync(join(folder, 'main.js'), MAIN.replace('@mo/wasm', `${elsewhere}/${LOADED}`));
    await user.open(folder, '', { 'Content-Security-Policy': `script-src 'self' ${elsewhere} blob: 'wasm-unsafe-eval'; frame-src 'none'` });
    expect(await failure({ extensions: { 'front/onnx/tanh.js': EXTENSION } }))
      .toMatchObject({ code: 'MO7006', message: expect.stringContaining('the frame for extensions is silent'), hint: expect.stringContaining('Content-Security-Policy') });
    expect(await failure({})).toMatchObject({ code: undefined });
  });
});
