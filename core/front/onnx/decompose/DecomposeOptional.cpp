// Before: Optional, OptionalGetElement, OptionalHasElement
// After:  the value itself; a constant that says whether there is one
// Conditions: the value is a tensor or a sequence that disappears during conversion; it is known whether there is one.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOptional final : public Decomposition {
 public:
  Names ops() const override { return {"Optional", "OptionalGetElement", "OptionalHasElement"}; }
  /// An Optional without a value stays, so that its readers see that there is none.
  bool applies(const Node& node) const override { return node.op() != "Optional" || node.has_in(0); }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool there = node.has_in(0) && node.source(0).node().op() != "Optional";
    if (node.op() == "OptionalHasElement") return {b.constant(make_scalar(ElementType::Bool, there ? 1 : 0))};
    if (!there) throw Error(Code::BadValue, "an optional without a value is read");
    return {node.source(0)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeOptional)
}  // namespace mo
