// Before: joined = Concat(a, b, …), y = Abs(joined); others read joined, too
// After:  joined = Concat(a, b, …), y = Concat(Abs(a), Abs(b), …)
// Conditions: one dimension, as far as it is known. A runtime moves Abs before the Concat for all its readers.

#include <map>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class AbsOfJoined final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"MergeEqualOperations"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::vector<Node*> waiting = graph.nodes("Abs");
    // What is joined may be joined of others in turn: each tensor gets one Abs.
    std::map<std::pair<int, int>, OutPort> made;
    while (!waiting.empty()) {
      Node& node = *waiting.back();
      waiting.pop_back();
      const OutPort joined = node.source(0);
      if (!joined || joined.node().op() != "Concat" || joined.reader_count() < 2) continue;
      if (const int rank = joined.tensor().shape.rank(); rank != 1 && rank != -1) continue;
      Builder b(node);
      std::vector<OutPort> parts;
      for (int i = 0; i < joined.node().in_count(); ++i) {
        const OutPort part = joined.node().source(i);
        OutPort& abs = made[key(part)];
        if (!abs) {
          abs = b.op("Abs", {part});
          waiting.push_back(&abs.node());
        }
        parts.push_back(abs);
      }
      const OutPort whole = b.op("Concat", parts, {{"axis", joined.node().get_int("axis")}});
      made[key(joined)] = whole;
      graph.replace(node, whole.node());
    }
  }

 private:
  static std::pair<int, int> key(const OutPort& port) { return {port.node().id(), port.index()}; }
};

}  // namespace
MO_DEFINE_TRANSFORM(AbsOfJoined)
}  // namespace mo
