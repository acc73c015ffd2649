// Normalize: data divided by the L2 norm of its channels; attribute eps. It has no IR type, so it must be replaced.
import { Op } from '@mo/wasm/extension';

export class Normalize extends Op {
  static op = 'Normalize';
  static inPortsCount = 1;
  static outPortsCount = 1;
  static enabled = true;
  static defaults = { eps: 1e-10 };

  static infer(node) {
    node.outPort(0).data.setShape(node.inPort(0).data.getShape());
  }
}
