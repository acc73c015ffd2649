/** The initial numbers of ports of built-in operations, unless an attribute gives them. Others have one input. */
const INPUTS: readonly (readonly [count: number, ops: string])[] = [
  [0, 'Const Parameter'],
  [2, 'Add Sub Subtract Mul Multiply Div Divide Pow Power Mod FloorMod Maximum Minimum SquaredDifference Equal NotEqual ' +
      'Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr LogicalXor PReLU MatMul Reshape Transpose Squeeze Unsqueeze ' +
      'Broadcast Tile Split TopK Convolution ConvolutionBackpropData GroupConvolution GroupConvolutionBackpropData ' +
      'ConvertLike GatherND GatherElements ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ' +
      'ReduceLogicalAnd ReduceLogicalOr NormalizeL2 CumSum GridSample DFT IDFT AdaptiveAvgPool AdaptiveMaxPool ROIPooling ' +
      'PSROIPooling NonMaxSuppression ReverseSequence CTCGreedyDecoder'],
  [3, 'Select Gather Range Pad Interpolate VariadicSplit RandomUniform ScatterNDUpdate ScatterElementsUpdate ROIAlign RDFT IRDFT'],
  [4, 'OneHot StridedSlice ScatterUpdate'],
  [5, 'FakeQuantize BatchNormInference Slice'],
];
const OUTPUTS: Readonly<Record<string, number>> = { Result: 0, TopK: 2, NonMaxSuppression: 3, CTCGreedyDecoderSeqLen: 2 };

const inputs = new Map(INPUTS.flatMap(([count, ops]) => ops.split(' ').map((op) => [op, count] as const)));

export function inPortsOf(op: string): number {
  return inputs.get(op) ?? 1;
}

export function outPortsOf(op: string, attributes: Readonly<Record<string, unknown>>): number {
  return Object.hasOwn(OUTPUTS, op) ? OUTPUTS[op]! : Math.max(1, Number(attributes['num_splits']) || 1);
}
