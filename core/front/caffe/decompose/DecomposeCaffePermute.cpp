// Before: y = CaffePermute(x) {order}
// After:  y = Transpose(x, [order, the axes that it does not name])
// Conditions: the rank of x is known.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCaffePermute final : public Decomposition {
 public:
  Names ops() const override { return {"CaffePermute"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int64_t rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "data of unknown rank");
    Ints order;
    const auto has = [&](int64_t axis) { return std::find(order.begin(), order.end(), axis) != order.end(); };
    for (const int64_t axis : node.get_ints("order")) {
      if (axis < 0 || axis >= rank || has(axis))
        throw Error(Code::BadAttribute, msg("order holds ", axis, " for data of ", rank, " dimensions, or twice"));
      order.push_back(axis);
    }
    for (int64_t axis = 0; axis < rank; ++axis)
      if (!has(axis)) order.push_back(axis);
    if (std::is_sorted(order.begin(), order.end())) return {x};
    return {b.transpose(x, order)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCaffePermute)
}  // namespace mo
