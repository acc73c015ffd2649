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
