/** Models of TensorFlow Lite in the package, and extensions for them. */
import { expect, test } from 'vitest';

import { convert, inspect, MoError, type Options } from '../../dist/library/node/node.js';
import { reports, transformation, typesIn, type Files } from './extension_support.js';
import { floats, liteModel, litePicture } from './tflite_writer.js';

async function converted(model: Uint8Array<ArrayBuffer>, files: Files = {}, options: Options = {}) {
  const { xml, bin, warnings } = await convert(model, { ...options, extensions: files });
  await bin.close();
  return { xml, warnings: warnings.map((warning) => warning.text) };
}

/** y = Scaled(x) + 1, a custom operator with a structure of three numbers as options. */
const custom = liteModel(
  [{ name: 'x', shape: [2, 3] }, { name: 'scaled', shape: [2, 3] }, { name: 'one', shape: [1], data: floats(1) }, { name: 'y', shape: [2, 3] }],
  [{ code: 32, custom: 'Scaled', inputs: [0], outputs: [1] }, { code: 0, inputs: [1, 2], outputs: [3], options: [11, { 0: { i8: 1 } }] }],
  [0],
  [3],
);

test('a picture is converted to NCHW, with the names of its tensors', async () => {
  const { xml } = await converted(litePicture());
  expect(typesIn(xml)).toEqual(expect.arrayContaining(['Parameter', 'Transpose', 'Convolution', 'ReduceMean', 'Result']));
  expect(xml).toContain('names="image"');
  expect(xml).toContain('names="means"');
});

test('its facts are known before it is converted', async () => {
  expect(await inspect(litePicture())).toMatchObject({ format: 'TensorFlow Lite', inputs: [{ name: 'image' }] });
});

test('a custom operator is refused with its name and the tensor that it makes', async () => {
  const error: unknown = await converted(custom).then(() => undefined, (thrown: unknown) => thrown);
  if (!(error instanceof MoError)) throw new Error('the conversion succeeded');
  expect(error.messages[0]).toMatchObject({ code: 'MO2001', text: expect.stringContaining('Scaled'), node: 'scaled' });
});

test('an extractor in front/tflite teaches a custom operator', async () => {
  const extractor = `import { FrontExtractorOp, ops } from '@mo/wasm/extension';
export class ScaledExtractor extends FrontExtractorOp { static op = 'Scaled'; static enabled = true;
  static extract(node) { ops.updateNodeStat('Tanh', node, {}); return true; } }`;
  const { xml } = await converted(custom, { 'front/tflite/scaled_ext.js': extractor });
  expect(typesIn(xml)).toEqual(expect.arrayContaining(['Parameter', 'Tanh', 'Add', 'ReLU', 'Result']));
});

test('a transformation of the front phase sees the options by the names of the schema', async () => {
  const probe = transformation('front', (graph) => {
    const node = graph.node['features']!;
    return [node.get('op'), node.pb!.framework, node.pb!.opType, node.get('strides')];
  });
  expect(reports(await converted(litePicture(), { 'front/tflite/probe.js': probe }))).toEqual([['Conv', 'tflite', 'CONV_2D', [2, 2]]]);
});
