// Before: Concat(MemoryOffset(x) {t: -2}, MemoryOffset(x) {t: -1}, x)
// After:  w = Splice(x) {frames: 3}; Concat(columns of w, columns of w, x)
// Conditions: none. All delays of one tensor share a window, the oldest frame first.

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/front/kaldi/time/states.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class ReplaceMemoryOffsetNodePattern final : public MiddleReplacementPattern {
 public:
  Names run_before() const override {
    return {"ReplaceMemoryOffsetWithMemoryNodePattern", "RemoveMemoryDuplicationPattern", "RemoveUselessCropsPattern",
            "AddSelectBeforeMemoryNodePattern", "MiddleFinish"};
  }

  void find_and_replace_pattern(Graph& graph) override {
    std::map<std::pair<int, int>, std::vector<Node*>> by_source;
    for (Node* node : graph.nodes("MemoryOffset"))
      if (node->has_in(0)) by_source[{node->source(0).node().id(), node->source(0).index()}].push_back(node);
    for (const auto& entry : by_source) replace(graph, entry.second);
  }

 private:
  static void replace(Graph& graph, const std::vector<Node*>& offsets) {
    const OutPort x = offsets[0]->source(0);
    int64_t most = 0;
    for (const Node* offset : offsets) most = std::max(most, -offset->get_int("t"));
    at_node(*offsets[0], [&] {
      const kaldi::FrameSizes sizes(x);
      if (most < 1 || most >= INT32_MAX) throw Error(Code::UnsupportedForm, msg("a state of ", most, " frames"));
      Builder b(x.node());
      const OutPort window =
          b.op("Splice", {x}, {{"frames", most + 1}, {"from_first", offsets[0]->get_bool("from_first")}});
      for (Node* offset : offsets) {
        const int64_t first = (most + offset->get_int("t")) * sizes.dim;
        const OutPort frame = kaldi::columns_of(b, window, first, first + sizes.dim);
        offset->out(0).connection().set_source(frame);
      }
    });
    graph.remove(offsets);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceMemoryOffsetNodePattern)
}  // namespace mo
