// Reads ONNX's Reshape into the operation Shaped, in place of the built-in extractor.
// Conditions: the sizes are an input, and allowzero is not set; others are left to the built-in one.
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
