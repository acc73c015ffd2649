/** Bundlers that leave the package's files behind: a page says where they are, and a program finds the installed package. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';

import { CONVERSIONS, expectConversions, INDEX, models, TestBrowser } from './bundler_support.js';
import { root, temporaryFolder, unpackPackage } from './support.js';

const require = createRequire(join(root, 'build/runtimes/package.json'));
const user = new TestBrowser();
const project = temporaryFolder();

const PAGE = "import * as mo from '@mo/wasm';\nawait mo.prepare({ distUrl: './dist' });\nglobalThis.mo = mo;\n";
const PROGRAM = `import { convert } from '@mo/wasm';
const [, , model, path] = process.argv;
${CONVERSIONS}
console.log(answer);`;

beforeAll(() => {
  unpackPackage(project);
  writeFileSync(join(project, 'main.js'), PAGE);
  writeFileSync(join(project, 'program.js'), PROGRAM);
});

/** A folder to be served, with the package's files in it. */
function pageFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  cpSync(join(project, 'node_modules/@mo/wasm/dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), INDEX);
  return folder;
}

function runs(script: string): void {
  const bin = join(temporaryFolder(), 'same.bin');
  const answer = execFileSync(process.execPath, [script, join(models, 'conv.onnx'), bin], { cwd: project, encoding: 'utf8' });
  expectConversions(answer, bin);
}

describe('esbuild', () => {
  const bundle = (entry: string, options: object) =>
    (require('esbuild') as { build(options: object): Promise<unknown> }).build({ absWorkingDir: project, entryPoints: [entry], bundle: true, logLevel: 'error', format: 'esm', ...options });

  it('makes a page', async () => {
    const folder = pageFolder();
    await bundle('main.js', { outdir: folder, splitting: true });
    await user.open(folder);
    await user.converts();
  });

  it('makes a program', async () => {
    await bundle('program.js', { outfile: join(project, 'esbuild.mjs'), platform: 'node' });
    runs('esbuild.mjs');
  });
});

describe('rollup', () => {
  async function bundle(entry: string, to: string, conditions: string[]): Promise<void> {
    const { rollup } = require('rollup') as { rollup(options: object): Promise<{ write(options: object): Promise<unknown> }> };
    const { nodeResolve } = require('@rollup/plugin-node-resolve') as { nodeResolve(options: object): unknown };
    const plugins = [nodeResolve({ rootDir: project, exportConditions: conditions, preferBuiltins: true })];
    const made = await rollup({ input: join(project, entry), plugins, external: /^node:/ });
    await made.write({ dir: to, format: 'es' });
  }

  it('makes a page', async () => {
    const folder = pageFolder();
    await bundle('main.js', folder, ['browser']);
    await user.open(folder);
    await user.converts();
  });

  it('makes a program', async () => {
    await bundle('program.js', join(project, 'rollup'), ['node']);
    runs('rollup/program.js');
  });
});
