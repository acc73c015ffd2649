// Before: y = FusedMatMul(a, b) {alpha, transA, transB, transBatchA, transBatchB}   of the domain com.microsoft
// After:  y = MatMul(a, b) {transpose_a, transpose_b} [* alpha]; with transBatchA, a's first dimension becomes the last
//         but one
// Before: y = FusedGemm(a, b, c) {alpha, beta, transA, transB, activation, activation_alpha, …}
//         y = GemmFastGelu(a, b, c)
// After:  y = activation(Gemm(a, b, c)), FastGelu(MatMul(a, b), c)
// Conditions: with transBatchA or transBatchB the rank is known.

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFusedMatMul final : public Decomposition {
 public:
  Names ops() const override { return {"FusedMatMul", "FusedGemm", "GemmFastGelu"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    if (node.op() == "FusedGemm") {
      const std::vector<OutPort> inputs{node.source(0), node.source(1), node.source(2)};
      return {activated(b, node, decomposed(b, "Gemm", inputs, node.attributes)[0])};
    }
    const OutPort first = factor(b, node, 0, "transBatchA"), second = factor(b, node, 1, "transBatchB");
    const OutPort y = b.op("MatMul", {first, second},
                           {{"transpose_a", node.get_bool("transA")}, {"transpose_b", node.get_bool("transB")}});
    if (node.op() == "GemmFastGelu") return decomposed(b, "FastGelu", {y, node.source(2)}, {});
    const double alpha = node.get_float("alpha");
    return {alpha == 1 ? y : b.op("Mul", {y, splat_like(b, y, {}, alpha)})};
  }

 private:
  static OutPort factor(Builder& b, const Node& node, int input, const char* moves_first) {
    const OutPort x = node.source(input);
    if (!node.get_bool(moves_first)) return x;
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, msg(moves_first, " of a tensor of unknown rank"));
    if (rank < 3) return x;
    Ints order;
    for (int64_t axis = 1; axis < rank - 1; ++axis) order.push_back(axis);
    order.push_back(0);
    order.push_back(rank - 1);
    return b.transpose(x, order);
  }

  static OutPort activated(Builder& b, const Node& node, OutPort y) {
    /// An activation's internal op and ONNX's default parameters.
    static const struct {
      const char *name, *op;
      double alpha, beta, gamma;
    } activations[] = {{"Relu", "ReLU", 0, 0, 0},
                       {"Sigmoid", "Sigmoid", 0, 0, 0},
                       {"Tanh", "Tanh", 0, 0, 0},
                       {"Softplus", "SoftPlus", 0, 0, 0},
                       {"Softsign", "SoftSign", 0, 0, 0},
                       {"Elu", "Elu", 1, 0, 0},
                       {"LeakyRelu", "LeakyReLU", 0.01, 0, 0},
                       {"ThresholdedRelu", "ThresholdedRelu", 1, 0, 0},
                       {"HardSigmoid", "AttributedHardSigmoid", 0.2, 0.5, 0},
                       {"Selu", "AttributedSelu", 1.6732631921768188, 0, 1.0507010221481323}};
    const std::string name = node.get_string("activation");
    if (name.empty()) return y;
    for (const auto& a : activations)
      if (name == a.name)
        return decomposed(b, a.op, {y},
                          {{"alpha", node.get_float("activation_alpha", a.alpha)},
                           {"beta", node.get_float("activation_beta", a.beta)},
                           {"gamma", node.get_float("activation_gamma", a.gamma)}})[0];
    throw Error(Code::UnsupportedForm, msg("the activation ", name));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFusedMatMul)
}  // namespace mo
