// Before: Gather(ShapeOf(Transpose(x, order)), i, 0)
// After:  Gather(ShapeOf(x), order[i], 0)
// Conditions: constant order and indices; nothing but shapes reads the Transpose, so it is left out. Keras asks the
// result of a recurrent layer for its batch behind the Transpose that the next layer takes back.

#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ShapeOfTransposed final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"TransposeToReshape"}; }
  Names run_before() const override { return {"MergeEqualOperations", "ApplyRequestedTransforms"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* transpose : graph.nodes("Transpose")) {
      const auto order = transpose_order(*transpose);
      if (!order || !transpose->has_in(0)) continue;
      std::vector<Node*> gathers;
      const std::vector<InPort> shapes = transpose->out(0).destinations();
      bool only_gathers = !shapes.empty();
      for (const InPort& shape : shapes) only_gathers = only_gathers && add_gathers(shape.node(), gathers);
      if (!only_gathers) continue;
      for (Node* gather : gathers) turn(graph, *gather, *order);
      for (const InPort& shape : shapes) shape.connect(transpose->source(0));
    }
  }

 private:
  /// Whether only Gathers with constant indices read the shape; adds them.
  static bool add_gathers(Node& shape, std::vector<Node*>& gathers) {
    if (shape.op() != "ShapeOf") return false;
    for (const InPort& use : shape.out(0).destinations()) {
      Node& gather = use.node();
      const OutPort indices = gather.op() == "Gather" && use.index() == 0 ? gather.source(1) : OutPort();
      if (!indices || indices.tensor().from_shape || !indices.tensor().value || !indices.exact_ints() ||
          gather.get_int("batch_dims") != 0)
        return false;
      gathers.push_back(&gather);
    }
    return true;
  }

  static void turn(Graph& graph, Node& gather, const Ints& order) {
    const OutPort indices = gather.source(1);
    Ints turned = *indices.exact_ints();
    for (int64_t& index : turned) index = order[normalize_axis(index, static_cast<int>(order.size()))];
    const Constant value = reshape(make_i64(turned), indices.tensor().value->shape);
    gather.in(1).connect(graph.constant(value, indices.node().name()));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ShapeOfTransposed)
}  // namespace mo
