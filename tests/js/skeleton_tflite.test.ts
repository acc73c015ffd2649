/** Skeletons of models of TensorFlow Lite: without weights and names, and with the same failure, at the same kind of place, or the same layers. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, MoError, type Message, type Model } from '@mo/wasm';
import { describe, expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { FlatFile } from '../../web/skeleton/tflite/flat.js';
import { FIELDS } from '../../web/skeleton/tflite/options.js';
import { tfliteSkeleton } from '../../web/skeleton/tflite/skeleton.js';
import { writeFlat, words, type Fields } from '../../web/skeleton/tflite/writer.js';
import { liteFamilies, recordedLite } from './recorded.js';
import { root, temporaryFolder } from './support.js';
import { floats, liteModel, litePicture, type Operator, type Tensor } from './tflite_writer.js';

const PYTHON = join(root, '.venv/bin/python');
const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', 'plughtensor'];

interface Files { main: { path: string; file: Blob }; files: { path: string; file: Blob }[] }
interface Outcome { layers: string[]; shapes: string[]; messages: readonly Message[] }

const blob = (bytes: Uint8Array) => new Blob([bytes as BlobPart]);
const single = (bytes: Uint8Array, files: Record<string, Uint8Array> = {}): Files =>
  ({ main: { path: 'in/model.tflite', file: blob(bytes) }, files: Object.entries(files).map(([name, content]) => ({ path: `in/${name}`, file: blob(content) })) });

async function skeletonOf(model: Files, messages: readonly Message[] = [], names = new Anonymous(new Set(), new Set())): Promise<Buffer> {
  const skeleton = await tfliteSkeleton({ ...model, messages }, names);
  return Buffer.from('content' in skeleton ? skeleton.content : []);
}

async function outcome(model: Files): Promise<Outcome> {
  try {
    const { xml, bin, report } = await convert(model as Model, { worker: false });
    await bin.close();
    const layers = [...xml.matchAll(/<layer id="\d+" name="[^"]*" type="(\w+)"/g)].map(([, type]) => type!);
    return { layers: layers.filter((type) => !/^(?:Const|Convert)$/.test(type)).sort(), shapes: [...report.inputs, ...report.outputs].map(({ shape }) => String(shape)), messages: [] };
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    return { layers: [], shapes: [], messages: error.messages };
  }
}

/** What failed, and whether a node, a tensor, a file and a place in it are named. */
const seen = ({ messages, ...result }: Outcome) => ({
  ...result,
  failures: messages.map(({ code, op, node, tensor, file, offset }) => [code, op, node !== '', tensor !== '', file !== '', offset >= 0]),
});

async function sameAs(model: Files): Promise<{ own: Outcome; made: Outcome; skeleton: Buffer; names: Anonymous }> {
  const own = await outcome(model);
  const names = new Anonymous(new Set(), new Set());
  const skeleton = await skeletonOf(model, own.messages, names);
  const made = await outcome(single(skeleton));
  expect(seen(made)).toEqual(seen(own));
  return { own, made, skeleton, names };
}

/** Files that a program in Python writes. */
function written(program: string, ...names: string[]): { folder: string; files: string[] } {
  const folder = temporaryFolder();
  const made = spawnSync(PYTHON, ['-c', program, folder, ...names], { encoding: 'utf8', cwd: join(root, 'tests/tflite') });
  if (made.status !== 0) throw new Error(made.stderr);
  return { folder, files: readdirSync(folder) };
}

describe('recorded models', () => {
  it.each(liteFamilies())('%s have the outcome of their skeletons', async (family) => {
    for (const model of (await recordedLite(family)).values()) await sameAs(single(model));
  });

  const networks = written('import filled, sys\nfor name in sys.argv[2:]: filled.load(name).write(f"{sys.argv[1]}/{name}.tflite")',
    'MobileNetV2', 'MobileNetV2_float16', 'MobileNetV2_hybrid', 'MobileNetV2_int8', 'MobileNet_int8_io', 'transformer', 'UNet', 'causal');

  it.each(networks.files)('the network %s has the outcome of its skeleton, which is small', async (name) => {
    const model = readFileSync(join(networks.folder, name));
    const { own, skeleton } = await sameAs(single(model));
    expect(own.layers.length).toBeGreaterThan(20);
    expect(skeleton.length).toBeLessThan(model.length > 1e6 ? model.length / 7 : 64e3);
  });
});

describe('a damaged model', () => {
  const bad = written('import bad, sys; bad.main(sys.argv[1])');

  it.each(bad.files)('with %s fails as its skeleton, or its making, does', async (name) => {
    const model = single(readFileSync(join(bad.folder, name)));
    const own = await outcome(model);
    const skeleton = await skeletonOf(model, own.messages).catch((error: unknown) => error);
    if (skeleton instanceof MoError) expect(skeleton.code).toBe(own.messages[0]?.code);
    else await sameAs(model);
  });

  it('ends with a skeleton or an error, wherever it is damaged', async () => {
    let state = 7;
    const random = (below: number) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
    const models = [litePicture(), ...(await recordedLite('control_flow')).values(), ...(await recordedLite('custom')).values()];
    let errors = 0;
    for (let round = 0; round < 1500; round++) {
      const bytes = Uint8Array.from(models[round % models.length]!);
      for (let change = 0; change <= random(3); change++) {
        const at = random(bytes.length);
        if (random(2)) bytes[at] = random(256);
        else new DataView(bytes.buffer).setInt32(Math.min(at, bytes.length - 4), [0, -1, 1, 0x7fffffff, -at, bytes.length, bytes.length - at][random(7)]!, true);
      }
      const made = await skeletonOf(single(random(8) ? bytes : bytes.slice(0, random(bytes.length)))).catch((error: unknown) => error);
      if (!(made instanceof Error)) continue;
      errors++;
      expect(made).toBeInstanceOf(MoError);
    }
    expect(errors).toBeGreaterThan(50);
    expect(errors).toBeLessThan(1450);
  });

  it('whose tensors are all one large table ends', async () => {
    const count = 1 << 18;
    const begin = writeFlat({ 2: { tables: [{ 0: { numbers: new Uint8Array(4 * count), bytes: 4 } }] } }, 'TFL3').length - 4 * count;
    const [vtable, size] = [begin + 4 * count, 60_000];
    const file = new Uint8Array(vtable + 4 + size);
    file.set(writeFlat({ 2: { tables: [{ 0: { numbers: new Uint8Array(4 * count), bytes: 4 } }] } }, 'TFL3'));
    const view = new DataView(file.buffer);
    for (let i = 0; i < count; i++) view.setUint32(begin + 4 * i, vtable + 4 - (begin + 4 * i), true);
    view.setUint16(vtable, 4, true);
    view.setUint16(vtable + 2, size, true);
    view.setInt32(vtable + 4, 4, true);
    await expect(skeletonOf(single(file))).rejects.toMatchObject({ code: 'MO1005' });
  });
});

/** A model with a name in every place that may have one. */
function secret(custom: string): Uint8Array {
  const ints = (...values: number[]) => new Uint8Array(Int32Array.from(values).buffer);
  const text = (value: string) => ({ text: value });
  const tensor = (name: string, shape: number[], type: number, buffer: number, more: Fields = {}): Fields =>
    ({ 0: words(...shape), 1: Uint8Array.of(type), 2: ints(buffer), 3: text(name), ...more });
  const scales: Fields = { 0: { numbers: floats(-1.2345678), bytes: 4 }, 1: { numbers: floats(1.2345678), bytes: 4 }, 2: { numbers: floats(0.0234567), bytes: 4 } };
  const operator = (code: number, inputs: number[], outputs: number[], more: Fields = {}): Fields => ({ 0: ints(code), 1: words(...inputs), 2: words(...outputs), ...more });
  const subgraph: Fields = {
    0: { tables: [
      tensor('zorgblat/plughtensor:0', [2, 4], 0, 0), tensor('zorgblat/wibblenode/kernel;quuxcorp', [3, 4], 0, 1), tensor('zorgblat/wibblenode/bias', [3], 0, 2),
      tensor('zorgblat/wibblenode/MatMul', [2, 3], 0, 0), tensor('fnordic', [2, 3], 0, 0), tensor('quuxcorp/scaled', [1, 1], 9, 3, { 4: { table: scales } }), tensor('wibblenode', [2, 3], 0, 0),
    ] },
    1: words(0), 2: words(6), 4: text('zorgblat main'),
    3: { tables: [
      operator(0, [0, 1, 2], [3], { 3: Uint8Array.of(8), 4: { table: {} } }),
      operator(1, [3], [4], { 5: { numbers: new TextEncoder().encode('fnordic!quuxcorp'), bytes: 1 }, 7: { numbers: Uint8Array.of(1), bytes: 1 } }),
      operator(2, [4, 5], [6]),
    ] },
  };
  const entry = (name: string, index: number): Fields => ({ 0: text(name), 1: ints(index) });
  return writeFlat({
    0: ints(3),
    1: { tables: [{ 0: Uint8Array.of(9), 3: ints(9) }, { 0: Uint8Array.of(custom === '' ? 19 : 32), ...(custom !== '' && { 1: text(custom) }), 3: ints(custom === '' ? 19 : 32) }, { 0: Uint8Array.of(0) }] },
    2: { tables: [subgraph] }, 3: text('quuxcorp description'),
    4: { tables: [{}, { 0: { numbers: floats(...Array.from({ length: 12 }, (_, i) => 0.1234567 + i)), bytes: 1 } }, { 0: { numbers: floats(0.7654321, 1.7654321, 2.7654321), bytes: 1 } },
      { 0: { numbers: Uint8Array.of(77), bytes: 1 } }, { 0: { numbers: new TextEncoder().encode('fnordic metadata'), bytes: 1 } }] },
    6: { tables: [{ 0: text('zorgblat metadata'), 1: ints(4) }] },
    7: { tables: [{ 0: { tables: [entry('plughtensor', 0)] }, 1: { tables: [entry('quuxcorp', 6)] }, 2: text('fnordic signature'), 4: ints(0) }] },
  }, 'TFL3');
}

describe('names', () => {
  it.each([['', 'Add FakeQuantize MatMul Multiply Parameter ReLU Result Subtract'], ['Frobnicate', '']])('and weights are not in the skeleton (%s)', async (custom) => {
    const model = Buffer.concat([secret(custom), Buffer.from('PK\x03\x04 zorgblat labels.txt')]);
    const { own, made, skeleton, names } = await sameAs(single(model));
    for (const name of SECRETS) expect(skeleton.includes(name), name).toBe(false);
    for (const weight of [0.1234567, 5.1234567, 0.7654321, 0.0234567, 1.2345678]) expect(skeleton.includes(Buffer.from(floats(weight))), String(weight)).toBe(false);
    if (custom === '') return expect(own.messages).toEqual([]);
    // The names of the report are those of the skeleton; that of the operator stays.
    expect(own.messages.map(({ code, op, node }) => [code, op, node])).toEqual([['MO2001', 'Frobnicate', 'fnordic']]);
    expect(made.messages.map(({ node }) => node)).toEqual([names.name('fnordic', 'n')]);
  });

  it.each(liteFamilies())('of recorded models are aliases, all of them: %s', async (family) => {
    const alias = /^(?:s\d+|input|Const|scale|initial|)(?:\/(?:s\d+|input|Const|scale|initial))*$/;
    for (const model of (await recordedLite(family)).values()) {
      const names: string[] = [];
      const table = await new FlatFile(blob(await skeletonOf(single(model)))).root();
      await table.each(2, async (subgraph) => {
        names.push(...(await subgraph.each(0, (tensor) => tensor.text(3))));
        expect(subgraph.has(4)).toBe(false);
      });
      await table.each(7, async (signature) => {
        names.push(await signature.text(2));
        for (const side of [0, 1]) names.push(...(await signature.each(side, (entry) => entry.text(0))));
      });
      expect(names.filter((name) => !alias.test(name))).toEqual([]);
      for (const absent of [3, 5, 6]) expect(table.has(absent)).toBe(false);
    }
  });

  it('that a call composes are the same in the report', async () => {
    const [, model] = [...(await recordedLite('control_flow'))].find(([name]) => name === 'STABLEHLO_COMPOSITE')!;
    const names = new Anonymous(new Set(), new Set());
    const inner = { code: 'MO2001', node: 'result/inner/part', tensor: '', op: 'NEG' } as Message;
    await skeletonOf(single(model), [inner], names);
    expect(names.name('result/inner/part', 'n')).toMatch(/^s\d+\/s\d+\/s\d+$/);
  });
});

describe('numbers', () => {
  /** The skeleton of a model that adds a constant to x (float32). */
  async function constant(tensor: Omit<Tensor, 'name'> & { data: Uint8Array }): Promise<Buffer> {
    const add: Operator = { code: 0, inputs: [0, 1], outputs: [2], options: [11, {}] };
    return skeletonOf(single(liteModel([{ name: 'x', shape: [1] }, { name: 'c', ...tensor }, { name: 'y', shape: [...tensor.shape] }], [add], [0], [2])));
  }
  /** The content of the constant in a skeleton. */
  async function contentOf(skeleton: Buffer): Promise<Buffer> {
    const table = await new FlatFile(blob(skeleton)).root();
    const [[, buffer]] = await table.each(2, (subgraph) => subgraph.each(0, (tensor) => tensor.number(2, 4))) as [number[]];
    return Buffer.from((await table.each(4, (one) => one.numbers(0, 1)))[buffer!]!);
  }
  const bytes = (array: Float32Array | Int32Array | Uint8Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

  it.each([
    ['6 of float32', { shape: [], data: floats(6) }, floats(6)],
    ['0.001', { shape: [1], data: floats(0.001) }, floats(0.001)],
    ['-0.7654321', { shape: [], data: floats(-0.7654321) }, floats(-0.5)],
    ['one number for all', { shape: [3], data: floats(0.7654321, 0.7654321, 0.7654321) }, floats(0.5, 0.5, 0.5)],
    ['zeros', { shape: [3], data: floats(0, 0, 0) }, floats(0, 0, 0)],
    ['several', { shape: [3], data: floats(0.7654321, 3, 4) }, floats(0.25, 0.25 * (1 + 1 / 8192), 0.25 * (1 + 2 / 8192))],
    ['one that is too large for half precision', { shape: [3], data: floats(1, -70001.5, 4) }, floats(-65536, 0.5, 0.5)],
    ['one that is infinite', { shape: [2], data: floats(1, Infinity) }, floats(Infinity, 0.5)],
    ['a shape', { shape: [4], type: 2, data: new Uint8Array(Int32Array.of(1, -1, 224, 77777).buffer) }, new Uint8Array(Int32Array.of(1, -1, 224, 77777).buffer)],
    ['bytes', { shape: [3], type: 3, data: Uint8Array.of(11, 12, 13) }, Uint8Array.of(11, 12, 13)],
  ])('%s', async (_, tensor, wanted) => {
    expect(await contentOf(await constant(tensor))).toEqual(bytes(wanted));
    if (tensor.data.some((byte, i) => byte !== wanted[i])) expect((await constant(tensor)).includes(bytes(tensor.data))).toBe(false);
  });

  it.each([['float32', 0, 4], ['int32', 2, 4], ['int8', 9, 1]])('many of %s take no place', async (_, type, size) => {
    const data = Uint8Array.from({ length: 1 << 16 }, (__, i) => i % 251);
    expect((await constant({ shape: [256, 256 / size], type, data })).length).toBeLessThan(1000);
  });

  it('in a file beside the model are left out; one that is missing still is', async () => {
    const external = (name: string) => writeFlat({
      0: Uint8Array.of(3, 0, 0, 0), 1: { tables: [{ 0: Uint8Array.of(0) }] }, 4: { tables: [{}] }, 8: { tables: [{ 0: { text: name } }] },
      2: { tables: [{ 0: { tables: [{ 0: words(2), 3: { text: 'plughtensor' } }, { 0: words(2), 3: { text: 'fnordic' }, 10: words32(1) }, { 0: words(2), 3: { text: 'zorgblat' } }] },
        1: words(0), 2: words(2), 3: { tables: [{ 0: words32(0), 1: words(0, 1), 2: words(2) }] } }] },
      9: { tables: [{ 0: words32(1), 1: words32(0), 3: Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0) }] },
    }, 'TFL3');
    const words32 = (value: number) => Uint8Array.of(value, 0, 0, 0);
    const found = await sameAs(single(external('quuxcorp.bin'), { 'quuxcorp.bin': floats(0.7654321, 1) }));
    expect(found.own.layers).toEqual(['Add', 'Parameter', 'Result']);
    for (const made of [found, await sameAs(single(external('quuxcorp.bin'))), await sameAs(single(external('../quuxcorp.bin')))])
      for (const name of SECRETS) expect(made.skeleton.includes(name), name).toBe(false);
  });
});

it('the fields of options are those of the core', () => {
  const rows = readFileSync(join(root, 'core/front/tflite/extract/operators.def'), 'utf8').matchAll(/^LITE_(?:SAME|CALL|LOADED)\((\d+), \w+, "([^"]+)"/gm);
  const known = new Map([...rows].map(([, code, options]) => [Number(code), options!.split(' ').map((option) => option.split(':')[1]?.[0]!.replace(/[Bt]/, 'b') ?? '-').join('')]));
  expect([...FIELDS].sort(([a], [b]) => a - b)).toEqual([...known].sort(([a], [b]) => a - b));
});
