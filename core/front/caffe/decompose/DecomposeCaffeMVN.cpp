// Before: y = CaffeMVN(x) {begin, of_batch, eps…}
// After:  y = MVN(x, axes from `begin` on, and 0 with `of_batch`)
// Conditions: the rank of x is known. Without such axes each element is its own mean.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCaffeMVN final : public Decomposition {
 public:
  Names ops() const override { return {"CaffeMVN"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int64_t rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "data of unknown rank");
    Ints axes;
    if (node.get_bool("of_batch")) axes.push_back(0);
    for (int64_t axis = node.get_int("begin"); axis < rank; ++axis) axes.push_back(axis);
    if (axes.empty()) return {b.op("Sub", {x, x})};
    return {b.op("MVN", {x, b.i64(axes)},
                 {{"eps", node.get_float("eps")},
                  {"normalize_variance", node.get_bool("normalize_variance")},
                  {"eps_mode", node.get_string("eps_mode")}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCaffeMVN)
}  // namespace mo
