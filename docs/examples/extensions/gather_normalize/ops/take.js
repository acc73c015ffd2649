// Take: elements of data at indices along an axis, which is an attribute. It has no IR type, so it must be replaced.
import { Op } from '@mo/wasm/extension';

export class Take extends Op {
  static op = 'Take';
  static inPortsCount = 2;
  static outPortsCount = 1;
  static defaults = { axis: 0 };

  static infer(node) {
    const [data, indices] = [0, 1].map((index) => node.inPort(index).data.getShape());
    const axis = Number(node.get('axis'));
    node.outPort(0).data.setShape([...data.slice(0, axis), ...indices, ...data.slice(axis + 1)]);
  }
}
