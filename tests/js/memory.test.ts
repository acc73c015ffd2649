/** Too little memory, in Node: MO7003, nothing is left, and the next conversion works. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { convert, inspect, type MoError, type NodeOptions } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { draws, failingCore, PATCH } from './failing_core.js';
import { convNet, longNet } from './models.js';
import { hash, root, temporaryFolder } from './support.js';

const dist = join(root, 'dist');
const folder = temporaryFolder();
const workerFile = join(dist, 'library/node/node-worker.js');
const failing = failingCore();
const models = { 'conv.onnx': convNet, 'long.onnx': longNet(300) };
for (const [name, content] of Object.entries(models)) writeFileSync(join(folder, name), content);
writeFileSync(join(folder, 'patch.mjs'), PATCH);

/** The worker, in which the allocation `at` fails. */
function failingWorker(at: number): string {
  const path = join(folder, `failing-${at}.mjs`);
  writeFileSync(path, `
import { next } from './patch.mjs';
next.at = ${at};
await import(${JSON.stringify(pathToFileURL(workerFile).href)});
`);
  return path;
}
const model = (name: keyof typeof models) => join(folder, name);

interface Made { xml: string; bin: string }

/** Converts and writes, as a program does. */
async function made(name: keyof typeof models, options: NodeOptions): Promise<Made> {
  const { xml, bin } = await convert(model(name), { model_name: 'same', compress_to_fp16: true, ...options });
  const path = join(out, `${name}.bin`);
  try {
    await bin.writeTo(path);
  } finally {
    await bin.close();
  }
  return { xml, bin: hash(readFileSync(path)) };
}

const out = temporaryFolder();
let right: Record<keyof typeof models, Made>;

beforeAll(async () => {
  right = { 'conv.onnx': await made('conv.onnx', {}), 'long.onnx': await made('long.onnx', {}) };
  for (const name of readdirSync(out)) writeFileSync(join(out, name), 'older');
});

/** The outcome of a conversion in which the allocation `at` fails, and of the same one after it. */
async function expectRecovery(name: keyof typeof models, at: number, first: NodeOptions, then: NodeOptions): Promise<boolean> {
  const outcome = await made(name, first).catch((error: MoError) => error);
  const failed = outcome instanceof Error;
  if (failed) expect(outcome, `allocation ${at} of ${name}`).toMatchObject({ code: 'MO7003', hint: expect.stringMatching(/./) });
  else expect(outcome).toEqual(right[name]);
  expect(readdirSync(out).sort(), `allocation ${at} of ${name}`).toEqual(['conv.onnx.bin', 'long.onnx.bin']);
  expect(await made(name, then), `after allocation ${at} of ${name}`).toEqual(right[name]);
  return failed;
}

describe('an allocation that fails', () => {
  const names = Object.keys(models) as (keyof typeof models)[];

  it('in the thread that calls, at 150 of them, gives MO7003, and the next conversion is right', async () => {
    const { next } = (await import(pathToFileURL(join(folder, 'patch.mjs')).href)) as { next: { at: number; counter: { value: number } } };
    const here: NodeOptions = { worker: false, wasmModule: new WebAssembly.Module(failing) };
    const counts = new Map<string, number>();
    for (const name of names) {
      await made(name, here);
      next.counter.value = 0x7fffffff;
      await made(name, here);
      counts.set(name, 0x7fffffff - next.counter.value);
      next.counter.value = 0;
    }
    const draw = draws(1);
    let failures = 0;
    for (let index = 0; index < 150; index++) {
      const name = names[index % 2]!;
      const at = 1 + Math.floor(draw.next().value * counts.get(name)!);
      next.counter.value = at;
      if (await expectRecovery(name, at, here, here)) failures++;
    }
    expect(failures).toBeGreaterThan(140);
  });

  it('in a worker, at 50 of them, too', async () => {
    const draw = draws(2);
    const wasmModule = new WebAssembly.Module(failing);
    let failures = 0;
    for (let index = 0; index < 50; index++) {
      const at = 1 + Math.floor(draw.next().value * 3000);
      if (await expectRecovery(names[index % 2]!, at, { wasmModule, workerUrl: failingWorker(at) }, { wasmModule, workerUrl: workerFile })) failures++;
    }
    expect(failures).toBeGreaterThan(40);
  });

  it('breaks no result that was made before it in the same thread', async () => {
    const { next } = (await import(pathToFileURL(join(folder, 'patch.mjs')).href)) as { next: { counter: { value: number } } };
    const here: NodeOptions = { model_name: 'same', compress_to_fp16: true, worker: false, wasmModule: new WebAssembly.Module(failing) };
    const before = await convert(model('conv.onnx'), here);
    next.counter.value = 500;
    await expect(convert(model('long.onnx'), here)).rejects.toMatchObject({ code: 'MO7003' });
    await before.bin.writeTo(join(out, 'conv.onnx.bin'));
    expect(hash(readFileSync(join(out, 'conv.onnx.bin')))).toBe(right['conv.onnx'].bin);
    expect((await inspect(model('conv.onnx'), here)).format).toBe('ONNX');
  });

  it('in the command, at 20 of them, fails one model of two, and nothing is left', () => {
    const copy = join(temporaryFolder(), 'package');
    mkdirSync(copy);
    cpSync(dist, join(copy, 'dist'), { recursive: true });
    symlinkSync(join(root, 'package.json'), join(copy, 'package.json'));
    writeFileSync(join(copy, 'dist/library/shared/core.wasm'), failing);
    writeFileSync(join(copy, 'patch.mjs'), PATCH.replace('at: 0', 'at: Number(process.env.FAIL_AT)').replace('= next.at;', '= next.at; next.at = 0;'));
    const run = (at: number) => {
      const written = temporaryFolder();
      const args = ['--import', pathToFileURL(join(copy, 'patch.mjs')).href, join(copy, 'dist/library/node/cli.js'), model('long.onnx'), model('conv.onnx'), '-o', written];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, FAIL_AT: String(at) }, encoding: 'utf8', timeout: 60_000 });
      return { status, stdout, stderr, files: readdirSync(written).sort() };
    };
    expect(run(0)).toMatchObject({ status: 0, stderr: '', files: ['conv.bin', 'conv.xml', 'long.bin', 'long.xml'] });
    const draw = draws(3);
    for (let index = 0; index < 20; index++) {
      const at = 400 + Math.floor(draw.next().value * 5000);
      const { status, stderr, files } = run(at);
      expect({ at, status, stderr: stderr.slice(0, 1000) }).toMatchObject({ status: 1, stderr: expect.stringContaining('MO7003') });
      // Before a model is opened, none is converted.
      expect([[], ['conv.bin', 'conv.xml'], ['long.bin', 'long.xml']], `allocation ${at}`).toContainEqual(files);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('under a limit of address space', () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, `
import { convert } from ${JSON.stringify(pathToFileURL(join(dist, 'library/node/node.js')).href)};
const [model, count] = process.argv.slice(2);
const results = await Promise.allSettled(Array.from({ length: Number(count) }, async () => {
  const { xml, bin } = await convert(model, { model_name: 'same', compress_to_fp16: true });
  await bin.close();
  return xml;
}));
console.log(JSON.stringify(results.map(({ value, reason }) => value ?? reason.code ?? String(reason))));
`);
  const limited = (kilobytes: number, ...args: string[]) =>
    spawnSync('bash', ['-c', 'ulimit -v "$1"; shift; exec "$@"', '-', String(kilobytes), process.execPath, ...args], { encoding: 'utf8', timeout: 120_000 });

  it.each([900_000, 1_200_000, 2_000_000, 4_000_000, 14_000_000, 40_000_000])('of %i KB every conversion of the library settles', (kilobytes) => {
    for (const count of [1, 20]) {
      const { status, stdout, stderr } = limited(kilobytes, program, model('conv.onnx'), String(count));
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const results = JSON.parse(stdout) as string[];
      expect(results).toHaveLength(count);
      for (const result of results) expect(['MO7003', right['conv.onnx'].xml]).toContain(result);
      if (kilobytes > 13_000_000) expect(new Set(results)).toEqual(new Set([right['conv.onnx'].xml]));
    }
  });

  it.each([3_000_000, 4_000_000])('of %i KB twenty conversions work if V8 reserves less', (kilobytes) => {
    const { status, stdout, stderr } = limited(kilobytes, '--disable-wasm-trap-handler', program, model('conv.onnx'), '20');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(Array<string>(20).fill(right['conv.onnx'].xml));
  });

  it.each([800_000, 900_000, 1_000_000, 1_200_000, 1_500_000, 2_000_000, 4_000_000, 9_000_000, 20_000_000])('of %i KB the command converts, or says MO7003', (kilobytes) => {
    const written = temporaryFolder();
    const { status, stderr } = limited(kilobytes, join(dist, 'library/node/cli.js'), model('conv.onnx'), '-n', 'same', '-o', written);
    expect({ status, stderr }).toEqual(status === 0 ? { status: 0, stderr: '' } : { status: 1, stderr: expect.stringMatching(/^\[ ERROR \] {2}MO7003 there is not enough memory\. [^\n]*\n$/) });
    expect(readdirSync(written).sort()).toEqual(status === 0 ? ['same.bin', 'same.xml'] : []);
    if (status === 0) expect(hash(readFileSync(join(written, 'same.bin')))).toBe(right['conv.onnx'].bin);
    // Where there is room for Node and a core, it converts.
    expect(status).toBe(kilobytes >= 1_500_000 ? 0 : status);
  });
});

describe('a worker that ends early', () => {
  const dying = (name: string, text: string): URL => {
    writeFileSync(join(folder, `${name}.mjs`), `import { parentPort } from 'node:worker_threads';\n${text}`);
    return pathToFileURL(join(folder, `${name}.mjs`));
  };
  it.each([
    ['throws', `parentPort.on('message', () => { throw new Error('of the worker'); });`, 'MO7004', 'of the worker'],
    ['rejects', `parentPort.on('message', () => Promise.reject(new Error('of a promise')));`, 'MO7004', 'of a promise'],
    ['exits', `parentPort.on('message', () => process.exit(0));`, 'MO7004', 'the worker stopped'],
    ['cannot load', `import './nowhere.mjs';`, 'MO7004', 'nowhere.mjs'],
    ['has no memory for an array', `parentPort.on('message', () => new Uint8Array(2 ** 53 - 1));`, 'MO7003', 'not enough memory'],
    ['fills its stack', `const deep = () => deep() + 1;\nparentPort.on('message', deep);`, 'MO7003', 'not enough memory'],
    ['has no memory for its objects', `parentPort.on('message', () => { throw Object.assign(new Error('of V8'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }); });`, 'MO7003', 'not enough memory'],
  ])('because it %s rejects every conversion, and the next one is right', async (name, text, code, detail) => {
    const workerUrl = dying(name.replaceAll(' ', '-'), text);
    const some = await Promise.allSettled(Array.from({ length: 5 }, () => convert(model('conv.onnx'), { workerUrl })));
    for (const result of some) expect(result).toMatchObject({ status: 'rejected', reason: { code, message: expect.stringContaining(detail) } });
    expect(await made('conv.onnx', { workerUrl: workerFile })).toEqual(right['conv.onnx']);
  });
});
