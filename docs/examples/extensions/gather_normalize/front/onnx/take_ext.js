// Reads the ONNX operation Take {axis}, of any domain.
import { FrontExtractorOp, onnxAttr } from '@mo/wasm/extension';
import { Take } from '../../ops/take.js';

export class TakeExtractor extends FrontExtractorOp {
  static op = 'Take';
  static enabled = true;

  static extract(node) {
    Take.updateNodeStat(node, { axis: onnxAttr(node, 'axis', 'i', 0) });
    return this.enabled;
  }
}
