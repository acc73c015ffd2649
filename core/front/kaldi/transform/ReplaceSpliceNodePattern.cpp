// Before: Splice(x) {frames: 3} -> y
// After:  v = ReadValue; Concat(v, x) -> y, and without its first frame -> Assign
// Conditions: none. What needs no newest frame reads v. With from_first, v is the first frame, repeated, in the first
// inference.

#include "core/base/text.h"
#include "core/front/kaldi/time/states.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class ReplaceSpliceNodePattern final : public MiddleReplacementPattern {
 public:
  Names run_after() const override {
    return {"MergeNeighborSplicePattern", "RemoveMemoryDuplicationPattern", "RemoveUselessCropsPattern", "MiddleStart"};
  }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    kaldi::InferenceCounter counter(graph);
    for (Node* node : graph.nodes("Splice")) {
      at_node(*node, [&] { replace(*node, counter); });
      graph.remove(*node);
    }
    kaldi::require_moderate_states(graph);
  }

 private:
  static void replace(Node& node, kaldi::InferenceCounter& counter) {
    const OutPort x = node.source(0);
    const kaldi::FrameSizes sizes(x);
    const int64_t kept = (node.get_int("frames") - 1) * sizes.dim;
    Builder b(node);
    const std::string id = node.name();
    OutPort state = kaldi::read_variable(b, id, sizes, kept);
    if (node.get_bool("from_first")) {
      const OutPort repeated = b.op("Tile", {x, b.i64({1, node.get_int("frames") - 1})});
      state = b.op("Select", {counter.is_call(0), repeated, state});
    }
    const bool is_short = node.get_int("frames") == 2;
    OutPort all;
    const auto window = [&] {
      if (!all) {
        all = b.concat({state, x}, 1);
        for (const std::string& name : node.out(0).tensor().names.all()) all.tensor().add_name(name);
      }
      return all;
    };
    for (const InPort& reader : node.out(0).destinations()) {
      Node& slice = reader.node();
      const auto end = slice.op() == "StridedSlice" ? slice.source(2).exact_ints() : std::nullopt;
      if (!end || end->size() != 2 || end->at(1) > kept) {
        reader.connect(window());
      } else if (is_short) {
        slice.out(0).connection().set_source(state);
      } else {
        reader.connect(state);
      }
    }
    // A runtime may spoil an input that is stored as it is, for all else that reads it.
    if (!all && is_short && x.node().op() != "Parameter") return kaldi::assign_variable(b, id, x);
    const OutPort joined = window();
    kaldi::assign_variable(b, id, kaldi::columns_of(b, joined, sizes.dim, kept + sizes.dim));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceSpliceNodePattern)
}  // namespace mo
