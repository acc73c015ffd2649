// Before: y = Cube(x), a custom operation of the model's author
// After:  y = (x * x) * x
// Conditions: none.
import { FrontReplacementOp, ops, renameNodes } from '@mo/wasm/extension';

export class CubeToMultiply extends FrontReplacementOp {
  static op = 'Cube';
  static enabled = true;

  replaceOp(graph, node) {
    const x = node.inPort(0).getSource();
    const square = ops.create(graph, 'Mul', { name: `${node.name}/square` }, [x, x]);
    const cube = ops.create(graph, 'Mul', { name: `${node.name}/cube` }, [square, x]);
    // The result keeps the name that users know.
    const name = node.name;
    renameNodes([[node, `${name}/TBR`], [cube, name]]);
    return cube;
  }
}
