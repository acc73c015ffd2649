// Before: y = Take(data, indices) {axis}
// After:  y = Gather(data, indices, axis), where axis is a scalar constant
// Conditions: none.
import { BackReplacementPattern, ops, renameNodes, tensor } from '@mo/wasm/extension';

export class TakeToGather extends BackReplacementPattern {
  static enabled = true;

  findAndReplacePattern(graph) {
    for (const take of graph.getOpNodes({ op: 'Take' })) {
      const { name } = take;
      const axis = tensor('i64', [], [BigInt(take.get('axis'))]);
      const gather = ops.createWithConstInputs(graph, 'Gather', { 2: axis }, { name: `${name}/Gather` });
      for (const index of [0, 1]) take.inPort(index).getConnection().setDestination(gather.inPort(index));
      take.outPort(0).getConnection().setSource(gather.outPort(0));
      renameNodes([[take, `${name}/TBR`], [gather, name]]);
      // Without inputs it could not be inferred.
      graph.removeNode(take);
    }
  }
}
