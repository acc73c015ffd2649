// Before: y = AttributedSqueeze(x) {axes}, from models before opset 13
// After:  y = AttributedSqueeze(x, dims), where dims is a constant named <id>/Dims
// Conditions: there is no second input. If there is no attribute either, the conversion fails.
import { FrontReplacementPattern, int64Array, log, MoError, ops } from '@mo/wasm/extension';

export class SqueezeDimsToInput extends FrontReplacementPattern {
  static enabled = true;

  findAndReplacePattern(graph) {
    for (const squeeze of graph.getOpNodes({ op: 'AttributedSqueeze' })) {
      if (squeeze.isInPortConnected(1)) {
        log.debug(`${squeeze.name} has its dimensions as an input`);
      } else if (squeeze.hasValid('axes')) {
        const dims = ops.constant(graph, int64Array(squeeze.get('axes')), { name: `${squeeze.id}/Dims` });
        if (!squeeze.inPorts().has(1)) squeeze.addInputPort(1);
        squeeze.inPort(1).connect(dims.outPort(0));
        squeeze.delete('axes');
      } else {
        throw new MoError(`${squeeze.name} says nowhere which dimensions to squeeze`, { node: squeeze, hint: 'give it axes' });
      }
    }
  }
}
