// Before: y = ReLU(x)
// After:  y = Mish(x)
// Conditions: none.
import { FrontReplacementOp, ops, renameNodes, type Graph, type Node } from '@mo/wasm/extension';

export class ReluToMish extends FrontReplacementOp {
  static override op = 'ReLU';
  static override enabled = true;

  override replaceOp(graph: Graph, node: Node): Node {
    const { name } = node;
    const source = node.inPort(0).getSource();
    const mish = ops.create(graph, 'Mish', { name: `${name}/mish` }, source ? [source] : []);
    renameNodes([[node, `${name}/TBR`], [mish, name]]);
    return mish;
  }
}
