// Before: y = MoE(x, routes, W1, bias1, W2, bias2, W3, bias3) {k, activation_type, normalize_routing_weights, …}
//         of the domain com.microsoft: W1 is [experts, inner, hidden], W2 [experts, hidden, inner], W3 as W1
// After:  weight = the k largest of SoftMax(routes), 0 elsewhere
//         h = activation(x * W1^T + bias1) [* (x * W3^T + bias3)];  y = ReduceSum((h * W2^T + bias2) * weight)
// Conditions: no sparse mixer. Every expert is computed, as IR chooses no weights at run time.

#include "core/decompose/math/constants.h"
#include "core/front/onnx/ml/scores.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMoE final : public Decomposition {
 public:
  Names ops() const override { return {"MoE"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (const int i : {0, 1, 2, 4}) require_input(node, i);
    if (node.get_bool("use_sparse_mixer")) throw Error(Code::UnsupportedForm, "use_sparse_mixer");
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank != 2 && rank != 3) throw Error(Code::UnsupportedForm, msg("tokens of rank ", rank));
    const PartialShape& weights = node.source(4).tensor().shape;
    if (weights.rank() != 3 || !weights[1].is_exact()) throw Error(Code::UnsupportedForm, "weights of unknown shape");
    const OutPort tokens = b.unsqueeze(rank == 3 ? b.reshape(x, {-1, weights[1].min}, false) : x, {0});
    OutPort inner = activated(b, node, layer(b, node, tokens, 2));
    if (node.has_in(6)) inner = b.op("Mul", {inner, layer(b, node, tokens, 6)});
    const OutPort each = layer(b, node, inner, 4);  // [experts, tokens, hidden]
    const OutPort share = b.unsqueeze(b.transpose(routed(b, node), {1, 0}), {2});
    const OutPort y = b.reduce("ReduceSum", b.op("Mul", {each, share}), {0}, false);
    return {rank == 3 ? b.op("Reshape", {y, b.shape_of(x)}, {{"special_zero", false}}) : y};
  }

 private:
  /// [experts, tokens, outputs]
  static OutPort layer(Builder& b, const Node& node, OutPort x, int weights) {
    const OutPort y = b.matmul({x, node.source(weights)}, true);
    return node.has_in(weights + 1) ? b.op("Add", {y, b.unsqueeze(node.source(weights + 1), {1})}) : y;
  }

  /// The weight of each expert for each token, [tokens, experts].
  static OutPort routed(Builder& b, const Node& node) {
    const OutPort all = b.op("SoftMax", {node.source(1)}, {{"axis", int64_t{1}}});
    const int64_t k = node.get_int("k");
    if (k < 1) throw Error(Code::BadAttribute, msg("k is ", k));
    Node& top = onnx::largest(b, all, k);
    OutPort chosen = top.out(0);
    if (node.get_bool("normalize_routing_weights"))
      chosen = b.op("Div", {chosen, b.reduce("ReduceSum", chosen, {1}, true)});
    const OutPort none = b.op("Broadcast", {b.scalar_like(all, 0), b.shape_of(all)}, {{"mode", "numpy"}});
    return b.op("ScatterElementsUpdate", {none, top.out(1), chosen, b.i64_scalar(1)});
  }

  static OutPort activated(Builder& b, const Node& node, OutPort x) {
    const std::string type = node.get_string("activation_type");
    if (type == "identity") return x;
    if (type == "relu") return b.op("ReLU", {x});
    if (type == "silu") return b.op("Swish", {x});
    if (type == "gelu") return b.op("Gelu", {x}, {{"approximation_mode", "TANH"}});
    if (type == "swiglu") return gated(b, node, x);
    throw Error(Code::BadAttribute, msg("activation_type is '", type, "'"));
  }

  /// gate * Sigmoid(alpha * gate) * (linear + beta). W1 holds both, interleaved or in halves.
  static OutPort gated(Builder& b, const Node& node, OutPort x) {
    const int64_t fusion = node.get_int("swiglu_fusion");
    if (fusion != 1 && fusion != 2) throw Error(Code::UnsupportedForm, msg("swiglu_fusion ", fusion));
    const bool neighbours = fusion == 1;
    Node& parts = b.node("Split", {neighbours ? b.reshape(x, {0, 0, -1, 2}) : x, b.i64_scalar(neighbours ? 3 : 2)},
                         {{"num_splits", int64_t{2}}}, 2);
    OutPort gate = neighbours ? b.squeeze(parts.out(0), {3}) : parts.out(0);
    OutPort linear = neighbours ? b.squeeze(parts.out(1), {3}) : parts.out(1);
    if (node.has("swiglu_limit")) {
      const double limit = node.get_float("swiglu_limit");
      gate = b.op("Minimum", {gate, b.scalar_like(gate, limit)});
      linear = b.op("AttributedClamp", {linear}, {{"min", -limit}, {"max", limit}});
    }
    const OutPort swish = b.op("Swish", {gate, b.scalar_like(gate, node.get_float("activation_alpha"))});
    return b.op("Mul", {swish, b.op("Add", {linear, b.scalar_like(linear, node.get_float("activation_beta"))})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMoE)
}  // namespace mo
