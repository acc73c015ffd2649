/** The library in Node, as built in dist/. */
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { convert, MoError, type LogLine, type Message, type Progress } from '@mo/wasm';
import { describe, expect, it } from 'vitest';

import { convNet, denseNet, externalData } from './models.js';
import { hash, listing, modelFolder, nativeFiles, temporaryFolder } from './support.js';

const models = modelFolder();
const path = (name: string) => join(models, name);

async function streamed(bin: { stream(): ReadableStream<Uint8Array> }): Promise<string> {
  return hash(new Uint8Array(await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()));
}

async function failure(work: Promise<unknown>): Promise<MoError> {
  const error = await work.then(() => undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(MoError);
  return error as MoError;
}

describe('a model', () => {
  const same = { model_name: 'same' };
  const expected = nativeFiles(path('conv.onnx'), ['--compress_to_fp16=False']);

  it.each([
    ['a path', () => path('conv.onnx')],
    ['a URL', () => pathToFileURL(path('conv.onnx'))],
    ['bytes', () => convNet],
    ['a Blob', () => new Blob([Buffer.from(convNet)])],
    ['a web stream', () => new Blob([Buffer.from(convNet)]).stream()],
    ['a Node stream', () => createReadStream(path('conv.onnx'))],
  ])('may be %s, and gives what the native converter gives', async (_, model) => {
    const { xml, bin } = await convert(model(), same);
    expect(xml).toBe(expected.xml);
    expect(await streamed(bin)).toBe(expected.bin);
  });

  it('finds its weights beside it', async () => {
    const { xml, bin } = await convert(path('external.onnx'), same);
    const native = nativeFiles(path('external.onnx'), ['--compress_to_fp16=False']);
    expect(xml).toBe(native.xml);
    expect(await streamed(bin)).toBe(native.bin);
  });

  it('is named after its file', async () => {
    expect((await convert(path('conv.onnx'))).report.name).toBe('conv');
    expect((await convert(convNet)).report.name).toBe('model');
  });

  it('may be changed by its owner once the conversion has begun', async () => {
    const bytes = Uint8Array.from(denseNet);
    const converting = convert(bytes, same);
    bytes.fill(0);
    expect(await streamed((await converting).bin)).toBe(await streamed((await convert(denseNet, same)).bin));
  });
});

describe('options', () => {
  it.each([[[2, 3, 32, 32]], [[[2, 3, 32, 32]]], ['[2,3,32,32]']])('take a shape as %j', async (input_shape) => {
    const { report } = await convert(convNet, { input_shape });
    expect(report.inputs[0]!.shape).toBe('[2,3,32,32]');
  });

  it('compress to FP16 only when asked', async () => {
    const full = await convert(denseNet);
    const half = await convert(denseNet, { compress_to_fp16: true });
    expect(half.bin.size).toBe(full.bin.size / 2);
  });

  it('are refused by name', async () => {
    const error = await failure(convert(convNet, { colour: 'red' } as object));
    expect(error.code).toBe('MO6001');
    expect(error.message).toContain('colour');
  });
});

describe('the result', () => {
  it('reports inputs, outputs and operations', async () => {
    const { report, warnings, bin } = await convert(path('conv.onnx'));
    expect(report).toMatchObject({ name: 'conv', framework: 'onnx', bin_bytes: bin.size });
    expect(report.inputs).toEqual([{ name: 'image', names: ['image'], shape: '[?,3,32,32]', type: 'f32' }]);
    expect(report.outputs).toMatchObject([{ name: 'result', shape: '[?,16,32,32]', type: 'f32' }]);
    expect(report.operations).toMatchObject({ Parameter: 1, Convolution: 1, Result: 1 });
    expect(warnings).toEqual([]);
  });

  it('writes its .bin and can be read again and again', async () => {
    const folder = temporaryFolder();
    const { bin } = await convert(path('dense.onnx'));
    await bin.writeTo(join(folder, 'one.bin'));
    await bin.writeTo(pathToFileURL(join(folder, 'two.bin')));
    expect(listing(folder)).toEqual(['one.bin', 'two.bin']);
    const [one, two] = listing(folder).map((name) => hash(readFileSync(join(folder, name))));
    expect(one).toBe(two);
    const both = await Promise.all([streamed(bin), streamed(bin)]);
    expect(both).toEqual([one, one]);
    expect(readFileSync(join(folder, 'one.bin')).length).toBe(bin.size);
  });

  it('leaves nothing where its .bin cannot be written', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken'));
    const { bin } = await convert(convNet);
    expect((await failure(bin.writeTo(join(folder, 'taken')))).code).toBe('MO7002');
    expect((await failure(bin.writeTo(join(folder, 'none/x.bin')))).code).toBe('MO7002');
    expect(listing(folder)).toEqual(['taken']);
  });

  it('does not write over the model', async () => {
    const { bin } = await convert(path('external.onnx'));
    expect((await failure(bin.writeTo(path('weights.bin')))).code).toBe('MO7002');
  });

  it('cannot be read once it is closed', async () => {
    const { bin } = await convert(convNet);
    await bin.close();
    await failure(bin.writeTo(join(models, 'never.bin')));
    await bin.close();
  });
});

describe('an error', () => {
  it.each([
    ['truncated.onnx', 'MO1004'],
    ['garbage.onnx', 'MO1002'],
    ['empty.onnx', 'MO1001'],
    ['none.onnx', 'MO6007'],
    ['', 'MO6007'],
  ])('of %s has the code %s and says what to do', async (name, code) => {
    const error = await failure(convert(path(name)));
    expect(error.code).toBe(code);
    expect(error.message.startsWith(code)).toBe(true);
    expect(error.hint).not.toBe('');
  });

  it('names every unsupported operation', async () => {
    const error = await failure(convert(path('unknown.onnx')));
    expect(error).toMatchObject({ name: 'MoError', code: 'MO2001', node: '/frob_1' });
    expect(error.messages.map(({ node }: Message) => node)).toEqual(['/frob_1', '/frob_2']);
    expect(error.message).toContain('(and 1 more)');
  });

  it('names the missing file with weights', async () => {
    const lonely = await failure(convert(readFileSync(path('external.onnx'))));
    expect(lonely.code).toBe('MO1006');
    expect(lonely.messages[0]!.file).toBe('weights.bin');
  });

  it('is to write over a file of the model', async () => {
    const { bin } = await convert(path('external.onnx'));
    expect(await failure(bin.writeTo(path('weights.bin')))).toMatchObject({ code: 'MO7002', hint: 'choose another path' });
    expect(hash(readFileSync(path('weights.bin')))).toBe(hash(externalData));
  });

  it('of one model is none of the next', async () => {
    await failure(convert(path('garbage.onnx')));
    expect((await convert(convNet)).report.name).toBe('model');
  });
});

describe('watching and stopping', () => {
  it('tells what extensions log below warnings, level by level', async () => {
    const extensions = { 'front/onnx/logs.js': `
      import { FrontReplacementPattern, log } from '@mo/wasm/extension';
      log.info('loaded');
      export default class Logs extends FrontReplacementPattern {
        findAndReplacePattern() { log.debug('runs'); log.warn('careful'); }
      }` };
    const lines: LogLine[] = [];
    const { warnings } = await convert(convNet, { extensions }, { onLog: (line) => lines.push(line) });
    expect(lines).toEqual([{ level: 'info', text: 'loaded' }, { level: 'debug', text: 'runs' }]);
    expect(warnings).toEqual([expect.objectContaining({ severity: 'warning', code: 'MO4013', text: 'an extension warns: careful', file: expect.stringMatching(/\.js$/), arguments: [expect.anything(), { template: '{}', arguments: ['careful'] }] })]);
    await expect(convert(convNet, { extensions })).resolves.toBeDefined();
  });

  it('tells the phases in order, and the transformations in them', async () => {
    const seen: Progress[] = [];
    await convert(path('conv.onnx'), {}, { onProgress: (progress) => seen.push(progress) });
    const order = ['load', 'extract', 'front', 'infer', 'middle', 'layout', 'back', 'emit'];
    const phases = seen.map(({ phase }) => order.indexOf(phase));
    expect(phases).not.toContain(-1);
    expect([...new Set(phases)].length).toBeGreaterThan(3);
    expect(seen.some(({ transform, index, count }) => transform !== '' && index > 0 && index <= count)).toBe(true);
    expect(seen.at(-1)!.totalBytes).toBe(convNet.length);
    expect(seen.filter(({ bytes, totalBytes }) => bytes > totalBytes)).toEqual([]);
  });

  it('ends at once', async () => {
    const control = new AbortController();
    let abortedAt = 0;
    const converting = convert(path('long.onnx'), {}, {
      signal: control.signal,
      onProgress: () => {
        abortedAt ||= performance.now();
        control.abort();
      },
    });
    await expect(converting).rejects.toThrow(DOMException);
    await expect(converting).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - abortedAt).toBeLessThan(1000);
  });

  it('does not begin with a signal that is given already', async () => {
    await expect(convert(convNet, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not touch other conversions', async () => {
    const control = new AbortController();
    const [stopped, done] = await Promise.allSettled([
      convert(path('long.onnx'), {}, { signal: control.signal, onProgress: () => control.abort() }),
      convert(path('conv.onnx')),
    ]);
    expect(stopped.status).toBe('rejected');
    expect(done.status).toBe('fulfilled');
  });
});

describe('a model of another framework', () => {
  it.each([
    ['Python pickle', '\x80\x02}q\0'],
    ['MNN model', '\x1c\0\0\0MNNB'],
  ])('L-09 is named: %s', async (title, content) => {
    const [message] = (await failure(convert(Buffer.from(content, 'latin1')))).messages;
    expect(message).toMatchObject({ code: 'MO1003', text: expect.stringContaining(title), hint: expect.stringContaining('ONNX') });
  });
});
