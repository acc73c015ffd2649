// Before: w = Splice(x); Concat(first frame of w, second frame of w, x)
// After:  w
// Before: Concat(first frame of w, second frame of w, y)
// After:  Concat(both frames of w, y)
// Conditions: the parts stand side by side in the window, in the same order; Concat is along the last axis.

#include "core/front/kaldi/time/states.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

/// A stretch of a window's columns.
struct Crop {
  Node* window = nullptr;
  int64_t from = 0, to = 0;
};

class RemoveUselessCropsPattern final : public MiddleReplacementPattern {
 public:
  Names run_after() const override {
    return {"ReplaceMemoryOffsetNodePattern", "MergeNeighborSplicePattern", "MiddleStart"};
  }
  Names run_before() const override { return {"ReplaceSpliceNodePattern", "MiddleFinish"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    windows_.assign(graph.ids(), {});
    for (Node* window : graph.nodes("Splice"))
      windows_[static_cast<size_t>(window->source(0).node().id())].push_back(window);
    for (Node* concat : graph.nodes("Concat")) {
      const PartialShape& shape = concat->out(0).tensor().shape;
      if (shape.rank() == 2 && (concat->get_int("axis") == 1 || concat->get_int("axis") == -1)) merge(*concat);
    }
  }

 private:
  void merge(Node& concat) {
    Builder b(concat);
    std::vector<OutPort> parts;
    bool any = false;
    Crop open;
    OutPort before;  // the only part of `open` so far
    const auto close = [&] {
      if (!open.window) return;
      parts.push_back(before ? before : stretch(b, open));
      open = {}, before = {};
    };
    for (int i = 0; i < concat.in_count(); ++i) {
      const OutPort source = concat.source(i);
      if (!source) return;
      const Crop next = crop_at(source, open);
      if (next.window && next.window == open.window && next.from == open.to) {
        open.to = next.to, before = {};
        any = true;
        continue;
      }
      close();
      if (next.window)
        open = next, before = source;
      else
        parts.push_back(source);
    }
    close();
    if (!any) return;
    if (parts.size() == 1) {
      concat.out(0).connection().set_source(parts[0]);
      concat.graph().remove(concat);
      return;
    }
    concat.truncate_in_ports(static_cast<int>(parts.size()));
    for (size_t i = 0; i < parts.size(); ++i) concat.in(static_cast<int>(i)).connect(parts[i]);
  }

  static OutPort stretch(Builder& b, const Crop& crop) {
    const OutPort window = crop.window->out(0);
    const Interval columns = window.tensor().shape[1];
    if (crop.from == 0 && columns.is_exact() && columns.min == crop.to) return window;
    return kaldi::columns_of(b, window, crop.from, crop.to);
  }

  /// What the port is of a window: by itself, or as the newest frame, where that continues `open`.
  Crop crop_at(OutPort port, const Crop& open) const {
    Node& node = port.node();
    if (node.op() == "StridedSlice" && node.source(0).node().op() == "Splice") {
      const auto begin = node.source(1).exact_ints(), end = node.source(2).exact_ints();
      if (begin && end && begin->size() == 2 && end->size() == 2)
        return {&node.source(0).node(), begin->at(1), end->at(1)};
    }
    const size_t id = static_cast<size_t>(node.id());
    if (!open.window || id >= windows_.size()) return {};
    for (Node* window : windows_[id])
      if (window == open.window && window->source(0) == port) {
        const kaldi::FrameSizes sizes(port);
        const int64_t frames = window->get_int("frames");
        return {window, (frames - 1) * sizes.dim, frames * sizes.dim};
      }
    return {};
  }

  std::vector<std::vector<Node*>> windows_;  ///< Splices by the ids of what they read
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveUselessCropsPattern)
}  // namespace mo
