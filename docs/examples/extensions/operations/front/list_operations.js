// Before and after: the same graph
// Logs the number of ports of operations. ops.classByName() and ops.create() know those of extensions, too.
import { FrontReplacementPattern, log, MoError, ops } from '@mo/wasm/extension';

const NAMES = ['Const', 'Parameter', 'Result', 'Split', 'Concat', 'Squeeze', 'Unsqueeze', 'ReLU', 'Mul', 'Tanh', 'SoftPlus', 'Mish',
  'ShapeOf', 'ReduceProd', 'Reshape', 'Gather', 'Transpose', 'TopK'];

export class ListOperations extends FrontReplacementPattern {
  static enabled = true;

  findAndReplacePattern(graph) {
    for (const name of NAMES) {
      const Operation = ops.classByName(name);
      if (!Operation) throw new MoError(`there is no operation ${name}`);
      const node = new Operation(graph, { name: `list/${name}` }).createNode();
      log.info(`${name} ${node.get('version')}: ${node.inPorts().size} in, ${node.outPorts().size} out`);
      graph.removeNode(node);
    }
  }
}
