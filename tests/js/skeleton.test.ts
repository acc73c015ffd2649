/** Skeletons of ONNX models: without weights and names, and with the same failure or the same layers. */
import { inspect, MoError } from '@mo/wasm';
import { expect, it } from 'vitest';

import { convert } from '../../dist/library/node/node.js';
import { Anonymous } from '../../web/report/anonymous.js';
import { TensorProto_DataType } from '../../web/skeleton/onnx/fields.js';
import { onnxSkeleton } from '../../web/skeleton/onnx/skeleton.js';
import { shellOf } from '../../web/skeleton/onnx/tensor.js';
import { Wire } from '../../web/skeleton/wire.js';
import { seeded, writeOnnx, type Model } from './onnx_writer.js';
import { message } from './wire.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', 'plughtensor', 'batchname'];
const LARGE = seeded(64 * 64);
const SMALL = seeded(64, 2);

/** A product with large and a sum with small weights, and an If whose branches have nodes of their own. */
const net = (last: Partial<Model['nodes'][number]> = {}): Model => {
  const branch = (op: string): Model => ({
    nodes: [{ op, name: `/wibblenode/${op}`, inputs: ['fnordic b'], outputs: ['zorgblat'] }],
    weights: [], inputs: [], outputs: [{ name: 'zorgblat', shape: [] }],
  });
  return {
    nodes: [
      { op: 'MatMul', name: '/wibblenode/fc', inputs: ['plughtensor', 'fnordic w'], outputs: ['fnordic a'] },
      { op: 'Add', name: '', inputs: ['fnordic a', 'quuxcorp.bias'], outputs: ['fnordic b'] },
      { op: 'If', name: 'wibblenode if', inputs: ['quuxcorp'], outputs: ['fnordic c'], attributes: { then_branch: branch('Abs'), else_branch: branch('Neg') } },
      { op: 'Softmax', name: 'fnordic last', inputs: ['fnordic c'], outputs: ['fnordic y'], attributes: { axis: -1 }, ...last },
    ],
    weights: [{ name: 'fnordic w', shape: [64, 64], data: LARGE }, { name: 'quuxcorp.bias', shape: [64], data: SMALL }],
    inputs: [{ name: 'plughtensor', shape: ['batchname', 64] }, { name: 'quuxcorp', shape: [], type: 9 }],
    outputs: [{ name: 'fnordic y', shape: ['batchname', 64] }],
  };
};

const skeletonOf = async (model: Uint8Array): Promise<Uint8Array> => {
  const failed = { main: { path: 'zorgblat.onnx', file: new Blob([model as BlobPart]) }, files: [], messages: [] };
  const skeleton = await onnxSkeleton(failed, new Anonymous(new Set(), new Set()));
  return 'content' in skeleton ? skeleton.content : Uint8Array.of();
};
const types = (xml: string) => [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type).sort();

it('has no names and no weights', async () => {
  const skeleton = Buffer.from(await skeletonOf(writeOnnx(net())));
  for (const secret of SECRETS) expect(skeleton.includes(secret)).toBe(false);
  for (const weights of [LARGE, SMALL])
    for (const at of [0, 20, 63]) expect(skeleton.includes(Buffer.from(weights.buffer, 4 * at, 4))).toBe(false);
  expect(skeleton.length).toBeLessThan(1000);
});

it('converts to the same layers, with inputs for large weights', async () => {
  const model = writeOnnx(net());
  const [own, made] = await Promise.all([convert(model), convert(await skeletonOf(model))]);
  const without = (xml: string) => types(xml).filter((type) => type !== 'Const' && type !== 'Convert' && type !== 'Parameter');
  expect(without(made.xml)).toEqual(without(own.xml));
  expect(made.report.inputs.map(({ shape }) => shape)).toEqual(['[?,64]', '[]', '[64,64]']);
  expect(made.report.outputs.map(({ shape }) => shape)).toEqual(own.report.outputs.map(({ shape }) => shape));
});

it('fails as the model does', async () => {
  const model = writeOnnx(net({ op: 'Frobnicate', domain: 'com.quuxcorp' }));
  const skeleton = await skeletonOf(model);
  const messages = async (bytes: Uint8Array) => (await inspect(bytes)).messages.map(({ code, op }) => [code, op]);
  expect(await messages(skeleton)).toEqual([['MO2001', 'Frobnicate']]);
  expect(await messages(skeleton)).toEqual(await messages(model));
});

it('keeps whole numbers that are shapes', async () => {
  const model = writeOnnx({
    nodes: [{ op: 'Reshape', name: 'r', inputs: ['x', 's'], outputs: ['y'] }],
    weights: [{ name: 's', shape: [2], data: BigInt64Array.of(3n, 4n) }],
    inputs: [{ name: 'x', shape: [2, 6] }], outputs: [{ name: 'y', shape: [] }],
  });
  const { report } = await convert(await skeletonOf(model));
  expect(report.outputs.map(({ shape }) => shape)).toEqual(['[3,4]']);
});

it('has no weights in lists of numbers, however these are written', async () => {
  const numbers = Buffer.from(SMALL.buffer, 0, 4 * 12);
  const one = (at: number) => Buffer.concat([Buffer.from([0x3d]), numbers.subarray(4 * at, 4 * at + 4)]);
  for (const floats of [Buffer.concat([Buffer.from([0x3a, numbers.length]), numbers]), Buffer.concat(Array.from({ length: 12 }, (_, at) => one(at)))]) {
    const inner = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag, content.length]), content]);
    const attribute = Buffer.concat([inner(0x0a, Buffer.from('nodes_values')), floats]);
    const skeleton = Buffer.from(await skeletonOf(inner(0x3a, inner(0x0a, inner(0x2a, attribute)))));
    expect(skeleton.includes('nodes_values')).toBe(true);
    for (let at = 0; at < 12; at++) expect(skeleton.includes(numbers.subarray(4 * at, 4 * at + 4))).toBe(false);
  }
});

it.each([
  ['cut off', (model: Uint8Array) => model.slice(0, model.length / 2)],
  ['no message', () => new Uint8Array(64).fill(0xff)],
  ['empty', () => new Uint8Array()],
])('a file that is %s is an error', async (_, damage) => {
  await expect(skeletonOf(damage(writeOnnx(net())))).rejects.toBeInstanceOf(MoError);
});

/** Bits of an element. */
const BITS: Readonly<Record<string, number>> = {
  FLOAT: 32, UINT8: 8, INT8: 8, UINT16: 16, INT16: 16, INT32: 32, INT64: 64, BOOL: 8, FLOAT16: 16, DOUBLE: 64, UINT32: 32, UINT64: 64, COMPLEX64: 64, COMPLEX128: 128, BFLOAT16: 16,
  FLOAT8E4M3FN: 8, FLOAT8E4M3FNUZ: 8, FLOAT8E5M2: 8, FLOAT8E5M2FNUZ: 8, UINT4: 4, INT4: 4, FLOAT4E2M1: 4, FLOAT8E8M0: 8, UINT2: 2, INT2: 2,
};

it.each(Object.entries(TensorProto_DataType).filter(([name]) => name !== 'UNDEFINED' && name !== 'STRING'))('weights of %s have as many bytes in place of theirs', async (name, type) => {
  const wire = new Wire(new Blob([message([[1, 2001], [2, type]]) as BlobPart]));
  const { data } = await shellOf(wire, wire.whole, 1 << 20, 0);
  const bytes = Math.ceil((2001 * BITS[name]!) / 8);
  expect(data!.length).toBe(1 + (bytes < 128 ? 1 : bytes < 1 << 14 ? 2 : 3) + bytes);
});

it('a message of more fields than models have is an error', async () => {
  const fields = new Uint8Array(4 << 20);
  for (let at = 0; at < fields.length; at += 2) fields[at] = 0x78;
  await expect(skeletonOf(fields)).rejects.toMatchObject({ code: 'MO1010' });
});

it('bodies in bodies end', async () => {
  let body = net();
  for (let depth = 0; depth < 80; depth++) body = { ...net(), nodes: [{ op: 'If', inputs: ['quuxcorp'], outputs: ['y'], attributes: { then_branch: body } }], weights: [] };
  await expect(skeletonOf(writeOnnx(body))).rejects.toMatchObject({ code: 'MO1011' });
});
