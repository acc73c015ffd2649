// Reads the operation SoftThreshold {lambd} of TensorFlow as the operation of that name.
import { FrontExtractorOp } from '@mo/wasm/extension';
import { SoftThreshold } from '../../ops/soft_threshold.js';

export class SoftThresholdTfExtractor extends FrontExtractorOp {
  static op = 'SoftThreshold';
  static enabled = true;

  static extract(node) {
    SoftThreshold.updateNodeStat(node, { threshold: node.pb.attr['lambd']?.f ?? 0.5 });
    return this.enabled;
  }
}
