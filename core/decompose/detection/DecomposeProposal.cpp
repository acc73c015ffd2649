// Before: y = Proposal(scores, deltas, image [1, n] or [1, n, 1…])
// After:  y = Proposal(scores, deltas, Reshape(image, [n])); of more than four numbers the first three
// Conditions: the shape of `image` is known and has one row of at least three numbers.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeProposal final : public Decomposition {
 public:
  Names ops() const override { return {"Proposal"}; }

  bool applies(const Node& node) const override {
    if (!node.has_in(2)) return false;
    const PartialShape& image = node.source(2).tensor().shape;
    return image.rank() >= 2 && image.is_static() && image[0] == 1 && image[1].min >= 3 &&
           image.elements() == Interval(image[1].min);
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    OutPort image = node.source(2);
    const int64_t numbers = image.tensor().shape[1].min;
    if (numbers > 4 && image.tensor().shape.rank() > 2) image = b.reshape(image, {1, numbers});
    if (numbers > 4) image = b.op("Slice", {image, b.i64({0}), b.i64({3}), b.i64({1}), b.i64({1})});
    const OutPort flat = b.reshape(image, {numbers > 4 ? 3 : numbers});
    Node& proposal = b.node("Proposal", {node.source(0), node.source(1), flat}, node.attributes, 2);
    return {proposal.out(0), proposal.out(1)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeProposal)
}  // namespace mo
