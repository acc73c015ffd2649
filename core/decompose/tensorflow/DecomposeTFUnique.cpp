// Before: values, inverse, counts = TFUnique(x [, axis]) {index_element_type}
// After:  values, first, inverse, counts = Unique(x [, axis]) {sorted: false}
// Conditions: the axis is known.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFUnique final : public Decomposition {
 public:
  Names ops() const override { return {"TFUnique"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    std::vector<OutPort> inputs{node.source(0)};
    if (node.has_in(1)) {
      const auto axis = node.source(1).tensor().exact_ints();
      if (!axis || axis->size() > 1) throw Error(Code::UnsupportedForm, "an axis that is not known");
      if (!axis->empty()) inputs.push_back(b.i64_scalar(axis->front()));
    }
    const ElementType type = node.get_type("index_element_type");
    const Attributes attributes = {{"sorted", false}, {"index_element_type", type}, {"count_element_type", type}};
    Node& unique = b.node("Unique", inputs, attributes, 4);
    std::vector<OutPort> all{unique.out(0), unique.out(2), unique.out(3)};
    all.resize(static_cast<size_t>(node.out_count()));
    return all;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFUnique)
}  // namespace mo
