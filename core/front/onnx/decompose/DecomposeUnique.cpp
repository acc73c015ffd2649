// Before: values, first, inverse, counts = UniqueONNX(x) {axis, sorted}
// After:  values, first, inverse, counts = Unique(x [, axis]) {sorted}
// Before: y = Compress(x, condition) {axis}
// After:  y = Gather(x, or x flattened, the positions where the condition is true, axis)
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeUnique final : public Decomposition {
 public:
  Names ops() const override { return {"UniqueONNX", "Compress"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "Compress") return {compress(b, node, x)};
    const Attributes attributes = {{"sorted", node.get_int("sorted") != 0},
                                   {"index_element_type", ElementType::I64},
                                   {"count_element_type", ElementType::I64}};
    Node& unique = node.has("axis") ? b.node("Unique", {x, b.i64_scalar(node.get_int("axis"))}, attributes, 4)
                                    : b.node("Unique", {x}, attributes, 4);
    return {unique.out(0), unique.out(1), unique.out(2), unique.out(3)};
  }

 private:
  static OutPort compress(Builder& b, const Node& node, OutPort x) {
    const OutPort places = b.op("NonZero", {node.source(1)}, {{"output_type", ElementType::I64}});
    const OutPort list = b.squeeze(places, {0});
    return node.has("axis") ? b.gather(x, list, node.get_int("axis")) : b.gather(b.reshape(x, {-1}, false), list, 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeUnique)
}  // namespace mo
