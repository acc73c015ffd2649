// Before: y = OneHotONNX(indices, depth, [off, on]) {axis}
// After:  y = OneHot(indices, with negative ones counted from depth, depth, on, off) {axis}
// Before: y = Hardmax(x) {axis}, HardmaxONNX(x) {axis}: treats all dimensions from axis on as one
// After:  y = OneHot(the index of the first maximum along the axis) {axis}
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOneHot final : public Decomposition {
 public:
  Names ops() const override { return {"OneHotONNX", "Hardmax", "HardmaxONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    return {node.op() == "OneHotONNX" ? one_hot(b, node) : hardmax(b, node)};
  }

 private:
  static OutPort one_hot(Builder& b, const Node& node) {
    const OutPort depth = to_i64_scalar(b, node.source(1)), values = node.source(2);
    const OutPort indices = from_front(b, b.convert(node.source(0), ElementType::I64), depth);
    const auto value = [&](int64_t i) { return b.gather(values, b.i64_scalar(i), 0); };
    const OutPort off = value(0), on = value(1);
    return b.op("OneHot", {indices, depth, on, off}, {{"axis", node.get_int("axis")}});
  }

  static OutPort hardmax(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    const int64_t axis = node.get_int("axis");
    if (node.op() == "Hardmax") return first_maximum(b, x, axis);
    const OutPort flat = flattened(b, x, axis);
    return b.op("Reshape", {first_maximum(b, flat, 1), b.shape_of(x)}, {{"special_zero", false}});
  }

  static OutPort first_maximum(Builder& b, OutPort x, int64_t axis) {
    Node& top = b.node("TopK", {x, b.i64_scalar(1)},
                       {{"axis", axis},
                        {"mode", "max"},
                        {"sort", "value"},
                        {"index_element_type", ElementType::I64},
                        {"stable", true}},
                       2);
    const OutPort place = b.squeeze(top.out(1), {axis}), depth = dimension_of(b, x, axis);
    const OutPort on = b.scalar_like(x, 1), off = b.scalar_like(x, 0);
    return b.op("OneHot", {place, depth, on, off}, {{"axis", axis}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeOneHot)
}  // namespace mo
