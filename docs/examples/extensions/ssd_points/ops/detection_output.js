// DetectionOutput (opset8): decodes boxes and applies non-maximum suppression.
// Inputs: encoded boxes [N, P * 4], scores [N, P * classes], priors [1, 1, P * 4].
// Output [1, 1, N * keep_top_k, 7]: image, class, score and the corners of each box.
import { Op } from '@mo/wasm/extension';

export class DetectionOutput extends Op {
  static op = 'DetectionOutput';
  static type = 'DetectionOutput';
  static version = 'opset8';
  static inPortsCount = 3;
  static outPortsCount = 1;
  static defaults = {
    background_label_id: 0, top_k: -1, keep_top_k: 4, variance_encoded_in_target: true, share_location: true, normalized: true,
    nms_threshold: 0.5, confidence_threshold: 0.1, clip_before_nms: false, clip_after_nms: false, decrease_label_id: false,
    input_height: 1, input_width: 1, objectness_score: 0,
  };

  static backendAttrs() {
    return ['code_type', ...Object.keys(this.defaults)];
  }

  static infer(node) {
    const batch = node.inPort(0).data.getShape()[0];
    const boxes = typeof batch === 'number' ? batch * node.get('keep_top_k') : null;
    node.outPort(0).data.setShape([1, 1, boxes, 7]);
  }
}
