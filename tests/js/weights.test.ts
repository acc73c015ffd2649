/** How Node writes a `.bin`: small parts read in stretches, large ones while others are written, and a text in pieces beside it. */
import { closeSync, mkdirSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { convert, MoError } from '@mo/wasm';
import { afterAll, describe, expect, it } from 'vitest';

import { F16Pieces, writeF16 } from '../../dist/library/node/f16-pieces.js';
import { FsFiles } from '../../dist/library/node/fs-files.js';
import { SecondThread, WORTH_A_THREAD } from '../../dist/library/node/second-thread.js';
import { startCore } from '../../dist/library/shared/core.js';
import { seeded, writeOnnx, type Tensor } from './onnx_writer.js';
import { hash, listing, nativeFiles, root, runNode, temporaryFolder } from './support.js';

/** A model that puts weights of these numbers of floats one behind the other. */
function joined(sizes: number[], weight: (index: number, size: number) => Tensor, name = 'join'): Uint8Array {
  const weights = sizes.map((size, index) => weight(index, size));
  return writeOnnx({
    nodes: [{ op: 'Concat', name, inputs: ['x', ...weights.map((one) => one.name)], outputs: ['y'], attributes: { axis: 1 } }],
    weights,
    inputs: [{ name: 'x', shape: [1, 1] }],
    outputs: [{ name: 'y', shape: [1, sizes.reduce((sum, size) => sum + size, 1)] }],
  });
}

const inline = (index: number, size: number): Tensor => ({ name: `w${index}`, shape: [1, size], data: seeded(size, index + 1) });

/** Around the lengths at which reading changes; many small ones, and large ones on both sides. */
const SIZES = [
  300_007, 1023, 1024, 1025, 1, 3, 511, 16_383, 16_384, 16_385, 262_145, ...Array.from({ length: 700 }, (_, index) => 1 + (index % 90)), 300_007, 2, 8191, 8193,
];

describe('weights of many sizes', () => {
  const folder = temporaryFolder();
  const model = join(folder, 'model.onnx');
  writeFileSync(model, joined(SIZES, inline));

  it.each(['False', 'True'])('are those of the native converter, with compress_to_fp16=%s', async (fp16) => {
    const native = nativeFiles(model, [`--compress_to_fp16=${fp16}`]);
    const out = temporaryFolder();
    expect(runNode([model, '-n', 'same', '-o', out, `--compress_to_fp16=${fp16}`], '.')).toMatchObject({ code: 0, stderr: '' });
    expect(hash(readFileSync(join(out, 'same.bin')))).toBe(native.bin);
    expect(readFileSync(join(out, 'same.xml'), 'utf8')).toBe(native.xml);
    const { bin } = await convert(model, { model_name: 'same', compress_to_fp16: fp16 === 'True' });
    await bin.writeTo(join(out, 'again.bin'));
    expect(hash(readFileSync(join(out, 'again.bin')))).toBe(native.bin);
    expect(hash(new Uint8Array(await new Response(bin.stream()).arrayBuffer()))).toBe(native.bin);
    await bin.close();
  });
});

describe('weights beside the model', () => {
  const BYTES = 4 * 700_001;

  function place(): { folder: string; model: string; weights: string } {
    const folder = temporaryFolder();
    const [model, weights] = ['model.onnx', 'w.bin'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(weights, new Uint8Array(seeded(3 * 700_001).buffer));
    writeFileSync(model, joined([700_001, 700_001, 700_001], (index) => ({ name: `w${index}`, shape: [1, 700_001], file: 'w.bin', offset: index * BYTES, size: BYTES })));
    return { folder, model, weights };
  }

  it.each([false, true])('that end while they are written leave no .bin, and the conversion can be asked again (compress_to_fp16: %s)', async (fp16) => {
    const { folder, model, weights } = place();
    const { bin } = await convert(model, { compress_to_fp16: fp16 });
    const whole = readFileSync(weights);
    truncateSync(weights, 2 * BYTES + 4);
    mkdirSync(join(folder, 'out'));
    const error = await bin.writeTo(join(folder, 'out/x.bin')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MoError);
    expect(error).toMatchObject({ code: 'MO7001', messages: [{ file: expect.stringContaining('w.bin') }] });
    expect(listing(join(folder, 'out'))).toEqual([]);
    writeFileSync(weights, whole);
    await bin.writeTo(join(folder, 'out/x.bin'));
    expect(readFileSync(join(folder, 'out/x.bin')).length).toBe(bin.size);
    await bin.close();
  });

  it('that are gone in several parts of a piece give one error', async () => {
    const folder = temporaryFolder();
    const model = join(folder, 'model.onnx');
    writeFileSync(model, joined([100_000, 20, 30], inline));
    const { bin } = await convert(model, { worker: false });
    truncateSync(model, 1000);
    const error = await bin.writeTo(join(folder, 'x.bin')).catch((reason: unknown) => reason);
    // A read that nobody waits for would fail by then, which ends the test.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(error).toMatchObject({ code: 'MO7001', messages: [{}] });
    expect(listing(folder)).toEqual(['model.onnx']);
    await bin.close();
  });

  it('are written to the end if the result is closed meanwhile', async () => {
    const { folder, model } = place();
    const { bin } = await convert(model, { worker: false });
    const writing = bin.writeTo(join(folder, 'x.bin')).catch((reason: unknown) => reason);
    while (listing(folder).length < 3) await new Promise(setImmediate);
    await bin.close();
    expect(await writing).toMatchObject({ code: 'MO7004' });
    expect(listing(folder)).toEqual(['model.onnx', 'w.bin', 'x.bin']);
    expect(hash(readFileSync(join(folder, 'x.bin')))).toBe(nativeFiles(model, ['--compress_to_fp16=False']).bin);
  });
});

describe('weights that two threads store as f16', () => {
  const folder = temporaryFolder();
  const [source, target] = ['w.bin', 'out.bin'].map((name) => join(folder, name)) as [string, string];
  const VALUES = 1_000_003;
  const SIZE = 2 * VALUES;
  const module = new WebAssembly.Module(readFileSync(join(root, 'dist/library/shared/core.wasm')));
  const thread = new SecondThread(module, pathToFileURL(join(root, 'dist/library/node/f16-worker.js')));
  afterAll(() => thread.end());
  writeFileSync(source, new Uint8Array(seeded(VALUES).buffer));

  /** The table of all pieces, `gap` bytes behind the beginning of the target. */
  const pieces = (gap: number, piece = 300_000): F16Pieces =>
    F16Pieces.of(Array.from({ length: Math.ceil(SIZE / piece) }, (_, index) => ({ at: gap + index * piece, size: Math.min(piece, SIZE - index * piece), file: 1, offset: 2 * index * piece })));

  /** What the second thread makes of them alone. */
  async function written(table: F16Pieces, to = target): Promise<void> {
    const descriptor = openSync(source, 'r');
    try {
      await thread.write({ target: to, files: [['other', undefined], ['w.bin', descriptor]], pieces: table.share() });
    } finally {
      closeSync(descriptor);
    }
  }

  it('are the same from each of them, at their places', async () => {
    const core = await startCore(module);
    const files = new FsFiles(folder);
    writeFileSync(target, '');
    const descriptor = openSync(target, 'r+');
    expect(writeF16(core, files, ['', 'w.bin'], descriptor, pieces(7))).toBe(7);
    closeSync(descriptor);
    files.close();
    const alone = readFileSync(target);
    expect(alone.length).toBe(7 + SIZE);
    writeFileSync(target, '');
    await written(pieces(7));
    expect(hash(readFileSync(target))).toBe(hash(alone));
  });

  it('are left where they are if nobody may take them any more', async () => {
    writeFileSync(target, '');
    const table = pieces(0);
    table.stop();
    await written(table, join(folder, 'not/there'));
    expect(statSync(target).size).toBe(0);
    expect(table.take()).toBeUndefined();
  });

  it('that cannot be read, or written, are an error of the first thread, and nobody goes on', async () => {
    const whole = readFileSync(source);
    truncateSync(source, 1_000_000);
    const table = pieces(0);
    const unread = await written(table).catch((reason: unknown) => reason);
    writeFileSync(source, whole);
    expect(unread).toBeInstanceOf(MoError);
    expect(unread).toMatchObject({ code: 'MO7001', messages: [{ file: 'w.bin' }] });
    expect(table.take()).toBeUndefined();
    expect(await written(pieces(0), folder).catch((reason: unknown) => reason)).toMatchObject({ errno: -constants.errno.EISDIR });
  });

  it('of a large model are those of the native converter', () => {
    const model = join(folder, 'large.onnx');
    const size = WORTH_A_THREAD / 8;
    writeFileSync(model, joined([size, 5, size], inline));
    expect(runNode([model, '-n', 'same', '-o', folder], '.')).toMatchObject({ code: 0, stderr: '' });
    expect(hash(readFileSync(join(folder, 'same.bin')))).toBe(nativeFiles(model, []).bin);
  });
});

describe('a text of many pieces', () => {
  // Characters of three bytes, moved by one byte from name to name: a piece ends inside one of them.
  const model = join(temporaryFolder(), 'model.onnx');
  const nodes = Array.from({ length: 6 }, (_, index) => ({
    op: index % 2 ? 'Relu' : 'Sigmoid', name: 'x'.repeat(index) + '語'.repeat(20_000), inputs: [`v${index}`], outputs: [`v${index + 1}`],
  }));
  writeFileSync(model, writeOnnx({ nodes, weights: [], inputs: [{ name: 'v0', shape: [1] }], outputs: [{ name: 'v6', shape: [1] }] }));
  const native = nativeFiles(model, ['--compress_to_fp16=False']);

  it('is the same as a string', async () => {
    const { xml } = await convert(model, { model_name: 'same' });
    expect(xml).not.toContain('\uFFFD');
    expect(hash(Buffer.from(xml))).toBe(hash(Buffer.from(native.xml)));
  });

  it('is the same in a file, and a folder that was made for one that cannot be written goes again', () => {
    const folder = temporaryFolder();
    expect(runNode([model, '-n', 'same', '-o', join(folder, 'made'), '--compress_to_fp16=False'], '.').code).toBe(0);
    expect(listing(join(folder, 'made'))).toEqual(['same.bin', 'same.xml']);
    expect(readFileSync(join(folder, 'made/same.xml'), 'utf8')).toBe(native.xml);
    mkdirSync(join(folder, 'taken/same.xml'), { recursive: true });
    expect(runNode([model, '-n', 'same', '-o', join(folder, 'taken')], '.')).toMatchObject({ code: 1, stderr: expect.stringContaining('MO7002') });
    expect(listing(join(folder, 'taken'))).toEqual(['same.xml']);
  });
});
