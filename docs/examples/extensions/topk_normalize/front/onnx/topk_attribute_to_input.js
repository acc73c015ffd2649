// Before: values, indices = TopKONNX(x) {k}, from models before opset 10
// After:  values, indices = TopKONNX(x, k) with a constant k
// Conditions: the operation has the attribute and no second input.
import { FrontReplacementPattern, int64Array, ops } from '@mo/wasm/extension';

export class TopKAttributeToInput extends FrontReplacementPattern {
  static enabled = true;

  pattern() {
    return { nodes: { topk: { op: 'TopKONNX', k: (k) => k !== undefined } }, edges: [] };
  }

  replacePattern(graph, { topk }) {
    if (topk.isInPortConnected(1)) return;
    const k = ops.constant(graph, int64Array([topk.get('k')]), { name: `${topk.name}/k` });
    if (!topk.inPorts().has(1)) topk.addInputPort(1);
    topk.inPort(1).connect(k.outPort(0));
    topk.delete('k');
  }
}
