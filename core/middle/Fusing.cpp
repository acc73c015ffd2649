// Before: Convolution(x, W) [+ b] * s [+ t]…       (also GroupConvolution and both BackpropData)
// After:  Convolution(x, W * s by output channel) + (b * s + t)
// Before: x * s + t * u…
// After:  x * s' + t'
// Conditions: factors and summands are constants with one number, or one per channel: along channel_dims of the
// convolution; for x along the channels of the graph's layout. Every tensor in between has one consumer. The weights
// are constants of f32 or f16; they stay places: the result is a recipe over them.

#include <algorithm>
#include <cmath>

#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr uint64_t kMaxFusedChannels = 1 << 16;

/// The numbers of an elementwise operand that is constant and varies only along `axis` of `data`; otherwise empty.
std::vector<double> channel_numbers(OutPort operand, const PartialShape& data, size_t axis, Files& files) {
  const Tensor& tensor = operand.tensor();
  if (!tensor.value || tensor.from_shape || !data.has_rank() || data.rank() < 2 || !is_float(tensor.type)) return {};
  const Shape& shape = tensor.value->shape;
  const size_t rank = data.dimensions().size();
  if (shape.size() > rank) return {};
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && (rank - shape.size() + i != axis || data[axis] != Dimension(shape[i]))) return {};
  const auto numbers = read_doubles(*tensor.value, files, kMaxFusedChannels);
  if (!numbers || !std::all_of(numbers->begin(), numbers->end(), [](double v) { return std::isfinite(v); })) return {};
  return *numbers;
}

/// y = x * scale + shift by channel, collected along a chain. A vector of one number applies to all channels.
struct ChannelChain {
  ChannelChain(OutPort start, size_t channel) : end(start), axis(channel) {}

  OutPort end;  ///< the output of the chain
  size_t axis;  ///< the channel axis
  std::vector<Node*> nodes;
  std::vector<double> scale{1}, shift{0};
  bool has_scale = false, has_shift = false;

  static void combine(std::vector<double>& a, const std::vector<double>& b, bool multiply) {
    if (a.size() < b.size()) a.resize(b.size(), a[0]);
    for (size_t i = 0; i < a.size(); ++i) {
      const double other = b.size() == 1 ? b[0] : b[i];
      a[i] = multiply ? a[i] * other : a[i] + other;
    }
  }

  /// Adds the node that `end` feeds at `input` if it scales or shifts by channel.
  bool take(Node& node, int input) {
    const std::string& op = node.op();
    const bool multiply = op == "Mul" || op == "Div", inverse = op == "Div" || op == "Sub";
    if ((!multiply && op != "Add" && op != "Sub") || (inverse && input != 0)) return false;
    if (node.in_count() != 2 || !node.get_bool("can_be_fused", true)) return false;
    const OutPort operand = node.source(1 - input);
    if (!operand || operand.tensor().type != end.tensor().type) return false;
    std::vector<double> numbers = channel_numbers(operand, end.tensor().shape, axis, node.graph().files());
    if (numbers.empty()) return false;
    if (inverse)
      for (double& v : numbers) v = multiply ? 1 / v : -v;
    if (multiply) combine(scale, numbers, true);
    combine(shift, numbers, multiply);
    has_scale |= multiply, has_shift |= !multiply;
    end = node.out(0);
    nodes.push_back(&node);
    return true;
  }
  /// Adds the following nodes as long as there is one consumer.
  void extend() {
    while (true) {
      const std::vector<InPort> consumers = end.destinations();
      if (consumers.size() != 1 || !take(consumers[0].node(), consumers[0].index())) return;
    }
  }
};

class Fusing final : public Transform {
 public:
  Names run_after() const override { return {"MiddleFinish"}; }
  Names run_before() const override { return {"PostMiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of(kConvolutions))
      if (!node->removed()) fuse_into_convolution(*node);
    for (Node* node : graph.nodes_of({"Mul", "Div", "Add", "Sub"}))
      if (!node->removed()) fuse_sequence(*node);
  }

 private:
  /// The weights with each output channel scaled; nullopt if no single axis of them is the output channels.
  static std::optional<Constant> scaled_weights(const Node& node, const Constant& weights,
                                                const std::vector<double>& scale) {
    const bool grouped = node.op().substr(0, 5) == "Group",
               transposed = node.op().find("Backprop") != std::string::npos;
    Shape flat = weights.shape;
    size_t axis = 0;
    if (grouped && (!transposed || flat[1] == 1)) {
      // In [G, O/G, …] and [G, 1, O/G, …] the first axes together are the output channels.
      const size_t per_group = transposed ? 2 : 1;
      flat[0] *= flat[per_group];
      flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(per_group));
    } else if (grouped) {
      if (flat[2] != 1) return std::nullopt;
    } else if (transposed) {
      axis = 1;
    }
    std::vector<float> factors(static_cast<size_t>(flat[axis]));
    if (scale.size() != 1 && scale.size() != factors.size()) return std::nullopt;
    for (size_t i = 0; i < factors.size(); ++i)
      factors[i] = static_cast<float>(scale.size() == 1 ? scale[0] : scale[i]);
    return reshape(scale_shift(reshape(weights, flat), axis, factors, {}), weights.shape);
  }

  static OutPort channel_constant(Builder& b, const std::vector<double>& numbers, size_t axis, OutPort like) {
    Shape shape(like.tensor().shape.dimensions().size(), 1);
    shape[axis] = static_cast<int64_t>(numbers.size());
    const Constant constant = make_f32(shape, {numbers.begin(), numbers.end()});
    return b.constant(like.tensor().type == ElementType::F32 ? constant : convert(constant, like.tensor().type));
  }

  /// Replaces the chain's output by `last`. The tensors before it are removed, with their names.
  static void finish(ChannelChain& chain, OutPort last) {
    chain.end.connection().set_source(last, TensorNames::Dest);
    for (Node* node : chain.nodes) node->graph().remove(*node);
  }

  static void fuse_into_convolution(Node& node) {
    const PartialShape& shape = node.out(0).tensor().shape;
    if (!shape.has_rank()) return;
    ChannelChain chain(node.out(0), spatial_dims(node, shape.dimensions().size()).channel);
    chain.extend();
    if (!chain.has_scale) return fuse(chain, node.out(0), chain.nodes.size() > 1);
    const auto& weights = node.source(1).tensor().value;
    if (!weights || (weights->type != ElementType::F32 && weights->type != ElementType::F16) ||
        weights->type != node.out(0).tensor().type)
      return;
    // The result may be compressed.
    if (weights->content->depth() + 1 >= Content::kMaxDepth) return;
    const auto scaled = scaled_weights(node, *weights, chain.scale);
    if (!scaled) return;
    node.in(1).connect(node.graph().constant(*scaled, node.source(1).node().name()).out(0));
    node.out(0).tensor().names.clear();
    chain.has_scale = false;
    fuse(chain, node.out(0), true);
  }

  static void fuse_sequence(Node& node) {
    for (int side = 0; side < 2; ++side) {
      const OutPort x = node.source(side);
      if (!x || x.tensor().value) continue;
      const PartialShape& shape = x.tensor().shape;
      if (!shape.has_rank()) continue;
      ChannelChain chain(x, channel_axis(node.graph(), shape.dimensions().size()));
      if (!chain.take(node, side)) continue;
      chain.extend();
      const bool worth_it =
          chain.nodes.size() > 2 || (chain.nodes.size() == 2 && (node.op() != "Mul" || !chain.has_shift));
      return fuse(chain, x, worth_it);
    }
  }

  /// Applies the rest of the chain after `x`.
  static void fuse(ChannelChain& chain, OutPort x, bool worth_it) {
    if (!worth_it) return;
    Builder b(chain.end.node());
    OutPort y = x;
    if (chain.has_scale) y = b.op("Mul", {y, channel_constant(b, chain.scale, chain.axis, x)});
    if (chain.has_shift) y = b.op("Add", {y, channel_constant(b, chain.shift, chain.axis, x)});
    finish(chain, y);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(Fusing)
}  // namespace mo
