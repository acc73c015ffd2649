/** Where conversions run in Node: in workers, of which a few serve all, or in the thread that calls. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { convert, inspect, prepare, MoError, type HostReader, type Model, type NodeOptions } from '@mo/wasm';
import { afterEach, describe, expect, it } from 'vitest';

import { convNet, externalData, externalNet } from './models.js';
import { hash, modelFolder, nativeFiles, root, temporaryFolder } from './support.js';

const models = modelFolder();
const path = (name: string) => join(models, name);
const same = { model_name: 'same' };
const dist = join(root, 'dist/library');

const streamed = async (bin: { stream(): ReadableStream<Uint8Array> }): Promise<string> =>
  hash(new Uint8Array(await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()));

async function failure(work: Promise<unknown>): Promise<MoError> {
  const error = await work.then(() => undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(MoError);
  return error as MoError;
}

/** A model that is read by a function. */
const reader = (bytes: Uint8Array, name = 'conv.onnx'): HostReader => ({
  name,
  size: bytes.length,
  read: (offset, target) => target.set(bytes.subarray(offset, offset + target.length)),
});

describe('a model', () => {
  const expected = nativeFiles(path('conv.onnx'), ['--compress_to_fp16=False']);
  const external = nativeFiles(path('external.onnx'), ['--compress_to_fp16=False']);
  const blob = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)]);
  const CASES: [string, { xml: string; bin: string }, () => Model, NodeOptions?][] = [
    ['a path, in the thread that calls', expected, () => path('conv.onnx'), { worker: false }],
    ['bytes, in the thread that calls', expected, () => convNet, { worker: false }],
    ['a reader', expected, () => reader(convNet)],
    ['files', external, () => ({ main: new File([blob(externalNet)], 'm.onnx'), files: [{ path: 'elsewhere/weights.bin', file: blob(externalData) }] })],
    ['readers', external, () => ({ main: reader(externalNet, 'm/m.onnx'), files: [reader(externalData, 'm/weights.bin')] })],
  ];

  it.each(CASES)('may be %s', async (_, wanted, model, options) => {
    const { xml, bin } = await convert(model(), { ...same, ...options });
    expect({ xml, bin: await streamed(bin) }).toEqual(wanted);
    // The second use converts again.
    expect(await streamed(bin)).toBe(wanted.bin);
    expect((await inspect(model(), options)).format).toBe('ONNX');
  });

  it('is distinguished from what is none', async () => {
    const broken = { ...reader(convNet), read: () => { throw new Error('the disk is gone'); } };
    const late = { ...reader(convNet), read: async () => undefined };
    const cases: [unknown, string, string][] = [
      [42, 'MO6007', 'a number is no model'],
      [null, 'MO6007', 'null is no model'],
      [{}, 'MO6007', 'this object is no model'],
      [new URL('https://example.org/model.onnx'), 'MO6007', 'is no file'],
      [{ ...reader(convNet), size: -1 }, 'MO6007', 'its size is "-1"'],
      [broken, 'MO7001', 'the disk is gone'],
      [late, 'MO7001', 'gives a promise'],
      [new ReadableStream({ start: (controller) => controller.error(new Error('cut off')) }), 'MO7001', 'cut off'],
      [(async function* () { yield 'text'; })(), 'MO7001', 'something else than bytes'],
    ];
    for (const [model, code, text] of cases) {
      const error = await failure(convert(model as Model));
      expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
      expect(error.hint).not.toBe('');
    }
    expect((await convert(convNet, { worker: false })).report.name).toBe('model');
  });
});

describe('what a caller throws', () => {
  const cause = new Error('of the caller');

  it.each([true, false])('in a callback ends the conversion, and nothing more is called, with worker: %s', async (worker) => {
    const calls: string[] = [];
    const fail = (name: string) => () => {
      calls.push(name);
      throw cause;
    };
    const error = await failure(convert(convNet, { worker }, { onProgress: fail('onProgress'), onLog: fail('onLog') }));
    expect(calls).toEqual(['onProgress']);
    expect(error).toMatchObject({ code: 'MO7004', cause, message: expect.stringContaining('onProgress has failed: of the caller') });
    expect((await convert(convNet, { worker })).report.name).toBe('model');
  });

  it('as the reason of a signal comes back as it is', async () => {
    const reason = { any: 'thing' };
    for (const [model, worker] of [[path('long.onnx'), true], [path('long.onnx'), false]] as const) {
      const control = new AbortController();
      const stopped = convert(model, { worker }, { signal: control.signal, onProgress: () => control.abort(reason) });
      await expect(stopped).rejects.toBe(reason);
    }
    // In the last moment, too.
    const late = new AbortController();
    const ending = { signal: late.signal, onProgress: ({ phase }: { phase: string }) => void (phase === 'emit' && late.abort(reason)) };
    await expect(convert(convNet, { worker: false }, ending)).rejects.toBe(reason);
    const control = new AbortController();
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => setTimeout(() => control.abort(reason), 20)) });
    await expect(convert(silent, {}, { signal: control.signal })).rejects.toBe(reason);
    const waiting = Array.from({ length: 20 }, () => convert(convNet, {}, { signal: AbortSignal.any([control.signal]) }));
    for (const result of await Promise.allSettled(waiting)) expect(result).toEqual({ status: 'rejected', reason });
  });

  it.each([
    [{ extensions: { 'front/onnx/x.js': 5 } }, 'MO6002'],
    [{ model_name: Object.create(null) as string }, 'MO6002'],
    [{ workerUrl: 'https://[' }, 'MO7005'],
  ])('is an error of ours for %j: %s', async (options, code) => {
    expect((await failure(convert(convNet, options as unknown as NodeOptions))).code).toBe(code);
    await prepare({ workerUrl: join(dist, 'node/node-worker.js') });
  });

  it('is refused with extensions where there is no worker', async () => {
    const extensions = { 'front/onnx/x.js': '' };
    for (const [model, worker] of [[convNet, false], [reader(convNet), true]] as const)
      expect(await failure(convert(model, { worker, extensions }))).toMatchObject({ code: 'MO6002', hint: expect.stringContaining('worker: false') });
  });
});

describe('the files of the package', () => {
  const wasm = join(dist, 'shared/core.wasm');
  const places = (): Record<string, NodeOptions> => ({
    distUrl: { distUrl: pathToFileURL(join(root, 'dist')) },
    wasmUrl: { wasmUrl: wasm },
    wasmBinary: { wasmBinary: Uint8Array.from(readFileSync(wasm)) },
    wasmModule: { wasmModule: WebAssembly.compile(Uint8Array.from(readFileSync(wasm))) },
    workerUrl: { workerUrl: pathToFileURL(join(dist, 'node/node-worker.js')) },
  });
  afterEach(() => prepare({ wasmUrl: wasm, workerUrl: join(dist, 'node/node-worker.js') }));

  it('may be given', async () => {
    for (const [name, options] of Object.entries(places())) {
      await prepare({ wasmBinary: new Uint8Array(8) }).catch(() => undefined);
      // Each of the other options has to replace the invalid binary above. workerUrl does not name a binary, so it needs wasmUrl, too.
      if (name === 'workerUrl') await prepare({ wasmUrl: wasm });
      expect((await convert(convNet, options)).report.operations).toMatchObject({ Convolution: 1 });
    }
  });

  it.each([
    [{ wasmUrl: '/none/core.wasm' }, 'MO7005'], [{ wasmBinary: new Uint8Array(8) }, 'MO7005'], [{ workerUrl: '/none/worker.js' }, 'MO7004'],
  ])('that are not there are reported: %j', async (options, code) => {
    expect((await failure(convert(convNet, options))).code).toBe(code);
  });
});

describe('many conversions', () => {
  it('at once share a few workers', async () => {
    const wanted = nativeFiles(path('conv.onnx'), ['--compress_to_fp16=False']);
    const made = await Promise.all(Array.from({ length: 40 }, () => convert(path('conv.onnx'), same)));
    for (const { xml, bin } of made) expect({ xml, bin: await streamed(bin) }).toEqual(wanted);
  });

  it.each([['whose .bin is closed', 'await bin.close();', true], ['whose .bin is left', '', true], ['in the thread that calls', 'await bin.close();', false]])(
    'hold no more memory after 1,000 than after 50, %s', (_, use, worker) => {
      const script = join(temporaryFolder(), 'many.mjs');
      writeFileSync(script, `
        import { convert } from ${JSON.stringify(pathToFileURL(join(dist, 'node/node.js')).href)};
        const seen = [];
        for (let done = 1; done <= 1000; done++) {
          const { bin } = await convert(${JSON.stringify(path('conv.onnx'))}, { worker: ${worker} });
          ${use}
          if (done === 50 || done === 1000) seen.push(process.memoryUsage.rss());
        }
        console.log(seen[1] / seen[0]);`);
      // V8 gives young objects more room after a while, in each worker at another time: that would be half of the growth.
      const { stdout, stderr } = spawnSync(process.execPath, ['--max-semi-space-size=1', script], { encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(Number(stdout)).toBeGreaterThan(0);
      expect(Number(stdout)).toBeLessThanOrEqual(1.15);
    }, 240_000);
});
