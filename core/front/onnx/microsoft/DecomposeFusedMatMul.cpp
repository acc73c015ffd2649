// Before: y = FusedMatMul(a, b) {alpha, transA, transB}                      of the domain com.microsoft
// After:  y = MatMul(a, b) {transpose_a, transpose_b} [* alpha]
// Before: y = FusedGemm(a, b, c) {alpha, beta, transA, transB, activation, activation_alpha, …}
//         y = GemmFastGelu(a, b, c)
// After:  y = activation(Gemm(a, b, c)), FastGelu(MatMul(a, b), c)
// Conditions: transBatchA and transBatchB are 0.

#include "core/decompose/constants.h"
#include "core/decompose/nested.h"
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
    for (const char* key : {"transBatchA", "transBatchB"})
      if (node.get_bool(key)) throw Error(Code::UnsupportedForm, msg(key));
    const OutPort y = b.op("MatMul", {node.source(0), node.source(1)},
                           {{"transpose_a", node.get_bool("transA")}, {"transpose_b", node.get_bool("transB")}});
    if (node.op() == "GemmFastGelu") return decomposed(b, "FastGelu", {y, node.source(2)}, {});
    const double alpha = node.get_float("alpha");
    return {alpha == 1 ? y : b.op("Mul", {y, splat_like(b, y, {}, alpha)})};
  }

 private:
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
