// InceptionBlock (operation set "my_opset"): a whole block of convolution branches as one operation.
// Input [N, C, H, W]; output [N, channels, H, W].
import { Op } from '@mo/wasm/extension';

export class InceptionBlock extends Op {
  static op = 'InceptionBlock';
  static type = 'InceptionBlock';
  static version = 'my_opset';
  static inPortsCount = 1;
  static outPortsCount = 1;

  static backendAttrs() {
    return ['channels', 'attr1_key', 'attr2_key'];
  }

  static infer(node) {
    const [batch, , ...sides] = node.inPort(0).data.getShape();
    node.outPort(0).data.setShape([batch, node.get('channels'), ...sides]);
  }
}
