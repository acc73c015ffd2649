// Before: y = Reshape(Transpose(Reshape(ReLU(x))))
// After:  y = ReLU(Reshape(Transpose(Reshape(x)))), so that ReLU is next to the following operation
// Conditions: the ReLU has no other consumer. Elements only move; their values do not change.
import { BackReplacementPattern } from '@mo/wasm/extension';

const tensor = { kind: 'data' };

export class ReluBehindShuffle extends BackReplacementPattern {
  static enabled = true;
  static runBefore = ['ShufflenetReLUReorder', 'BackFinish'];

  pattern() {
    return {
      nodes: {
        relu: { kind: 'op', op: 'ReLU' }, relu_data: tensor,
        split: { kind: 'op', op: 'Reshape' }, split_data: tensor,
        shuffle: { kind: 'op', op: 'Transpose' }, shuffle_data: tensor,
        join: { kind: 'op', op: 'Reshape' },
      },
      edges: [
        ['relu', 'relu_data'], ['relu_data', 'split', { in: 0 }],
        ['split', 'split_data'], ['split_data', 'shuffle', { in: 0 }],
        ['shuffle', 'shuffle_data'], ['shuffle_data', 'join', { in: 0 }],
      ],
    };
  }

  replacePattern(graph, { relu, split, join }) {
    if (relu.outPort(0).getDestinations().length > 1) return;
    // 'source': the names of ReLU's result do not go to its input, which is another tensor.
    split.inPort(0).setSource(relu.inPort(0).getSource(), 'source');
    // 'dest': the result of ReLU has the names of what its consumers read until now, and none of its own.
    join.outPort(0).getConnection().setSource(relu.outPort(0), 'dest');
    relu.inPort(0).disconnect();
    relu.inPort(0).connect(join.outPort(0));
  }
}
