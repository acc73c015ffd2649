// Operations of com.microsoft whose channels are the last dimension
// Before: y = GroupNorm(x, gamma, beta) {groups, epsilon, activation, channels_last}
//         y, sum = SkipGroupNorm(x, gamma, beta, skip, bias)
// After:  sum = x + skip + bias;  y = GroupNormalization(sum) [, Swish], between Transposes
// Before: y = NhwcMaxPool(x), NhwcConv(x, W, bias) {…}: W is [outputs, height, width, inputs]
//         y = NhwcFusedConv(x, W, bias, z) {activation, …}: W is [outputs, inputs, height, width]
//         y = FusedQLinearConv(x, …, W, …, bias) {channels_last, …}: the same (QLinearConv of com.microsoft)
// After:  MaxPool, Convolution, FusedConv, QLinearConv between Transposes
// Conditions: the rank of x is known.

#include "core/decompose/control/nested.h"
#include "core/decompose/spatial/filter.h"
#include "core/front/onnx/microsoft/channels.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

using onnx::channels_first;
using onnx::channels_last;

class DecomposeChannelsLast final : public Decomposition {
 public:
  Names ops() const override {
    return {"GroupNorm", "SkipGroupNorm", "NhwcMaxPool", "NhwcConv", "NhwcFusedConv", "FusedQLinearConv"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    if (node.op() == "GroupNorm" || node.op() == "SkipGroupNorm") return group_norm(b, node);
    if (node.op() == "FusedQLinearConv") return {linear_conv(b, node)};
    const OutPort x = node.source(0), first = channels_first(b, x);
    Attributes attributes = node.attributes;
    OutPort y;
    if (node.op() == "NhwcMaxPool") {
      attributes.set("pool_method", std::string("max"));
      y = decomposed(b, "Pooling", {first}, attributes)[0];
    } else {
      require_input(node, 1);
      attributes.set("group", node.get_int("group", 1));
      const bool fused = node.op() == "NhwcFusedConv";
      const OutPort weights = fused ? node.source(1) : outputs_and_inputs_first(b, node.source(1));
      const OutPort added = node.has_in(3) ? channels_first(b, node.source(3)) : OutPort();
      y = decomposed(b, fused ? "FusedConv" : "Conv", {first, weights, node.source(2), added}, attributes)[0];
    }
    return {channels_last(b, y, x.tensor().shape.rank())};
  }

 private:
  /// [outputs, …, inputs] in IR's order.
  static OutPort outputs_and_inputs_first(Builder& b, OutPort weights) {
    const int rank = weights.tensor().shape.rank();
    if (rank < 3) throw Error(Code::UnsupportedForm, "weights of unknown rank or without spatial dimensions");
    return turned_weights(b, weights, FilterOrder("O*I", static_cast<size_t>(rank) - 2).to_ir(false));
  }

  /// The Transposes are those of integers.
  static OutPort linear_conv(Builder& b, const Node& node) {
    const bool last = node.get_bool("channels_last");
    std::vector<OutPort> inputs;
    for (int i = 0; i < node.in_count(); ++i) inputs.push_back(node.source(i));
    const int rank = inputs[0].tensor().shape.rank();
    if (last) inputs[0] = channels_first(b, inputs[0]);
    const OutPort y = decomposed(b, "QLinearConv", inputs, node.attributes)[0];
    return last ? channels_last(b, y, rank) : y;
  }

  static std::vector<OutPort> group_norm(Builder& b, Node& node) {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const int64_t groups = node.get_int("groups"), activation = node.get_int("activation");
    if (groups < 1 || activation < 0 || activation > 1)
      throw Error(Code::BadAttribute, msg("groups is ", groups, ", activation ", activation));
    const bool last = node.get_bool("channels_last", true);
    OutPort sum = node.source(0);
    const int rank = sum.tensor().shape.rank();
    if (node.op() == "SkipGroupNorm") {
      require_input(node, 3);
      if (!last) throw Error(Code::UnsupportedForm, "a skip of channels first");
      OutPort skip = node.source(3);
      if (skip.tensor().shape.rank() == 2) skip = b.unsqueeze(skip, {1, 2});
      sum = b.op("Add", {sum, skip});
      if (node.has_in(4)) sum = b.op("Add", {sum, node.source(4)});
    }
    OutPort y = b.op("GroupNormalization", {last ? channels_first(b, sum) : sum, node.source(1), node.source(2)},
                     {{"num_groups", groups}, {"epsilon", node.get_float("epsilon", 1e-5)}});
    if (activation == 1) y = b.op("Swish", {y});
    std::vector<OutPort> outputs{last ? channels_last(b, y, rank) : y, sum};
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeChannelsLast)
}  // namespace mo
