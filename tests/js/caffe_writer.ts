/** Writes a small network of Caffe as text, and its weights. */
import { seeded } from './onnx_writer.js';
import { message, type Field } from './wire.js';

const [OUTPUTS, CHANNELS, KERNEL] = [4, 3, 3];

/** data [1,3,8,8] -> Convolution `conv` -> ReLU, in place -> Power, in the stage `deploy` only -> Softmax `prob`. */
export const caffeNetwork = `name: "net"
layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 1 dim: ${CHANNELS} dim: 8 dim: 8 } } }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv" convolution_param { num_output: ${OUTPUTS} kernel_size: ${KERNEL} } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "twice" type: "Power" bottom: "conv" top: "conv" power_param { scale: 2 } include { stage: "deploy" } }
layer { name: "prob" type: "Softmax" bottom: "conv" top: "prob" }
`;

/** The .caffemodel of caffeNetwork. */
export const caffeWeights: Uint8Array = message([
  [1, 'net'],
  [100, layerWith('conv', 'Convolution', [blob([OUTPUTS, CHANNELS, KERNEL, KERNEL], 1), blob([OUTPUTS], 2)])],
]);

function layerWith(name: string, type: string, blobs: readonly Uint8Array[]): Uint8Array {
  return message([[1, name], [2, type], ...blobs.map((content): Field => [7, content])]);
}

function blob(shape: readonly number[], seed: number): Uint8Array {
  const values = seeded(shape.reduce((product, size) => product * size, 1), seed);
  return message([[7, message(shape.map((size): Field => [1, size]))], [5, new Uint8Array(values.buffer)]]);
}

/** A mean image of 10 x 12 pixels. */
export const caffeMean: Uint8Array = message([
  [1, 1], [2, CHANNELS], [3, 10], [4, 12], [5, new Uint8Array(seeded(CHANNELS * 10 * 12, 3).buffer)],
]);

/** The documented sample of custom layers: 1 and 4 are standard layers, 2 and 5 extensions, 3 is in the mapping only. */
export const fiveLayers = `name: "five"
layer { name: "layer1" type: "Input" top: "one" input_param { shape { dim: 1 dim: 3 dim: 8 dim: 8 } } }
layer { name: "layer2" type: "Own2" bottom: "one" top: "two" own2_param { a: 1 b: 2 } }
layer { name: "layer3" type: "Mapped" bottom: "two" top: "three" mapped_param { a: 3 b: 4 } }
layer { name: "layer4" type: "Pooling" bottom: "three" top: "four" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "layer5" type: "Own5" bottom: "four" top: "five" own5_param { a: 5 b: 6 } }
`;
export const fiveMapping = `<CustomLayersMapping>
  <CustomLayer NativeType="Mapped" hasParam="true" protoParamName="mapped_param"/>
</CustomLayersMapping>
`;
const own = (kind: string, shape: string): string => `import { FrontExtractorOp, Op } from '@mo/wasm/extension';
export class ${kind} extends Op {
  static op = '${kind}'; static type = '${kind}';
  static infer(node) { const [n, c, h, w] = node.inPort(0).data.getShape(); node.outPort(0).data.setShape(${shape}); }
  static supportedAttrs() { return ['a']; }
}
export class ${kind}Extractor extends FrontExtractorOp {
  static op = '${kind}'; static enabled = true;
  static extract(node) { ${kind}.updateNodeStat(node, { a: node.pb.attribute('a') }); return true; }
}
`;
/** Its extensions, by their paths in their folder. */
export const fiveExtensions: Readonly<Record<string, string>> = {
  'front/caffe/own2.js': own('Own2', '[n, c, h, w]'),
  'front/caffe/own5.js': own('Own5', '[n, c]'),
  'front/caffe/shapes.js': `export function caffeShapeProvider(layer, [shape]) {
  if (layer.opType !== 'Mapped' || layer.attribute('a') !== 3) throw new Error(layer.opType);
  return [[shape[0], 6, shape[2], shape[3]]];
}
`,
};
