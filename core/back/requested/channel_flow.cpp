#include "core/back/requested/channel_flow.h"

namespace mo {
namespace {

constexpr struct {
  Flow flow;
  std::string_view ops;
} kFlows[] = {
    {Flow::ZeroOfZero,
     " ReLU Tanh Elu Selu HSwish Swish Mish Gelu SoftSign Abs Negative Sqrt Erf Cast MaxPool AvgPool "},
    {Flow::Pointwise, " Sigmoid HSigmoid HardSigmoid SoftPlus Exp "},
    {Flow::Clamp, " AttributedClamp "},
    {Flow::Slope, " PReLU "},
    {Flow::Sum, " Add Sub Maximum Minimum "},
    {Flow::Product, " Mul "},
    {Flow::Weights, " Convolution ConvolutionBackpropData "},
    {Flow::Depthwise, " GroupConvolution "},
    {Flow::MatMul, " MatMul "},
    {Flow::Reduce, " ReduceMean ReduceSum ReduceMax ReduceMin "},
    {Flow::Concat, " Concat "},
    {Flow::Reshape, " Reshape Squeeze Unsqueeze "},
    {Flow::Transpose, " Transpose "},
    {Flow::Pad, " Pad "},
    {Flow::Resize, " Interpolate "},
};

}  // namespace

std::optional<Flow> flow_of(Node& node) {
  if (node.out_count() > 1 && !node.out(1).disconnected()) return std::nullopt;
  const std::string word = cat(" ", node.op(), " ");
  for (const auto& row : kFlows)
    if (row.ops.find(word) != row.ops.npos) return row.flow;
  return std::nullopt;
}

}  // namespace mo
