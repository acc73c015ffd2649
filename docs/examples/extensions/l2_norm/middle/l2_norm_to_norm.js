// Before: y = x / Maximum(Sqrt(ReduceSum(Pow(x, 2), axes)), eps)
// After:  y = NormalizeL2(x, axes) {eps * eps, eps_mode = max}
// Conditions: the 2 and eps are constants of one element, the sum keeps its dimensions, and both x are the same tensor.
import { MiddleReplacementPattern, ops, renameNodes } from '@mo/wasm/extension';

const data = { kind: 'data' };
const only = (tensor) => (tensor?.get().length === 1 ? Number(tensor.get()[0]) : undefined);

export class L2Norm extends MiddleReplacementPattern {
  static enabled = true;
  static runAfter = ['PartialInfer'];
  static runBefore = ['L2NormToNorm'];

  pattern() {
    return {
      nodes: {
        x: data,
        square: { kind: 'op', op: 'Pow' }, square_data: data,
        sum: { kind: 'op', op: 'ReduceSum' }, sum_data: data,
        sqrt: { kind: 'op', op: 'Sqrt' }, sqrt_data: data,
        maximum: { kind: 'op', op: 'Maximum' }, maximum_data: data,
        quotient: { kind: 'op', op: 'Div' },
      },
      edges: [
        ['x', 'square', { in: 0 }], ['square', 'square_data'],
        ['square_data', 'sum', { in: 0 }], ['sum', 'sum_data'],
        ['sum_data', 'sqrt'], ['sqrt', 'sqrt_data'],
        ['sqrt_data', 'maximum'], ['maximum', 'maximum_data'],
        ['maximum_data', 'quotient', { in: 1 }], ['x', 'quotient', { in: 0 }],
      ],
    };
  }

  replacePattern(graph, { square, sum, sqrt, maximum, quotient }) {
    const at = maximum.inPort(0).getSource() === sqrt.outPort(0) ? 1 : 0;
    const eps = only(maximum.inPort(at).data.getValue());
    const exponent = only(square.inPort(1).data.getValue());
    if (exponent !== 2 || eps === undefined || !sum.get('keep_dims')) return;
    const { name } = quotient;
    const inputs = [quotient.inPort(0).getSource(), sum.inPort(1).getSource()];
    const norm = ops.create(graph, 'NormalizeL2', { name: `${name}/norm`, eps: eps * eps, eps_mode: 'max' }, inputs);
    quotient.outPort(0).getConnection().setSource(norm.outPort(0));
    renameNodes([[quotient, `${name}/TBR`], [norm, name]]);
  }
}
