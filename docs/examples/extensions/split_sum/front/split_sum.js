// Before: y = SplitSum(x) {axis, parts}
// After:  y = the sum of all outputs of Split(x, axis)
// Conditions: none.
import { FrontReplacementOp, ops, renameNodes, tensor } from '@mo/wasm/extension';

export class SplitSumToAdd extends FrontReplacementOp {
  static op = 'SplitSum';
  static enabled = true;

  replaceOp(graph, node) {
    const { name } = node;
    const parts = Number(node.pb.attribute('parts'));
    const axis = tensor('i64', [], [BigInt(node.pb.attribute('axis', 0))]);
    const split = ops.createWithConstInputs(graph, 'Split', { 1: axis }, { name: `${name}/Split`, num_splits: parts }, node.inPort(0).getSource());
    let sum = split.outPort(0);
    for (let part = 1; part < parts; part++)
      sum = ops.create(graph, 'Add', { name: `${name}/Add_${part}` }, [sum, split.outPort(part)]).outPort(0);
    renameNodes([[node, `${name}/TBR`], [sum.node, name]]);
    return sum;
  }
}
