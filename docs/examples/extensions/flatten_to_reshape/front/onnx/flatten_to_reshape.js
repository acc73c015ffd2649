// Before: y = FlattenONNX(x) {axis}
// After:  axis 0: y = Reshape(x, [1, -1]); axis 1: y = Reshape(x, [0, -1]), where 0 copies;
//         else: y = Reshape(x, Concat(ReduceProd(the first `axis` sizes of ShapeOf(x)), -1))
// Conditions: none. In the last form the sizes are computed from the input, so the IR can be reshaped.
import { FrontReplacementOp, int64Array, ops, renameNodes } from '@mo/wasm/extension';

export class FlattenToReshape extends FrontReplacementOp {
  static op = 'FlattenONNX';
  static enabled = true;

  replaceOp(graph, node) {
    const { name } = node;
    const x = node.inPort(0).getSource();
    const axis = Number(node.get('axis', 1));
    const shape = axis === 0 || axis === 1
      ? ops.constant(graph, int64Array([axis === 0 ? 1 : 0, -1]), { name: `${name}/shape` })
      : this.computedShape(graph, name, x, axis);
    const reshape = ops.create(graph, 'Reshape', { name: `${name}/reshape`, special_zero: true }, [x, shape]);
    renameNodes([[node, `${name}/TBR`], [reshape, name]]);
    return reshape;
  }

  /** A negative axis counts from the end, for the slice as for Flatten. */
  computedShape(graph, name, x, axis) {
    const sizes = ops.create(graph, 'ShapeOf', { name: `${name}/ShapeOf` }, [x]);
    const first = ops.createWithConstInputs(graph, 'StridedSlice',
      { 1: int64Array([0]), 2: int64Array([axis]), 3: int64Array([1]) },
      { name: `${name}/first`, begin_mask: [0], end_mask: [0], new_axis_mask: [0], shrink_axis_mask: [0], ellipsis_mask: [0] }, sizes);
    const rows = ops.createWithConstInputs(graph, 'ReduceProd', { 1: int64Array([0]) }, { name: `${name}/rows`, keep_dims: true }, first);
    const rest = ops.constant(graph, int64Array([-1]), { name: `${name}/rest` });
    return ops.create(graph, 'Concat', { name: `${name}/shape`, axis: 0 }, [rows, rest]);
  }
}
