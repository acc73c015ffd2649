// Before: ReduceX(x, axes) {keep_dims: false} -> [FakeQuantize] -> Reshape(pattern)
// After:  ReduceX(x, axes) {keep_dims: true} -> [FakeQuantize]
// Conditions: the pattern is constant and puts back, as 1, the dimensions that were reduced, for any value of dynamic
// dimensions; what is between has no other consumer; the limits of FakeQuantize are one number each.
// A runtime's fusion fails on a Reshape of unknown batch before a pointwise convolution with weights of 8 bits.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReshapeAfterReduce final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"TransposeToReshape"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Reshape")) {
      const OutPort last = node->source(0);
      OutPort reduced = last;
      if (is_alone(last) && has_one_range(last.node())) reduced = last.node().source(0);
      if (!is_alone(reduced) || !is_reduction(reduced.node()) || !puts_back(*node, reduced.node())) continue;
      reduced.node().set("keep_dims", true);
      reduced.node().require_shape_inference();
      node->out(0).connection().set_source(last, TensorNames::Dest);
      graph.remove(*node);
    }
  }

 private:
  static bool is_alone(OutPort port) { return port && port.reader_count() == 1; }

  static bool has_one_range(const Node& node) {
    if (node.op() != "FakeQuantize") return false;
    for (int i = 1; i < 5; ++i)
      if (!node.has_in(i) || node.source(i).tensor().shape.rank() != 0) return false;
    return true;
  }

  static bool is_reduction(const Node& node) {
    const std::string_view op = node.op();
    return op.starts_with("Reduce") && !node.get_bool("keep_dims");
  }

  static bool puts_back(const Node& reshape, const Node& reduction) {
    const OutPort x = reduction.source(0);
    const auto axes = reduction.source(1).exact_ints(), pattern = reshape.source(1).exact_ints();
    if (!x || !axes || axes->empty() || !pattern || reshape.source(1).tensor().from_shape) return false;
    const PartialShape& shape = x.tensor().shape;
    if (shape.rank() != static_cast<int>(pattern->size())) return false;
    std::vector<bool> gone(pattern->size());
    for (const int64_t axis : *axes) gone[normalize_axis(axis, shape.rank())] = true;
    const bool copies = reshape.get_bool("special_zero", true);
    bool moved = false;
    for (size_t i = 0; i < gone.size(); ++i) {
      const int64_t e = (*pattern)[i];
      moved = moved || gone[i];
      // A 0 copies from the reduced tensor, whose indices are those of x only before the first reduced axis.
      const bool same = e == -1 || (e == 0 && copies && !moved) || shape[i] == Dimension(e);
      if (gone[i] ? e != 1 : !same) return false;
    }
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReshapeAfterReduce)
}  // namespace mo
