// EraseNoOps
//   Before: y = NoOp(x), an operation that has no effect
//   After:  x instead of y
// EraseStandaloneConsts
//   Before: a constant that nothing uses
//   After:  nothing
import { FrontReplacementPattern, FrontReplacementSubgraph } from '@mo/wasm/extension';

export class EraseNoOps extends FrontReplacementSubgraph {
  static enabled = true;
  static runBefore = ['NoOpEraser', 'FrontFinish'];

  pattern() {
    return { nodes: { noop: { op: 'NoOp' } }, edges: [] };
  }

  replaceSubGraph(graph, { noop }) {
    const source = noop.isInPortConnected(0) ? noop.inPort(0).getSource() : null;
    if (source) noop.outPort(0).getConnection()?.setSource(source);
    graph.removeNode(noop);
  }
}

export class EraseStandaloneConsts extends FrontReplacementPattern {
  static enabled = true;
  static runAfter = [EraseNoOps];
  static runBefore = ['StandaloneConstEraser', 'FrontFinish'];

  findAndReplacePattern(graph) {
    graph.removeNodes(graph.getOpNodes({ op: 'Const' }).filter((constant) => !constant.isOutPortConnected(0)));
  }
}
