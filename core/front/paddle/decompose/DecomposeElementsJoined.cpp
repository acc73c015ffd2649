// Before: y, sizes = ElementsJoined(x [count, dimensions of an element]) {axis, new_axis}
// After:  Transpose that brings axis 0 before that axis of the elements and, without new_axis, Reshape that joins both;
// the
//         size of each element along it, 1 for a new axis
// Conditions: the rank is known.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeElementsJoined final : public Decomposition {
 public:
  Names ops() const override { return {"ElementsJoined"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "elements of unknown rank");
    const bool is_new = node.get_bool("new_axis");
    const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), is_new ? rank : rank - 1));
    Ints order;
    for (int64_t i = 1; i < rank; ++i) order.push_back(i);
    order.insert(order.begin() + axis, 0);
    OutPort y = axis == 0 ? x : b.transpose(x, order);
    const OutPort size = is_new ? b.i64({1}) : b.dims_of(x, {axis + 1});
    if (!is_new) {
      const OutPort shape = b.shape_of(y);
      const auto part = [&](int64_t from, int64_t to) {
        return b.op("Slice", {shape, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({0})});
      };
      y = b.op("Reshape", {y, b.concat({part(0, axis), b.i64({-1}), part(axis + 2, rank)}, 0)},
               {{"special_zero", false}});
    }
    const OutPort sizes = b.op("Broadcast", {size, b.dims_of(x, {0})}, {{"mode", "numpy"}});
    return {y, b.convert(sizes, ElementType::I32)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeElementsJoined)
}  // namespace mo
