// Shaped: Reshape as a custom operation, with its complete inference.
// Inputs: data, and the wanted sizes. 0 copies the size of data; one size may be -1 and is computed.
import { MoError, Op } from '@mo/wasm/extension';

const product = (sizes) => sizes.reduce((all, size) => all * size, 1);
const isNumber = (size) => typeof size === 'number';

export class Shaped extends Op {
  static op = 'Shaped';
  static type = 'Reshape';
  static version = 'opset1';
  static inPortsCount = 2;
  static outPortsCount = 1;
  static defaults = { special_zero: true };

  static backendAttrs() {
    return ['special_zero'];
  }

  static infer(node) {
    const input = node.inPort(0).data;
    const wanted = node.inPort(1).data.getValue();
    if (!wanted) {
      // The sizes are not known; their number is the rank.
      const [rank] = node.inPort(1).data.getShape() ?? [];
      node.outPort(0).data.setShape(isNumber(rank) ? Array(rank).fill(null) : null);
      return;
    }
    const shape = this.resolve(node, input.getShape(), Array.from(wanted.get({ asNumbers: true })));
    const value = input.getValue();
    // Pass a known value on, so that values computed from it are known, too.
    if (value && shape.every(isNumber)) node.outPort(0).data.setValue(value.reshape(shape));
    else node.outPort(0).data.setShape(shape);
  }

  static resolve(node, input, wanted) {
    const sizes = wanted.map((size, axis) => (size === 0 ? input?.[axis] ?? null : size));
    const free = sizes.indexOf(-1);
    if (free !== sizes.lastIndexOf(-1)) throw new MoError(`[${wanted}] has more than one -1`, { node });
    const known = input !== null && input.every(isNumber) && sizes.every(isNumber);
    if (free < 0) {
      if (known && product(input) !== product(sizes)) throw new MoError(`[${input}] does not fit into [${wanted}]`, { node });
      return sizes;
    }
    const others = sizes.filter((_, axis) => axis !== free);
    if (known && product(input) % product(others) !== 0) throw new MoError(`[${input}] does not fit into [${wanted}]`, { node });
    return sizes.with(free, known && product(others) > 0 ? product(input) / product(others) : null);
  }
}
