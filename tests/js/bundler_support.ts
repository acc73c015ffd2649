/** What the tests of bundlers share: a browser, servers of files, and a conversion on the page that is open. */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import type * as MoWasm from '../../dist/library/browser/browser.js';
import { launch } from '../../scripts/browser.mjs';
import { convNet } from './models.js';
import { hash, modelFolder, nativeFiles } from './support.js';

declare global {
  interface Window { mo: typeof MoWasm }
}

export const models = modelFolder();
export const expected = nativeFiles(join(models, 'conv.onnx'), ['--compress_to_fp16=False']);

export const INDEX = '<!doctype html><title>user</title><link rel="icon" href="data:," /><script type="module" src="./main.js"></script>';
export const MAIN = "import * as mo from '@mo/wasm';\nglobalThis.mo = mo;\n";
export const EXTENSION = `
import { FrontReplacementOp, log, ops } from '@mo/wasm/extension';
export default class TanhForReLU extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) {
    log.info('tanh for ' + node.name);
    return ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]);
  }
}
`;

/** What a program of a user does with the package, after an import of convert(): `model` and `path`, where the weights go, are its variables. */
export const CONVERSIONS = `
  const { xml, bin } = await convert(model, { model_name: 'same' });
  await bin.writeTo(path);
  const { report } = await convert(model, { extensions: { 'front/onnx/tanh.js': ${JSON.stringify(EXTENSION)} } });
  const answer = JSON.stringify({ xml, extended: report.operations.Tanh });`;

/** That the program's answer, and the weights that it has written, are those of the command line and of the extension. */
export function expectConversions(answer: string, path: string): void {
  expect(JSON.parse(answer)).toEqual({ xml: expected.xml, extended: 1 });
  expect(hash(readFileSync(path))).toBe(expected.bin);
}

/** A browser for the tests of a file, with a new page for each test, and the servers of the test that runs. */
export class TestBrowser {
  context!: BrowserContext;
  page!: Page;
  readonly #servers: Server[] = [];
  #browser: Browser | undefined;

  constructor() {
    beforeAll(async () => {
      this.#browser = await launch();
    });
    afterAll(() => this.#browser?.close());
    beforeEach(async () => {
      this.context = await this.#browser!.newContext();
      this.page = await this.context.newPage();
    });
    afterEach(async () => {
      await this.context.close();
      for (const server of this.#servers.splice(0)) server.close();
    });
  }

  /** Converts on the open page, also with an extension. */
  async converts(): Promise<void> {
    await this.page.waitForFunction(() => 'mo' in window);
    const made = await this.page.evaluate(async ({ model, extension }) => {
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

  /** A server of files that adds no headers but `headers`. In place of a missing file it sends the page, as many hosts do. */
  serveFiles(root: string, headers: Record<string, string> = {}): Promise<Server> {
    const server = createServer(({ url }, response) => {
      const { pathname } = new URL(url!, 'http://localhost');
      const found = join(root, pathname);
      const path = statSync(found, { throwIfNoEntry: false })?.isFile() ? found : join(root, 'index.html');
      response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream', ...headers });
      createReadStream(path).pipe(response);
    });
    this.#servers.push(server);
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  }

  /** Shows the page of a folder. */
  async open(root: string, name = '', headers?: Record<string, string>): Promise<void> {
    await this.page.goto(`${origin(await this.serveFiles(root, headers))}/${name}`);
    await this.page.waitForFunction(() => 'mo' in window);
  }
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

export const origin = (server: { address(): unknown }): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
