// RegionYolo (opset1): decodes a grid of boxes. Input [N, C, H, W]; output flattened from axis to end_axis with softmax,
// else [N, (classes + coords + 1) * number of masks, H, W].
import { Op } from '@mo/wasm/extension';

const product = (sizes) => (sizes.every((size) => typeof size === 'number') ? sizes.reduce((all, size) => all * size, 1) : null);

export class RegionYoloOp extends Op {
  static op = 'RegionYolo';
  static type = 'RegionYolo';
  static version = 'opset1';
  static inPortsCount = 1;
  static outPortsCount = 1;
  static defaults = { axis: 1, end_axis: -1, do_softmax: true, mask: [], anchors: [] };
  // Input and axes stay in this order when channels move from last to first.
  static layout = { '*': 'reshapes' };

  static backendAttrs() {
    return [
      'coords', 'classes', 'num', 'axis', 'end_axis',
      ['do_softmax', (node) => Boolean(node.get('do_softmax'))],
      ['mask', (node) => node.get('mask').join(',')],
      ['anchors', (node) => (node.get('anchors').length ? node.get('anchors').join(',') : null)],
    ];
  }

  static infer(node) {
    const shape = node.inPort(0).data.getShape();
    const [axis, end] = ['axis', 'end_axis'].map((name) => (node.get(name) + shape.length) % shape.length);
    const flat = [...shape.slice(0, axis), product(shape.slice(axis, end + 1)), ...shape.slice(end + 1)];
    const channels = (node.get('classes') + node.get('coords') + 1) * node.get('mask').length;
    node.outPort(0).data.setShape(node.get('do_softmax') ? flat : [shape[0], channels, ...shape.slice(2)]);
  }
}
