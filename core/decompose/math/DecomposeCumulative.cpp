// Before: y = CumSumONNX(x, axis) {exclusive, reverse}
// After:  y = CumSum(x, axis as a scalar) {exclusive, reverse}
// Before: y = CumProd(x, axis) {exclusive, reverse}
// After:  y = ReduceProd(Select(the elements along the axis that belong to the product, x, 1))
// Conditions: none. CumProd needs memory for the square of the axis.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCumulative final : public Decomposition {
 public:
  Names ops() const override { return {"CumSumONNX", "CumProd"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "CumProd") return {product(b, node)};
    return {b.op("CumSum", {node.source(0), to_scalar(b, node.source(1))},
                 {{"exclusive", node.get_bool("exclusive")}, {"reverse", node.get_bool("reverse")}})};
  }

 private:
  /// x is reshaped to [before the axis, the axis, after it], so that neither axis nor rank need be known.
  static OutPort product(Builder& b, const Node& node) {
    const OutPort x = node.source(0), shape = b.shape_of(x);
    const OutPort axis = b.reshape(b.convert(node.source(1), ElementType::I64), {1}, false);
    const OutPort at = from_front(b, axis, b.shape_of(shape)), behind = b.op("Add", {at, b.i64({1})});
    const auto part = [&](OutPort from, OutPort to) {
      return b.op("Slice", {shape, from, to, b.i64({1}), b.i64({0})});
    };
    const OutPort length = b.gather(shape, at, 0);
    const OutPort rows = b.reduce("ReduceProd", part(b.i64({0}), at), {0}, true);
    const OutPort columns = b.reduce("ReduceProd", part(behind, b.i64({INT64_MAX})), {0}, true);
    // [rows, result, element, columns]
    const OutPort spread =
        b.op("Reshape", {x, b.concat({rows, b.i64({1}), length, columns}, 0)}, {{"special_zero", false}});
    const OutPort places = counted(b, b.squeeze(length, {0}));
    const OutPort result = b.unsqueeze(places, {1, 2}), element = b.unsqueeze(places, {1});
    const bool reverse = node.get_bool("reverse"), exclusive = node.get_bool("exclusive");
    const OutPort earlier = reverse ? result : element, later = reverse ? element : result;
    const OutPort counts = b.op(exclusive ? "Less" : "LessEqual", {earlier, later});
    const OutPort product = b.reduce("ReduceProd", b.op("Select", {counts, spread, b.scalar_like(x, 1)}), {2}, false);
    return b.op("Reshape", {product, shape}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCumulative)
}  // namespace mo
