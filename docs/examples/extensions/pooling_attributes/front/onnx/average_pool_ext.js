// Reads ONNX's AveragePool as AverageWindow: ONNX lists only spatial axes, the operation all axes.
// Conditions: explicit pads, and sizes rounded down. Other forms are left to the built-in extractor.
import { FrontExtractorOp, onnxAttr } from '@mo/wasm/extension';
import { AverageWindow } from '../../ops/average_window.js';

export class AveragePoolExtractor extends FrontExtractorOp {
  static op = 'AveragePool';
  static enabled = true;

  static extract(node) {
    if (onnxAttr(node, 'auto_pad', 's', 'NOTSET') !== 'NOTSET' || onnxAttr(node, 'ceil_mode', 'i', 0)) return false;
    const numbers = (name, otherwise) => onnxAttr(node, name, 'ints', otherwise).map(Number);
    const kernel = numbers('kernel_shape');
    const axes = kernel.map((_, index) => index);
    const pads = numbers('pads', [...axes, ...axes].fill(0));
    AverageWindow.updateNodeStat(node, {
      window: [1, 1, ...kernel],
      stride: [1, 1, ...numbers('strides', axes.map(() => 1))],
      pad: [[0, 0], [0, 0], ...axes.map((axis) => [pads[axis], pads[axis + axes.length]])],
      spatial_dims: axes.map((axis) => axis + 2),
      exclude_pad: !onnxAttr(node, 'count_include_pad', 'i', 0),
    });
    return this.enabled;
  }
}
