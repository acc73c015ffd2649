// Before: y = Pack(x0, …, xn) {axis}
// After:  y = Concat(Unsqueeze(x0, axis), …, Unsqueeze(xn, axis)) {axis}
// Conditions: none.
import { FrontReplacementOp, int64Array, ops, renameNodes } from '@mo/wasm/extension';

export class PackToConcat extends FrontReplacementOp {
  static op = 'Pack';
  static enabled = true;

  replaceOp(graph, node) {
    const { name } = node;
    const axis = Number(node.pb.attribute('axis', 0));
    const concat = ops.create(graph, 'Concat', { name: `${name}/Concat`, axis, in_ports_count: node.inPorts().size });
    for (const [index, port] of node.inPorts()) {
      const unsqueeze = ops.createWithConstInputs(graph, 'Unsqueeze', { 1: int64Array([axis]) }, { name: `${name}/Unsqueeze` });
      port.getConnection().setDestination(unsqueeze.inPort(0));
      unsqueeze.outPort(0).connect(concat.inPort(index));
    }
    renameNodes([[node, `${name}/TBR`], [concat, name]]);
    return concat;
  }
}
