// Before: y = FusedMatMul(a, b) {alpha, transA, transB}                      of the domain com.microsoft
// After:  y = MatMul(a, b) {transpose_a, transpose_b} [* alpha]
// Conditions: transBatchA and transBatchB are 0.

#include "core/front/onnx/constants.h"
#include "core/front/onnx/extractor.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeFusedMatMul final : public Decomposition {
 public:
  Names ops() const override { return {"FusedMatMul"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    onnx::require_input(node, 0);
    onnx::require_input(node, 1);
    for (const char* key : {"transBatchA", "transBatchB"})
      if (node.get_bool(key)) throw Error(Code::UnsupportedForm, key);
    const OutPort y = b.op("MatMul", {node.source(0), node.source(1)},
                           {{"transpose_a", node.get_bool("transA")}, {"transpose_b", node.get_bool("transB")}});
    const double alpha = node.get_float("alpha", 1);
    return {alpha == 1 ? y : b.op("Mul", {y, onnx::splat_like(b, y, {}, alpha)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFusedMatMul)
}  // namespace mo
