// Before: y = x * Tanh(SoftPlus(x)), in either order
// After:  y = Mish(x)
// Conditions: the factor x and the argument of SoftPlus are the same tensor.
import { FrontReplacementSubgraph, ops, renameNodes } from '@mo/wasm/extension';
import { FuseSoftplus } from './softplus_fusion.js';

export class FuseMish extends FrontReplacementSubgraph {
  static enabled = true;
  static runAfter = [FuseSoftplus];
  static runBefore = ['MishFusion', 'FrontFinish'];
  static forceCleanUp = true;

  pattern() {
    return {
      nodes: { mul: { op: 'Mul' }, tanh: { op: 'Tanh' }, softplus: { op: 'SoftPlus' } },
      edges: [['softplus', 'tanh'], ['tanh', 'mul']],
    };
  }

  replaceSubGraph(graph, { mul, tanh, softplus }) {
    const other = mul.inPort(0).getSource().node === tanh ? 1 : 0;
    const x = softplus.inPort(0).getSource();
    if (mul.inPort(other).getSource() !== x) return;

    const { name } = mul;
    const mish = ops.create(graph, 'Mish', { name: `${name}/mish` }, [x]);
    mul.outPort(0).getConnection()?.setSource(mish.outPort(0));
    renameNodes([[mul, `${name}/TBR`], [mish, name]]);
  }
}
