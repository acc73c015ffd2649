// Before: y = FullyConnected(x, weights [out, in], bias); y = FullyConnectedOfAll(x, weights, bias)
// After:  y = MatMul(x as rows of `in` elements, weights) {transpose_b} [+ bias]; FullyConnectedOfAll keeps the
//         dimensions of x
// Conditions: none.

#include "core/base/text.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFullyConnected final : public Decomposition {
 public:
  Names ops() const override { return {"FullyConnected", "FullyConnectedOfAll"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    OutPort x = node.source(0);
    const OutPort weights = node.source(1);
    if (node.op() == "FullyConnected") x = in_rows(b, x, weights.tensor().shape);
    const OutPort y = b.matmul({x, weights}, true);
    return {node.has_in(2) ? b.op("Add", {y, node.source(2)}) : y};
  }

 private:
  static OutPort in_rows(Builder& b, OutPort x, const PartialShape& weights) {
    const PartialShape& shape = x.tensor().shape;
    if (weights.rank() != 2) throw Error(Code::RankMismatch, msg("the weights are [", to_string(weights), "]"));
    if (shape.rank() == 2 && shape[1].is_exact() && shape[1] == weights[1]) return x;
    if (weights[1].is_exact()) return b.reshape(x, {-1, weights[1].min}, false);
    throw Error(Code::UnsupportedForm, "weights of unknown shape");
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFullyConnected)
}  // namespace mo
