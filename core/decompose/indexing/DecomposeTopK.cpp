// Before: values, indices = TopKONNX(x [, k]) {axis, k, largest, sorted}
// After:  values, indices = TopK(x, k) {axis, mode, sort, stable}
// Before: y = ArgMax(x [, axis]), ArgMin(x [, axis]) {axis, keepdims, select_last_index}
// After:  y = the indices of TopK(x, 1) [without the axis]; for the last of equal elements, x is reversed first
// Conditions: the axis is known.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTopK final : public Decomposition {
 public:
  Names ops() const override { return {"TopKONNX", "ArgMax", "ArgMin"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() != "TopKONNX") return {arg(b, node)};
    const OutPort x = node.source(0);
    if (!node.has_in(1) && !node.has("k")) throw Error(Code::MissingInput, "k");
    const OutPort k = node.has_in(1) ? to_i64_scalar(b, node.source(1)) : b.i64_scalar(node.get_int("k"));
    Node& top = top_k(b, x, k, node.get_int("axis"), node.get_int("largest") != 0, node.get_int("sorted") != 0,
                      node.get_type("index_element_type", ElementType::I64));
    return {top.out(0), top.out(1)};
  }

 private:
  /// Of equal elements the one with the lower index comes first, as in ONNX.
  static Node& top_k(Builder& b, OutPort x, OutPort k, int64_t axis, bool largest, bool sorted,
                     ElementType index = ElementType::I64) {
    return b.node("TopK", {x, k},
                  {{"axis", axis},
                   {"mode", largest ? "max" : "min"},
                   {"sort", sorted ? "value" : "none"},
                   {"index_element_type", index},
                   {"stable", sorted}},
                  2);
  }

  static OutPort arg(Builder& b, const Node& node) {
    const auto given = node.has_in(1) ? node.source(1).tensor().exact_int() : node.get_int("axis");
    if (!given) throw Error(Code::UnsupportedForm, "an axis that is not known");
    const int64_t axis = *given;
    const bool last = node.get_bool("select_last_index");
    OutPort x = node.source(0);
    if (last) x = b.op("Slice", {x, b.i64({-1}), b.i64({INT64_MIN}), b.i64({-1}), b.i64({axis})});
    const ElementType type = node.get_type("output_type", ElementType::I64);
    const ElementType found = type == ElementType::I32 && !last ? type : ElementType::I64;
    OutPort index = top_k(b, x, b.i64_scalar(1), axis, node.op() == "ArgMax", true, found).out(1);
    if (last) index = b.op("Sub", {b.op("Sub", {dimension_of(b, x, axis), b.i64_scalar(1)}), index});
    if (node.get_int("keepdims") == 0) index = b.squeeze(index, {axis});
    return b.convert(index, type);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTopK)
}  // namespace mo
