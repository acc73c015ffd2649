// Before and after: the same graph
// Conditions: the conversion fails if a node depends on its own result.
import { log, MiddleReplacementPattern, MoError } from '@mo/wasm/extension';

export class CheckForLoops extends MiddleReplacementPattern {
  static enabled = true;
  static runAfter = ['PartialInfer'];
  static runBefore = ['CheckForCycle'];

  findAndReplacePattern(graph) {
    const done = new Set();
    for (const start of graph.getOpNodes()) {
      // Depth-first search without recursion: a model may be deeper than the call stack.
      const path = new Set();
      const stack = [[start, false]];
      while (stack.length > 0) {
        const [node, leaving] = stack.pop();
        if (leaving) {
          path.delete(node);
          done.add(node);
        } else if (path.has(node)) {
          throw new MoError(`${node.name} depends on its own result`, { node });
        } else if (!done.has(node)) {
          path.add(node);
          stack.push([node, true]);
          for (const port of node.outPorts().values()) for (const to of port.getDestinations()) stack.push([to.node, false]);
        }
      }
    }
    log.info(`${done.size} operations, none of which depends on itself`);
  }
}
