/** Extensions and configurations for programs of PaddlePaddle, in the package, and natively with the same bytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert } from '../../dist/library/node/node.js';
import { field, fixed, concat } from '../../web/skeleton/wire.js';
import { folder, type Files } from './extension_support.js';
import { operator, program, variable } from './paddle_writer.js';
import { nativeFiles, temporaryFolder } from './support.js';

const float = (name: string, value: number) => concat([field(1, name), field(2, 1), fixed(4, new Uint8Array(new Float32Array([value]).buffer))]);

/** relu(my_shrink(x)) with an operator that nobody knows. */
const shrunk = program(
  variable('x', [-1, 4]), variable('y', []), variable('z', []),
  operator('my_shrink', { Data: 'x' }, 'y', float('limit', 0.25)), operator('relu', { X: 'y' }, 'z'),
);
const extractor: Files = { 'front/paddle/shrink.js': `import { FrontExtractorOp, log, ops } from '@mo/wasm/extension';
export class Shrink extends FrontExtractorOp {
  static op = 'my_shrink';
  static enabled = true;
  static extract(node) {
    log.warn('Probe=' + JSON.stringify([node.pb.attribute('limit'), node.pb.field('inputs.0.parameter'), node.pb.field('attrs.0.name'), node.graph.framework]));
    ops.updateNodeStat('Shrink', node, { lambd: node.pb.attribute('limit'), bias: 0 });
    return true;
  }
}` };

test('an extractor of front/paddle/ reads the operator, natively and in Node with the same bytes', async () => {
  const path = join(temporaryFolder(), 'm.pdmodel');
  writeFileSync(path, shrunk);
  await expect(convert(path)).rejects.toMatchObject({ messages: [{ code: 'MO2001', op: 'my_shrink', node: 'y' }] });
  const extensions = folder(extractor);
  const { xml, bin, warnings } = await convert(path, { extensions });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=[0.25,"Data","limit","paddle"]')]);
  expect(nativeFiles(path, ['--extensions', extensions, '--compress_to_fp16=False'], 'm').xml.replace('mo-native', 'mo-wasm')).toBe(xml.replace('mo-native', 'mo-wasm'));
});

test('J-02 configurations and transformations run for programs', async () => {
  const path = join(temporaryFolder(), 'm.pdmodel');
  writeFileSync(path, program(variable('x', [-1, 4]), variable('y', []), operator('relu', { X: 'x' }, 'y')));
  const files: Files = { 'front/paddle/a.js': `import * as mo from '@mo/wasm/extension';
export class A extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'Mine';
  transformGraph(graph, given) { mo.log.warn('Probe=' + JSON.stringify([graph.framework, given])); } }
export class B extends mo.FrontReplacementOp { static op = 'ReLU'; static enabled = true;
  replaceOp(graph, node) { const tanh = mo.ops.create(graph, 'Tanh', { name: node.name + '/tanh' }); node.inPort(0).getSource().connect(tanh.inPort(0)); return tanh; } }` };
  const { xml, bin, warnings } = await convert(path, {
    extensions: files, transformations_config: JSON.stringify([{ id: 'Mine', match_kind: 'general', custom_attributes: { classes: 20 } }]),
  });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=["paddle",{"classes":20}]')]);
  expect(Array.from(xml.matchAll(/<layer [^>]*type="(\w+)"/g), ([, type]) => type)).toEqual(['Parameter', 'Tanh', 'Result']);
});
