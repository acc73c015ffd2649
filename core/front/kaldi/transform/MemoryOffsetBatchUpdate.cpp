// Before: MemoryOffset() {variable_id, dim}, in a network whose inputs are [8, dim]
// After:  the same {batch: 8}
// Conditions: the first dimension of an input is a known number other than 1: so many utterances at once.

#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class MemoryOffsetBatchUpdate final : public FrontReplacementPattern {
 public:
  Names run_after() const override { return {"MemoryOffsetAdjustment", "FrontStart"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::optional<int64_t> batch;
    for (const Node* input : graph.parameters) {
      const PartialShape* shape = input->attributes.get_if<PartialShape>("shape");
      if (!shape || shape->rank() < 1 || !(*shape)[0].is_exact()) continue;
      if (!batch || *batch == 1) batch = (*shape)[0].min;
    }
    if (!batch || *batch == 1) return;
    for (Node* node : graph.nodes("MemoryOffset"))
      if (!node->has_in(0)) node->set("batch", *batch);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MemoryOffsetBatchUpdate)
}  // namespace mo
