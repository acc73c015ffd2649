// Before: y = Log(Exp(x) + 1)
// After:  y = SoftPlus(x)
// Conditions: the 1 is a constant 1.
import { FrontReplacementSubgraph, ops, renameNodes } from '@mo/wasm/extension';

function isOne(value) {
  const elements = value?.get({ asNumbers: true }) ?? [];
  return elements.length === 1 && elements[0] === 1;
}

export class FuseSoftplus extends FrontReplacementSubgraph {
  static enabled = true;
  static runBefore = ['SoftplusFusion', 'MishFusion', 'FrontFinish'];

  pattern() {
    return {
      nodes: { exp: { op: 'Exp' }, one: { op: 'Const', value: isOne }, sum: { op: 'Add' }, log: { op: 'Log' } },
      edges: [['exp', 'sum'], ['one', 'sum'], ['sum', 'log']],
    };
  }

  generateSubGraph(graph, { log }) {
    const { name } = log;
    const softplus = ops.create(graph, 'SoftPlus', { name: `${name}/softplus` });
    renameNodes([[log, `${name}/TBR`], [softplus, name]]);
    return { softplus };
  }

  inputEdgesMatch() {
    return [[['exp', 0], ['softplus', 0]]];
  }

  outputEdgesMatch() {
    return [[['log', 0], ['softplus', 0]]];
  }

  /** The other nodes may have more consumers; clean-up removes those that have none. */
  nodesToRemove(graph, { log }) {
    return [log];
  }
}
