// Before: product = beta * x; y = x / (1 + exp(-product))
// After:  y = Swish(x, beta)
// Conditions: 1 and beta are constants of one element, and both x are the same tensor.
import { FrontReplacementSubgraph, ops, renameNodes } from '@mo/wasm/extension';

function isOne(value) {
  const elements = value?.get({ asNumbers: true }) ?? [];
  return elements.length === 1 && elements[0] === 1;
}

export class FuseSwish extends FrontReplacementSubgraph {
  static enabled = true;
  static forceCleanUp = true;

  pattern() {
    return {
      nodes: {
        product: { op: 'Mul' },
        negative: { op: 'Negative' },
        exp: { op: 'Exp' },
        one: { op: 'Const', value: isOne },
        sum: { op: 'Add' },
        quotient: { op: 'Div' },
      },
      edges: [
        ['product', 'negative'],
        ['negative', 'exp'],
        ['exp', 'sum'],
        ['one', 'sum'],
        ['sum', 'quotient', { in: 1 }],
      ],
    };
  }

  replaceSubGraph(graph, { product, quotient }) {
    const x = quotient.inPort(0).getSource();
    const at = product.inPort(0).getSource() === x ? 0 : 1;
    const beta = product.inPort(1 - at).getSource();
    if (product.inPort(at).getSource() !== x || beta.node.get('value')?.get().length !== 1) return;
    // Swish needs a scalar; in the model the number may have more dimensions.
    const scalar = ops.constant(graph, beta.node.get('value').reshape([]), { name: `${quotient.name}/beta` });
    const swish = ops.create(graph, 'Swish', { name: `${quotient.name}/swish` }, [x, scalar]);
    quotient.outPort(0).getConnection()?.setSource(swish.outPort(0));
    const name = quotient.name;
    renameNodes([[quotient, `${name}/TBR`], [swish, name]]);
  }
}
