/** Symbols of MXNet. */

type Node = { op: string; name: string; attrs?: Readonly<Record<string, string>>; inputs: number[][] };

const symbol = (nodes: readonly Node[]): string => JSON.stringify({
  nodes, arg_nodes: nodes.flatMap(({ op }, index) => (op === 'null' ? [index] : [])), heads: [[nodes.length - 1, 0, 0]], attrs: { mxnet_version: ['int', 10901] },
});

/** One custom operation: that of the guide. */
export function customProposal(): string {
  const inputs = ([['scores', '(1, 6, 4, 5)'], ['deltas', '(1, 12, 4, 5)'], ['image', '(1, 3)']] as const).map(([name, shape]): Node => ({ op: 'null', name, attrs: { __shape__: shape }, inputs: [] }));
  const attrs = {
    op_type: 'multi_proposal_target', feat_stride: '16', scales: '(8,)', ratios: '(0.5, 1, 2)', rpn_min_size: '4', threshold: '0.7', rpn_pre_nms_top_n: '20', rpn_post_nms_top_n: '8',
  };
  return symbol([...inputs, { op: 'Custom', name: 'proposals', attrs, inputs: [[0, 0, 0], [1, 0, 0], [2, 0, 0]] }]);
}
