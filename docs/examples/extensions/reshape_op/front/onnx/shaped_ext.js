// Reads ONNX's Reshape as the operation Shaped, instead of the built-in extractor.
// Conditions: the sizes are an input, and allowzero is not set. Other forms are left to the built-in extractor.
import { FrontExtractorOp, onnxAttr } from '@mo/wasm/extension';
import { Shaped } from '../../ops/shaped.js';

export class ShapedExtractor extends FrontExtractorOp {
  static op = 'Reshape';
  static enabled = true;

  static extract(node) {
    if (!node.isInPortConnected(1) || onnxAttr(node, 'allowzero', 'i', 0)) return false;
    Shaped.updateNodeStat(node);
    return this.enabled;
  }
}
