/** Skeletons of Kaldi's networks: without weights and names, with the same components, settings and sizes. */
import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { crc32 } from '../../web/save/crc32.js';
import { kaldiSkeleton } from '../../web/skeleton/kaldi/skeleton.js';
import { acousticModel, splicedNetwork, written, type Mode } from './kaldi_models.js';

const MODES: readonly Mode[] = ['binary', 'text'];
const noNames = () => new Anonymous(new Set(), new Set());

async function skeletonOf(content: Uint8Array | Blob, path = 'net.mdl', others: Readonly<Record<string, Uint8Array>> = {}, isFolder = false): Promise<{ path: string; content: Buffer }> {
  const file = content instanceof Blob ? content : new Blob([content as BlobPart]);
  const files = Object.entries(others).map(([name, bytes]) => ({ path: name, file: new Blob([bytes as BlobPart]) }));
  const made = await kaldiSkeleton(isFolder ? { main: { path }, files: [{ path: `${path}/am/final.mdl`, file }, ...files], messages: [] } : { main: { path, file }, files, messages: [] }, noNames());
  const { content: deflated, ...checks } = made.packed;
  const unpacked = inflateRawSync(Buffer.from(await deflated.arrayBuffer()));
  expect(checks).toEqual({ size: unpacked.length, crc: crc32(unpacked) });
  return { path: made.name, content: unpacked };
}

/** The places of the numbers that `model` is built from. */
const NUMBERS = [0.11, 0.16, -0.21, -0.26, 0.31, 0.32, 0.41, 0.42, 1.51, 1.52, 0.61, 0.62, -0.7];
function has(content: Buffer, value: number, mode: Mode): boolean {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return content.includes(mode === 'binary' ? bytes : Buffer.from(` ${value} `));
}

it.each(MODES)('has no weights and no names: nnet3, %s', async (mode) => {
  const model = acousticModel(mode, 'zorgblat');
  const { path, content } = await skeletonOf(model, 'fnordic.mdl');
  expect(path).toBe('skeleton.mdl');
  for (const value of NUMBERS) expect([value, has(model, value, mode), has(content, value, mode)]).toEqual([value, true, false]);
  expect(content.includes('zorgblat')).toBe(false);
  const text = content.toString('latin1');
  expect(text).toContain('input-node name=input dim=2\ncomponent-node name=n1 component=n2 input=Append(Offset(input, -1), input, Scale(0.66, Offset(input, 1)))\n'
    + 'component-node name=n3 component=n3 input=n1\noutput-node name=output input=n3 objective=linear\n');
  expect(text).toMatch(/<ComponentName> n2 <NaturalGradientAffineComponent> [^]*<ComponentName> n3 <BatchNormComponent> /);
  expect(text).toMatch(/^(?:\0B)?<TransitionModel> [^]*<Tuples> [^]*<\/TransitionModel>\s/);
});

it('is the same file with other numbers and names where there is no transition model', async () => {
  const { content } = await skeletonOf(splicedNetwork('binary'), 'a.nnet');
  const parts = (first: readonly number[], second: readonly number[]) => written([
    '<Nnet>', '<Splice>', { int: 6 }, { int: 2 }, { ints: [-1, 0, 2] }, '<!EndOfComponent>', '<AffineTransform>', { int: 2 }, { int: 6 }, '<LearnRateCoef>', { float: 1 }, '<BiasLearnRateCoef>', { float: 1 },
    '<MaxNorm>', { float: 0 }, { matrix: [first, first] }, { vector: second }, '<!EndOfComponent>', '</Nnet>',
  ], 'binary');
  expect(content.equals(parts(Array<number>(6).fill(0.5), Array<number>(2).fill(0.5 + 1 / 16384)))).toBe(true);
});

it('keeps lists of whole numbers in texts, and rows', async () => {
  const text = (await skeletonOf(splicedNetwork('text'), 'a.nnet')).content.toString();
  expect(text).toContain('<Splice> 6 2 [ -1 0 2 ]\n');
  const row = `${'0.500000 '.repeat(6)}`;
  expect(text).toContain(` [\n  ${row}\n  ${row}]\n [ 0.500061 0.500061 ]\n`);
  expect((await skeletonOf(Buffer.from('<Nnet> <X> 1 1 [ 1 2.5 ]\n <Y> 1 1 [ ]\n [ 1 2\n 3 4 ] [ -1,0 1,2 ] [ inf ugly ] </Nnet> '))).content.toString())
    .toBe('<Nnet> <X> 1 1 [ 0.500000 0.500000 ]\n <Y> 1 1 [ ]\n [ 0.500061 0.500061\n 0.500061 0.500061 ] [ -1,0 1,2 ] [ 0.500122 text ] </Nnet> ');
});

it('compressed arrays and those of doubles stay such', async () => {
  const head = (token: string, min: number, range: number) => Buffer.concat([Buffer.from(token), Buffer.from(new Float32Array([min, range]).buffer), Buffer.from(new Int32Array([2, 3]).buffer)]);
  const arrays = [
    Buffer.concat([Buffer.from('DV \x04'), Buffer.from(new Int32Array([2]).buffer), Buffer.alloc(16, 0x11)]), Buffer.concat([head('CM ', 3, 4), Buffer.alloc(24 + 6, 0x11)]),
    Buffer.concat([head('CM2 ', 3, 4), Buffer.alloc(12, 0x11)]), Buffer.concat([head('CM3 ', 3, Infinity), Buffer.alloc(6, 0x11)]),
  ];
  const model = Buffer.concat([Buffer.from('\0B<Nnet3> \n\n<NumComponents> \x04\x00\x00\x00\x00<A> '), ...arrays.flatMap((array) => [array, Buffer.from('<B> ')])]);
  const { content } = await skeletonOf(model);
  expect(content.length).toBe(model.length);
  expect(content.includes(Buffer.alloc(4, 0x11))).toBe(false);
  expect(content.includes(head('CM ', 0, 1))).toBe(true);
  // The range may be why the model fails.
  expect(content.includes(head('CM3 ', 3, Infinity))).toBe(true);
});

it.each([['a folder of Vosk', 'vosk', true], ['a file', 'vosk/am/final.mdl', false]] as const)('%s', async (_, path, isFolder) => {
  const { content } = await skeletonOf(acousticModel('binary'), path, { 'vosk/conf/model.conf': Buffer.from('a') }, isFolder);
  expect(content.includes('<BatchNormComponent> ')).toBe(true);
});

it('ends where a file cannot be read on, and copies no weights that no array has', async () => {
  const model = splicedNetwork('binary');
  const at = model.indexOf('FM ');
  const lying = Buffer.from(model);
  lying.writeInt32LE(1_000_000, at + 4);
  const { content } = await skeletonOf(lying);
  expect(content.subarray(0, at + 20).equals(lying.subarray(0, at + 20))).toBe(true);
  expect(content.subarray(at + 20).equals(Buffer.alloc(16, 255))).toBe(true);
  // Fewer rows than there are.
  lying.writeInt32LE(1, at + 4);
  const short = (await skeletonOf(lying)).content;
  expect(has(short, -0.21, 'binary')).toBe(false);
  expect(short.subarray(at + 13 + 24).equals(Buffer.alloc(16, 255))).toBe(true);
});

it.each(MODES)('is made of each beginning of a file: %s', async (mode) => {
  const model = acousticModel(mode);
  for (let size = 12; size < model.length; size += 7) {
    const { content } = await skeletonOf(model.subarray(0, size));
    expect(content.includes('tdnn1')).toBe(false);
  }
});

it('is none of another file', async () => {
  await expect(skeletonOf(Buffer.from('this is no model'))).rejects.toMatchObject({ messages: [{ code: 'MO1002' }] });
});

/** A file of that size, of which only what is read is made; the most bytes that were read at once. */
class LongFile {
  most = 0;
  readonly size: number;
  constructor(private readonly head: Buffer, count: number, private readonly part: Buffer) {
    this.size = head.length + count * part.length;
  }
  slice(begin: number, end: number): Blob {
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, this.size) - begin));
    this.most = Math.max(this.most, bytes.length);
    let at = begin < this.head.length ? this.head.copy(bytes, 0, begin) : 0;
    while (at < bytes.length) at += this.part.copy(bytes, at, (begin + at - this.head.length) % this.part.length);
    return new Blob([bytes]);
  }
}

it('100 MB are read in small pieces', async () => {
  const part = Buffer.concat([Buffer.from('<X> FM '), Buffer.of(4, 0, 4, 0, 0, 4, 0, 4, 0, 0), Buffer.alloc(4 << 20, 0x3f)]);
  const file = new LongFile(Buffer.from('\0B<Nnet> '), 25, part);
  const made = await kaldiSkeleton({ main: { path: 'a.mdl', file: file as unknown as Blob }, files: [], messages: [] }, noNames());
  expect(file.size).toBeGreaterThan(100e6);
  expect(made).toMatchObject({ name: 'skeleton.mdl', packed: { size: file.size } });
  expect(made.packed.content.size).toBeLessThan(1e6);
  expect(file.most).toBeLessThan(1e5);
}, 60_000);

it('a long array of a text is written as it is read', async () => {
  const file = new Blob(['<Nnet>  [\n', ...Array<string>(30).fill('0.123456 -7e-05 \n'.repeat(5000)), ' ]\n</Nnet> ']);
  const { content } = await skeletonOf(file, 'a.nnet');
  expect(content.toString()).toBe(`<Nnet>  [\n${'0.500000 0.500000 \n'.repeat(150_000)} ]\n</Nnet> `);
});
