// Reads the ONNX operation SoftThreshold {lambd} of any domain as the operation of that name.
import { FrontExtractorOp, onnxAttr } from '@mo/wasm/extension';
import { SoftThreshold } from '../../ops/soft_threshold.js';

export class SoftThresholdExtractor extends FrontExtractorOp {
  static op = 'SoftThreshold';
  static enabled = true;

  static extract(node) {
    SoftThreshold.updateNodeStat(node, { threshold: onnxAttr(node, 'lambd', 'f', 0.5) });
    return this.enabled;
  }
}
