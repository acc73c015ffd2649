/** Skeletons of PaddlePaddle 3's programs: without weights and names, and with the same failure or the same layers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { Anonymous } from '../../web/report/anonymous.js';
import { writeParameters } from '../../web/skeleton/paddle/parameters.js';
import { paddleSkeleton } from '../../web/skeleton/paddle/skeleton.js';
import { nativeFiles, temporaryFolder } from './support.js';

const SECRETS = ['zorgblat', 'quuxcorp', 'fnordic', 'wibblenode', '0.7239'];
const tensor = (dims: readonly number[]) => ({ '#': '0.t_dtensor', D: [{ '#': '0.t_f32' }, dims, 'NCHW', [], 0] });
const text = (N: string, D: string) => ({ N, AT: { '#': '0.a_str', D } });
const parameter = (id: number, name: string, dims: readonly number[]) => ({ '#': 'p', A: [0, 1, 1, name], O: { '%': id, TT: tensor(dims) }, OA: [1, 0, 1] });
const op = (name: string, I: readonly number[], id: number, A: readonly unknown[] = []) => ({ '#': name, A: [text('struct_name', '/wibblenode/'), ...A], I: I.map((one) => ({ '%': one })), O: [{ '%': id, TT: tensor([-1, 64]) }] });
const NUMBERS = { N: 'numbers', AT: { '#': '0.a_array', D: Array.from({ length: 20 }, () => ({ '#': '0.a_f32', D: 0.7239 })) } };

/** relu(x + w) + v, and what else there is. */
const model = (...more: readonly unknown[]) => new TextEncoder().encode(JSON.stringify({
  base_code: { magic: 'pir', version: 4 },
  program: { regions: [{ '#': 'region_0', blocks: [{ '#': 'block_0', args: [], ops: [
    parameter(1, 'quuxcorp.w', [64]), parameter(2, 'quuxcorp.v', [64, 64]),
    { '#': '1.data', A: [text('name', 'zorgblat'), { N: 'shape', AT: { '#': '1.a_intarray', D: [-1, 64] } }, { N: 'dtype', AT: { '#': '1.a_dtype', D: 'float32' } }], I: [], O: [{ '%': 3, TT: tensor([-1, 64]) }] },
    op('1.add', [3, 1], 4), op('1.relu', [4], 5), op('1.add', [5, 2], 6, [NUMBERS]), ...more,
    op('1.fetch', [6], 99, [text('name', 'fnordic out'), { N: 'col', AT: { '#': '0.a_i32', D: 0 } }]),
  ] }] }] },
}));
const WEIGHTS = writeParameters([{ name: 'a', type: 5, dims: [64, 64] }, { name: 'b', type: 5, dims: [64] }]);

async function skeletonOf(content: Uint8Array) {
  const failed = { main: { path: 'zorgblat.json', file: new Blob([content as BlobPart]) }, files: [], messages: [] };
  const made = await paddleSkeleton(failed, new Anonymous(new Set(), new Set()));
  return 'files' in made ? made.files : [{ path: made.name, content: made.content }];
}

function converted(files: readonly { path: string; content: Uint8Array }[]): string {
  const folder = temporaryFolder();
  for (const { path, content } of files) writeFileSync(join(folder, path), content);
  return nativeFiles(join(folder, files[0]!.path)).xml;
}
const types = (xml: string) => [...xml.matchAll(/<layer [^>]*type="(\w+)"/g)].map(([, type]) => type).filter((type) => type !== 'Const' && type !== 'Parameter' && type !== 'Convert').sort();

it('has no names, no weights and no paths of the code', async () => {
  const files = await skeletonOf(model());
  expect(files.map(({ path }) => path)).toEqual(['skeleton.json', 'skeleton.pdiparams']);
  for (const { content } of files) for (const secret of SECRETS) expect(Buffer.from(content).includes(secret)).toBe(false);
  expect(files[1]!.content.length).toBeLessThan(400);
});

it('converts to the same layers, with inputs for large weights', async () => {
  const own = converted([{ path: 'm.json', content: model() }, { path: 'm.pdiparams', content: WEIGHTS }]), made = converted(await skeletonOf(model()));
  expect(types(made)).toEqual(types(own));
  expect(made.match(/type="Parameter"/g)).toHaveLength(2);
});

it('fails as the model does', async () => {
  const unknown = op('1.frobnicate', [6], 7), output = op('1.fetch', [7], 98, [text('name', 'fnordic'), { N: 'col', AT: { '#': '0.a_i32', D: 1 } }]);
  const files = await skeletonOf(model(unknown, output));
  expect(() => converted(files)).toThrow(/MO2001.*frobnicate/);
});

it('is refused where the JSON is no program', async () => {
  await expect(skeletonOf(new TextEncoder().encode('{"nodes": []}'))).rejects.toMatchObject({ messages: [{ code: 'MO1012' }] });
  await expect(skeletonOf(new TextEncoder().encode('{"nodes": ['))).rejects.toMatchObject({ messages: [{ code: 'MO1012' }] });
});
