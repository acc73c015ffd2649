// Before: y = DynamicUpdateSlice(x, update, start)
// After:  y = ScatterUpdate(x, start, start + 1…, update, axis) where the update has all of x along the other axes;
//         the update where it has all of x; else DynamicUpdateOfElements
// Conditions: none.

#include "core/decompose/control/nested.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDynamicUpdateSlice final : public Decomposition {
 public:
  Names ops() const override { return {"DynamicUpdateSlice"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const OutPort x = node.source(0), update = node.source(1);
    const PartialShape &whole = x.tensor().shape, &part = update.tensor().shape;
    Ints axes;
    for (int i = 0; i < whole.rank() && whole.rank() == part.rank(); ++i) {
      const auto at = static_cast<size_t>(i);
      if (!whole[at].is_exact() || whole[at] != part[at]) axes.push_back(i);
    }
    if (whole.rank() < 0 || whole.rank() != part.rank() || axes.size() > 1)
      return decomposed(b, "DynamicUpdateOfElements", {x, update, node.source(2)}, {});
    if (axes.empty()) return {update};
    const OutPort starts = b.convert(node.source(2), ElementType::I64);
    const OutPort given = b.gather(starts, b.i64(axes), 0);
    const OutPort count = dimension_of(b, update, axes[0]);
    const OutPort most = b.op("Sub", {b.dims_of(x, axes), b.dims_of(update, axes)});
    const OutPort start = b.op("Maximum", {b.op("Minimum", {given, most}), b.i64_scalar(0)});
    const OutPort places = b.op("Add", {start, counted(b, count)});
    return {b.op("ScatterUpdate", {x, places, update, b.i64_scalar(axes[0])})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDynamicUpdateSlice)
}  // namespace mo
