// Before: y = Normalize(x) {eps}
// After:  y = NormalizeL2(x, [1]) {eps, eps_mode}
// Conditions: none. The full name for switches is normalize_l2.back.normalize_to_l2.NormalizeToL2.
import { BackReplacementPattern, int64Array, ops, renameNodes } from '@mo/wasm/extension';

const tensor = { kind: 'data' };

export class NormalizeToL2 extends BackReplacementPattern {
  static enabled = true;
  static id = 'to_normalize_l2';

  pattern() {
    return {
      nodes: { input: tensor, normalize: { kind: 'op', op: 'Normalize' }, output: tensor },
      edges: [['input', 'normalize'], ['normalize', 'output']],
    };
  }

  replacePattern(graph, { normalize }) {
    const { name } = normalize;
    const l2 = ops.createWithConstInputs(graph, 'NormalizeL2', { 1: int64Array([1]) },
      { name: `${name}/l2`, eps: normalize.get('eps'), eps_mode: 'add' }, normalize.inPort(0).getSource());
    normalize.outPort(0).getConnection().setSource(l2.outPort(0));
    renameNodes([[normalize, `${name}/TBR`], [l2, name]]);
  }
}
