// Before: several Transposes of one tensor with the same order
// After:  the first of them, with the consumers and tensor names of all
// Conditions: the order is constant. A later one that gives an output of the model is kept, because the output has its
// name.

#include <algorithm>
#include <map>

#include "core/back/transpose_order.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MergeEqualTransposes final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"FuseTransposesSequence"}; }
  Names run_before() const override { return {"TransposeOfFactor", "BackFinish"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::map<std::pair<int, int>, std::map<Ints, Node*>> kept;  // by source and order
    for (Node* node : graph.nodes("Transpose")) {
      const auto order = transpose_order(*node);
      if (!order) continue;
      const OutPort source = node->source(0);
      Node*& first = kept[{source.node().id(), source.index()}].try_emplace(*order, node).first->second;
      if (first == node || gives_output(*node)) continue;
      node->out(0).connection().set_source(*first, TensorNames::Merge);
      graph.remove(*node);
    }
  }

 private:
  static bool gives_output(Node& node) {
    const std::vector<InPort> readers = node.out(0).destinations();
    return std::any_of(readers.begin(), readers.end(), [](const InPort& r) { return r.node().op() == "Result"; });
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MergeEqualTransposes)
}  // namespace mo
