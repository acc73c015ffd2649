// SoftMax (opset1): exponents along an axis, divided by their sum; one input and one output of the same shape.
// The class replaces the built-in operation of that name.
import { Op } from '@mo/wasm/extension';

export class Softmax extends Op {
  static op = 'SoftMax';
  static enabled = false;
  static type = 'SoftMax';
  static version = 'opset1';
  static inPortsCount = 1;
  static outPortsCount = 1;
  static defaults = { axis: 1 };

  static supportedAttrs() {
    return ['axis'];
  }

  static infer(node) {
    const shape = node.inPort(0).data.getShape();
    const axis = Number(node.get('axis'));
    // In the IR an axis is counted from the front.
    if (axis < 0 && shape) node.set('axis', axis + shape.length);
    node.outPort(0).data.setShape(shape);
  }
}
