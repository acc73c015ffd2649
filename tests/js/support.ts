/** What the tests of the package and of the page share. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

import { convNet, denseNet, externalData, externalNet, longNet, unknownNet } from './models.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const folders = mkdtempSync(join(tmpdir(), 'mo-test-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }), 300_000); // many files, on a disk that others use, too

/** A new folder, which is gone after the tests of the file that asked for it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folders, 'folder-'));
}

/** What a check of scripts/ prints of a tree with these files, and its exit code. */
export function checked(script: string, files: Record<string, string>): { status: number | null; stderr: string } {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return spawnSync(process.execPath, [`scripts/${script}`, root], { encoding: 'utf8' });
}

/** Packs the package into `folder`; the path of the tarball. */
export function packPackage(folder: string): string {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, encoding: 'utf8' }),
  ) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  return join(folder, packed[0].filename);
}

/** Packs the package and installs it in `folder`, without a network. */
export function installPackage(folder: string): void {
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', packPackage(folder)], { cwd: folder });
}

/** The same without npm, for tests of what is installed. */
export function unpackPackage(folder: string): void {
  const installed = join(folder, 'node_modules/@mo/wasm');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', packPackage(folder), '--strip-components=1', '-C', installed]);
}

/** A temporary folder with the models in it. */
export function modelFolder(): string {
  const folder = temporaryFolder();
  const files = {
    'conv.onnx': convNet,
    'dense.onnx': denseNet,
    'external.onnx': externalNet,
    'weights.bin': externalData,
    'unknown.onnx': unknownNet,
    'long.onnx': longNet(50_000),
    'truncated.onnx': denseNet.subarray(0, 300_000),
    'garbage.onnx': Buffer.from('this is no model at all'),
    'empty.onnx': new Uint8Array(),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: status, stdout, stderr };
}

export const runNative = (args: string[], cwd: string, env = {}): Outcome => run(join(root, 'build/native/mo'), args, cwd, env);
export const runNode = (args: string[], cwd: string, env = {}): Outcome => run(process.execPath, [join(root, 'dist/library/node/cli.js'), ...args], cwd, env);

/** The native converter's files: what every other host has to equal. */
export function nativeFiles(model: string, args: string[] = [], name = 'same'): { xml: string; bin: string } {
  const folder = temporaryFolder();
  const { code, stderr } = runNative([model, '-n', name, '-o', folder, ...args], '.');
  if (code !== 0) throw new Error(stderr);
  return { xml: readFileSync(join(folder, `${name}.xml`), 'utf8'), bin: hash(readFileSync(join(folder, `${name}.bin`))) };
}

export function hash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The names in a folder, in order. */
export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}

/** The paths of all files below a folder, in order. */
export function allFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
