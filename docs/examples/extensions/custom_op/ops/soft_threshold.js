// SoftThreshold (operation set "my_opset"): y = sign(x) * max(abs(x) - threshold, 0), in the shape of x.
// The runtime needs its own implementation: the IR only contains the operation and its attributes.
import { Op } from '@mo/wasm/extension';

export class SoftThreshold extends Op {
  static op = 'SoftThreshold';
  static type = 'SoftThreshold';
  static version = 'my_opset';
  static inPortsCount = 1;
  static outPortsCount = 1;
  static defaults = { threshold: 0.5, mode: 'soft' };

  static backendAttrs() {
    return [
      'threshold',
      ['shrink-mode', 'mode'],
      ['rank', (node) => node.inPort(0).data.getShape()?.length],
    ];
  }

  static infer(node) {
    node.outPort(0).data.setShape(node.inPort(0).data.getShape());
  }

  static typeInfer(node) {
    node.outPort(0).data.setType(node.inPort(0).data.getType());
  }
}
