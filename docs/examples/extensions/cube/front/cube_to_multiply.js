// Before: y = Cube(x), an operation that nobody but the model's author knows
// After:  y = (x * x) * x
// Conditions: none; every Cube of the model is rewritten.
import { FrontReplacementOp, ops, renameNodes } from '@mo/wasm/extension';

export class CubeToMultiply extends FrontReplacementOp {
  static op = 'Cube';
  static enabled = true;

  replaceOp(graph, node) {
    const x = node.inPort(0).getSource();
    const square = ops.create(graph, 'Mul', { name: `${node.name}/square` }, [x, x]);
    const cube = ops.create(graph, 'Mul', { name: `${node.name}/cube` }, [square, x]);
    // Consumers and users know the result by the old name.
    const name = node.name;
    renameNodes([[node, `${name}/TBR`], [cube, name]]);
    return cube;
  }
}
