// Before: y = f(ReduceX(x, axis) {keep_dims}, constants), x of rank 3, axis 0 or 2; f: a chain of element-wise
//         operations
// After:  y = f(ReduceX(Unsqueeze(x), [axis and the added one] {keep_dims: false} [-> Unsqueeze(axis)]), constants)
// Conditions: a constant has several numbers along axis 1 of x; the results in between have one reader; the batch of x
//         is not 1. A runtime takes numbers of other channels, but only at rank 3.

#include "core/back/constant_operands.h"
#include "core/back/reductions.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReduceOfThreeDimensions final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeAfterReduce"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : kReductions)
      for (Node* node : graph.nodes(op)) {
        const PartialShape& shape = node->source(0).tensor().shape;
        const auto axes = node->source(1).exact_ints();
        if (shape.rank() != 3 || shape[0] == Dimension(1) || !axes || axes->size() != 1) continue;
        const auto axis = static_cast<int64_t>(normalize_axis((*axes)[0], 3));
        const bool keeps = node->get_bool("keep_dims");
        if (axis == 1 || !meets_channels(node->out(0), keeps || axis == 2 ? 1 : 0)) continue;
        Builder b(*node);
        const OutPort x = b.unsqueeze(node->source(0), {axis == 2 ? 2 : 1});
        const OutPort reduced = b.reduce(op, x, {axis, axis + 1}, false);
        graph.replace(*node, keeps ? b.unsqueeze(reduced, {axis}).node() : reduced.node());
      }
  }

 private:
  static bool meets_channels(OutPort port, int axis) {
    const int rank = port.tensor().shape.rank();
    for (InPort reader = only_reader(port); reader; reader = only_reader(port)) {
      Node& node = reader.node();
      if (!joins_constants(node, reader.index())) return false;
      if (varies_along(node, reader.index(), axis, rank)) return true;
      port = node.out(0);
      if (port.tensor().shape.rank() != rank) return false;
    }
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReduceOfThreeDimensions)
}  // namespace mo
