/** An application of Next.js with the package as it is: a page that converts, and a route handler that does. */
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';

import { CONVERSIONS, expectConversions, models, TestBrowser } from './bundler_support.js';
import { root, temporaryFolder, unpackPackage } from './support.js';

const user = new TestBrowser();
/** Next.js takes only packages that are in folders above the application. */
const runtimes = join(root, 'build/runtimes');
const app = join(runtimes, 'application');
const next = join(runtimes, 'node_modules/next/dist/bin/next');

const FILES = {
  'next.config.mjs': `
    const root = ${JSON.stringify(runtimes)};
    // Small files are not what is tested: without them the build takes half of the time.
    const webpack = (config) => ({ ...config, optimization: { ...config.optimization, minimize: false } });
    export default {
      distDir: process.env.BUNDLER, outputFileTracingRoot: root, turbopack: { root }, webpack, typescript: { ignoreBuildErrors: true },
      experimental: { turbopackMinify: false },
    };`,
  'app/layout.js': `
    export default function Layout({ children }) {
      return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;
    }`,
  'app/page.js': `'use client';
    import { useEffect } from 'react';
    import * as mo from '@mo/wasm';
    export default function Page() {
      useEffect(() => { globalThis.mo = mo; });
      return <p>user</p>;
    }`,
  'app/convert/route.js': `
    import { convert } from '@mo/wasm/node';
    export const dynamic = 'force-dynamic';
    export async function GET() {
      const model = process.env.MODEL, path = model + '.bin';
      ${CONVERSIONS}
      return new Response(answer);
    }`,
};

beforeAll(() => {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app);
  unpackPackage(app);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

it.each(['turbopack', 'webpack'])('is built with %s', async (bundler) => {
  const model = join(temporaryFolder(), 'conv.onnx');
  copyFileSync(join(models, 'conv.onnx'), model);
  const { NODE_ENV: _testing, ...others } = process.env;
  const env = { ...others, NEXT_TELEMETRY_DISABLED: '1', BUNDLER: bundler, MODEL: model } as unknown as NodeJS.ProcessEnv;
  await promisify(execFile)(process.execPath, [next, 'build', `--${bundler}`], { cwd: app, env });
  const server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1'], { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stdout.on('data', (text: Buffer) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec((said += text.toString()));
        if (found && said.includes('Ready')) resolve(found[0]);
      });
      server.on('exit', () => reject(new Error(said)));
    });
    expectConversions(await (await fetch(`${address}/convert`)).text(), `${model}.bin`);
    await user.page.goto(address);
    await user.converts();
  } finally {
    server.kill();
  }
}, 240_000);
