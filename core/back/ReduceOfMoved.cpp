// Before: y = ReduceX(Transpose(x), axes) {keep_dims: false}; z = ReduceX(Unsqueeze(x), axes)
// After:  y = Squeeze(ReduceX(Transpose(x), axes) {keep_dims: true}, axes); z = Unsqueeze(ReduceX(x, axes of x))
// Conditions: the order and the axes are constants.
// - Of the dimensions that stay, the Transpose moves only those of 1, and y has one at the place that a reduced one has
//   in x. A runtime moves the Transpose behind the reduction, takes it there for a Reshape that puts the reduced
//   dimensions back, and leaves it out
// - No new dimension is reduced, and an axis is counted from the end, or is before a new dimension and kept. A runtime
//   moves the Unsqueeze behind the reduction as if axes stayed the same

#include <algorithm>

#include "core/back/transpose_order.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReduceOfMoved final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* unsqueeze : graph.nodes("Unsqueeze"))
      for (const InPort& reader : unsqueeze->out(0).destinations())
        if (reader.node().op().starts_with("Reduce") && reader.index() == 0) before(graph, *unsqueeze, reader.node());
    for (Node* transpose : graph.nodes("Transpose"))
      for (const InPort& reader : transpose->out(0).destinations()) {
        Node& node = reader.node();
        if (!node.op().starts_with("Reduce") || reader.index() != 0 || node.get_bool("keep_dims")) continue;
        const std::optional<Ints> axes = node.source(1) ? node.source(1).exact_ints() : std::nullopt;
        if (!axes || !is_left_out(*transpose, *axes)) continue;
        Builder b(node);
        Attributes attributes = node.attributes;
        attributes.set("keep_dims", true);
        Node& whole = b.node(node.op().c_str(), {transpose->out(0), node.source(1)}, std::move(attributes));
        graph.replace(node, b.squeeze(whole.out(0), *axes).node());
      }
  }

 private:
  /// The reduction before the Unsqueeze.
  static void before(Graph& graph, const Node& unsqueeze, Node& node) {
    const OutPort x = unsqueeze.source(0);
    const auto added = unsqueeze.source(1) ? unsqueeze.source(1).exact_ints() : std::nullopt;
    const auto axes = node.source(1) ? node.source(1).exact_ints() : std::nullopt;
    const int rank = unsqueeze.out_count() == 1 ? node.source(0).tensor().shape.rank() : -1;
    if (!x || !added || !axes || rank < 1) return;
    // Of each dimension behind the Unsqueeze: whether it is new, and whether it is reduced.
    std::vector<char> is_new(static_cast<size_t>(rank)), is_reduced(static_cast<size_t>(rank));
    if (!mark(is_new, *added) || !mark(is_reduced, *axes)) return;
    const bool keeps = node.get_bool("keep_dims");
    Ints of_x, behind;
    int64_t old = 0, kept = 0;
    bool is_wrong = std::any_of(axes->begin(), axes->end(), [](int64_t axis) { return axis < 0; });
    for (size_t i = 0; i < is_new.size(); ++i) {
      if (is_new[i] && is_reduced[i]) return;
      if (is_new[i]) is_wrong = is_wrong || (keeps && !of_x.empty()), behind.push_back(kept);
      if (is_reduced[i]) of_x.push_back(old);
      old += !is_new[i], kept += keeps || !is_reduced[i];
    }
    if (!is_wrong) return;
    Builder b(node);
    Node& reduced = b.node(node.op().c_str(), {x, b.i64(of_x)}, node.attributes);
    graph.replace(node, b.unsqueeze(reduced.out(0), behind).node());
  }

  static bool mark(std::vector<char>& places, const Ints& axes) {
    const auto rank = static_cast<int64_t>(places.size());
    for (const int64_t axis : axes) {
      const int64_t at = axis < 0 ? axis + rank : axis;
      if (at < 0 || at >= rank) return false;
      places[static_cast<size_t>(at)] = 1;
    }
    return true;
  }

  static bool is_left_out(const Node& transpose, const Ints& axes) {
    const std::optional<Ints> order = transpose_order(transpose);
    const PartialShape& shape = transpose.source(0).tensor().shape;
    if (!order || !shape.has_rank() || static_cast<size_t>(shape.rank()) != order->size()) return false;
    std::vector<char> marked(order->size()), is_reduced(order->size());
    if (!mark(marked, axes)) return false;
    for (size_t i = 0; i < marked.size(); ++i) is_reduced[static_cast<size_t>((*order)[i])] = marked[i];
    // What the Transpose is behind the reduction: the dimensions that it takes, and their order.
    std::vector<Dimension> before, after;
    Ints place(order->size()), behind;
    for (size_t i = 0; i < order->size(); ++i) {
      place[i] = static_cast<int64_t>(before.size());
      if (!is_reduced[i]) before.push_back(shape[i]);
    }
    for (const int64_t from : *order) {
      if (is_reduced[static_cast<size_t>(from)]) continue;
      behind.push_back(place[static_cast<size_t>(from)]);
      after.push_back(shape[static_cast<size_t>(from)]);
    }
    if (before == after || !keeps_elements(PartialShape(before), behind)) return false;
    for (size_t i = 0; i < after.size(); ++i)
      if (is_reduced[i] && after[i] == Dimension(1)) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReduceOfMoved)
}  // namespace mo
