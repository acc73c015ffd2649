// Reads ONNX's Softmax {axis} of opset 13 and later as the class Softmax.
import { FrontExtractorOp, onnxAttr } from '@mo/wasm/extension';
import { Softmax } from '../../ops/softmax.js';

export class SoftmaxExtractor extends FrontExtractorOp {
  static op = 'Softmax';
  static enabled = true;

  static extract(node) {
    Softmax.updateNodeStat(node, { axis: onnxAttr(node, 'axis', 'i', -1) });
    return this.enabled;
  }
}
