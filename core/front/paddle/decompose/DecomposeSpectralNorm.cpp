// Before: y = SpectralNorm(W, u, v) {dim, steps, eps}
// After:  y = W / (u * M * v), where M is W as a matrix with rows along dim; before that in each step v becomes
//         M^T * u / norm, and u becomes M * v / norm
// Conditions: the rank of W is known.

#include <numeric>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSpectralNorm final : public Decomposition {
 public:
  Names ops() const override { return {"SpectralNorm"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort w = node.source(0);
    const int rank = w.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "weights of unknown rank");
    const size_t dim = normalize_axis(node.get_int("dim"), rank);
    Ints order(static_cast<size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(dim));
    order.insert(order.begin(), static_cast<int64_t>(dim));
    const OutPort matrix = b.reshape(dim == 0 ? w : b.transpose(w, order), {0, -1});
    OutPort row = b.reshape(node.source(1), {1, -1}, false), column = b.reshape(node.source(2), {1, -1}, false);
    const double eps = node.get_float("eps");
    for (int64_t i = 0; i < node.get_int("steps"); ++i) {
      column = unit(b, b.matmul({row, matrix}), eps);
      row = unit(b, b.matmul({column, matrix}, true), eps);
    }
    const OutPort sigma = b.reduce("ReduceSum", b.op("Mul", {row, b.matmul({column, matrix}, true)}), {0, 1}, false);
    return {b.op("Div", {w, sigma})};
  }

 private:
  static OutPort unit(Builder& b, OutPort x, double eps) {
    const OutPort norm = b.op("Sqrt", {b.reduce("ReduceSum", b.op("Mul", {x, x}), {1}, true)});
    return b.op("Div", {x, b.op("Add", {norm, b.scalar_like(norm, eps)})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSpectralNorm)
}  // namespace mo
