// Before: TimeFailover(x, otherwise) {calls: [7]}
// After:  Select(inferences >= 7, x, otherwise), where inferences is a state that counts them
// Before: TimeRound(x) {modulus: 3, phase: 1}
// After:  Select(inferences mod 3 = 1, x, what it gave in the last inference, which is a state)
// Before: TimeAt(x) {call: 7}
// After:  Select(inferences = 7, x, what it gave in the last inference)
// Before: TimeSwitch(x0, x1) {phase: 1}
// After:  Select(inferences mod 2 = 0, x1, x0)
// Conditions: none. What can always be computed has no Select.
//
// Until its context is full, a tensor is rubbish, which must not get into a state that lasts.

#include "core/base/text.h"
#include "core/front/kaldi/time/states.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class AddSelectBeforeMemoryNodePattern final : public MiddleReplacementPattern {
 public:
  Names run_after() const override {
    return {"ReplaceMemoryOffsetWithMemoryNodePattern", "MergeNeighborSplicePattern", "MiddleStart"};
  }
  Names run_before() const override { return {"ReplaceSpliceNodePattern", "MiddleFinish"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    kaldi::InferenceCounter counter(graph);
    for (Node* node : graph.nodes_of({"TimeFailover", "TimeAt", "TimeRound", "TimeSwitch"}))
      at_node(*node, [&] {
        const OutPort made = replacement(*node, counter);
        node->out(0).connection().set_source(made);
        graph.remove(*node);
      });
  }

 private:
  static OutPort replacement(Node& node, kaldi::InferenceCounter& counter) {
    Builder b(node);
    const OutPort x = node.source(0);
    if (node.op() == "TimeFailover") {
      const Ints calls = node.get_ints("calls", {0});
      return calls == Ints{0} ? x : b.op("Select", {counter.is_from(calls), x, node.source(1)});
    }
    if (node.op() == "TimeAt") return node.has("call") ? held(b, node, counter.is_call(node.get_int("call"))) : x;
    if (node.op() == "TimeRound") return held(b, node, counter.is_turn(node.get_int("modulus"), node.get_int("phase")));
    const int64_t count = node.in_count(), phase = node.get_int("phase");
    OutPort out = x;
    for (int i = 1; i < count; ++i)
      out = b.op("Select", {counter.is_turn(count, (phase + i) % count), node.source(i), out});
    return out;
  }

  /// x in the inferences for which the condition holds, and else what it was then.
  static OutPort held(Builder& b, Node& node, OutPort condition) {
    const kaldi::FrameSizes sizes(node.out(0));
    const OutPort before = kaldi::read_variable(b, node.name(), sizes, sizes.dim);
    const OutPort now = b.op("Select", {condition, node.source(0), before});
    kaldi::assign_variable(b, node.name(), now);
    return now;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(AddSelectBeforeMemoryNodePattern)
}  // namespace mo
