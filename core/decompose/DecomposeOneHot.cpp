// Before: y = OneHotONNX(indices, depth, [off, on]) {axis}
// After:  y = OneHot(indices, with negative ones counted from depth, depth, on, off) {axis}
//         on and off known at run time only: Select by OneHot of booleans
// Before: y = TFOneHot(indices, depth, on, off) {axis}
// After:  the same; negative indices are off
// Before: y = Hardmax(x) {axis}, HardmaxONNX(x) {axis}: treats all dimensions from axis on as one
// After:  y = OneHot(the index of the first maximum along the axis) {axis}
// Conditions: none.

#include "core/decompose/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOneHot final : public Decomposition {
 public:
  Names ops() const override { return {"OneHotONNX", "TFOneHot", "Hardmax", "HardmaxONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "TFOneHot") {
      // The runtime takes no indices of 8 bits.
      const OutPort indices = b.convert(node.source(0), ElementType::I64);
      return {one_hot(b, node, indices, node.source(1), node.source(2), node.source(3))};
    }
    return {node.op() == "OneHotONNX" ? one_hot(b, node) : hardmax(b, node)};
  }

 private:
  static OutPort one_hot(Builder& b, const Node& node) {
    const OutPort depth = to_i64_scalar(b, node.source(1)), values = node.source(2);
    const OutPort indices = from_front(b, b.convert(node.source(0), ElementType::I64), depth);
    const auto value = [&](int64_t i) { return b.gather(values, b.i64_scalar(i), 0); };
    const OutPort off = value(0), on = value(1);
    return one_hot(b, node, indices, depth, on, off);
  }

  static OutPort one_hot(Builder& b, const Node& node, OutPort indices, OutPort depth, OutPort on, OutPort off) {
    const auto made = [&](OutPort yes, OutPort no) {
      return b.op("OneHot", {indices, depth, yes, no}, {{"axis", node.get_int("axis")}});
    };
    if (on.tensor().value && off.tensor().value) return made(on, off);
    const OutPort yes = b.constant(make_scalar(ElementType::Bool, 1)),
                  no = b.constant(make_scalar(ElementType::Bool, 0));
    return b.op("Select", {made(yes, no), on, off});
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
