// Before: y = Gemm(A, B, C) {alpha, beta, transA, transB}
// After:  y = MatMul(A, B) {transpose_a, transpose_b} [* alpha] [+ C [* beta]]
// Conditions: A and B have two dimensions, as far as their ranks are known. An integer Gemm must have alpha and beta
// of 1.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeGemm final : public Decomposition {
 public:
  Names ops() const override { return {"Gemm"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (const int i : {0, 1})
      if (const PartialShape& shape = node.source(i).tensor().shape; shape.has_rank() && shape.rank() != 2)
        throw Error(Code::RankMismatch, msg("input ", i, " has shape [", to_string(shape), "], want 2 dimensions"));
    OutPort y = b.op("MatMul", {node.source(0), node.source(1)},
                     {{"transpose_a", node.get_bool("transA")}, {"transpose_b", node.get_bool("transB")}});
    y = scaled(b, y, node.get_float("alpha"));
    if (node.has_in(2)) y = b.op("Add", {y, scaled(b, node.source(2), node.get_float("beta"))});
    return {y};
  }

 private:
  static OutPort scaled(Builder& b, OutPort x, double factor) {
    if (factor == 1) return x;
    if (!is_float(x.tensor().type)) throw Error(Code::UnsupportedForm, "alpha or beta other than 1 for integers");
    return b.op("Mul", {x, b.scalar_like(x, factor)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeGemm)
}  // namespace mo
