// Before: y = OneHotONNX(indices, depth, [off, on]) {axis}
// After:  y = OneHot(indices, those below 0 counted from depth on, depth, on, off) {axis}
// Before: y = Hardmax(x) {axis}; up to operator set 12 all dimensions from axis on are one
// After:  y = OneHot(the index of the first maximum along the axis) {axis}
// Conditions: none.

#include "core/decompose/shaping.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOneHot final : public Decomposition {
 public:
  Names ops() const override { return {"OneHotONNX", "Hardmax"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    return {node.op() == "Hardmax" ? hardmax(b, node) : one_hot(b, node)};
  }

 private:
  static OutPort one_hot(Builder& b, const Node& node) {
    const OutPort depth = to_i64_scalar(b, node.source(1)), values = node.source(2);
    const OutPort indices = from_front(b, b.convert(node.source(0), ElementType::I64), depth);
    const auto value = [&](int64_t i) { return b.gather(values, b.i64_scalar(i), 0); };
    const OutPort off = value(0), on = value(1);
    return b.op("OneHot", {indices, depth, on, off}, {{"axis", node.get_int("axis", -1)}});
  }

  static OutPort hardmax(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    if (onnx::opset(node) >= 13) return first_maximum(b, x, node.get_int("axis", -1));
    const OutPort flat = flattened(b, x, node.get_int("axis", 1));
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
