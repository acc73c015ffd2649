// Before: Reshape [6] <- Transpose <- Slice <- Reshape [3, 2] <- a list of six numbers, in any such order
// After:  Gather(list, places, 0), or the list itself
// Conditions: the list has few elements, a known number; the operations only move them, by constants, and one of them
// is a Transpose. PyTorch exports padding in this way: its pairs come last axis first.

#include <algorithm>

#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReorderedList final : public BackReplacementPattern {
 public:
  Names run_before() const override { return {"MoveTransposes", "ShareDimensions"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Reshape")) {
      if (!is_list(node->out(0))) continue;
      Ints places(static_cast<size_t>(node->out(0).tensor().shape[0].min));
      for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(i);
      const OutPort list = followed(*node, places);
      if (!list) continue;
      Builder b(*node);
      bool moves = !(list.tensor().shape[0] == Dimension(static_cast<int64_t>(places.size())));
      for (size_t i = 0; i < places.size(); ++i) moves |= places[i] != static_cast<int64_t>(i);
      if (moves) {
        graph.replace(*node, b.gather(list, b.i64(places), 0).node());
      } else {
        node->out(0).connection().set_source(list, TensorNames::Merge);
        graph.remove(*node);
      }
    }
  }

 private:
  static constexpr int64_t kMostElements = 64;
  static constexpr int kMostSteps = 8;

  static bool is_small(OutPort port) {
    const PartialShape& shape = port.tensor().shape;
    return shape.has_rank() && shape.is_static() && shape.elements().min > 0 && shape.elements().min <= kMostElements;
  }
  static bool is_list(OutPort port) { return is_small(port) && port.tensor().shape.rank() == 1; }

  /// The list that the operations up to the node move, and which of its elements the node's become; empty without one.
  static OutPort followed(const Node& node, Ints& places) {
    bool turns = false;
    const Node* at = &node;
    for (int step = 0; step < kMostSteps; ++step) {
      const OutPort x = at->source(0);
      if (!x || !is_small(x)) return {};
      for (int64_t& place : places) {
        const auto from = place_in_source(*at, x, place);
        if (!from) return {};
        place = *from;
      }
      turns |= at->op() == "Transpose";
      if (is_list(x)) return turns ? x : OutPort();
      at = &x.node();
    }
    return {};
  }

  /// Where the element at `place` of the node's result comes from, both counted row by row.
  static std::optional<int64_t> place_in_source(const Node& node, OutPort x, int64_t place) {
    if (is_one_of(node.op(), {"Reshape", "Squeeze", "Unsqueeze"})) return place;
    if (node.op() != "Transpose" && node.op() != "Slice") return std::nullopt;
    const PartialShape &to = OutPort(const_cast<Node*>(&node), 0).tensor().shape, &from = x.tensor().shape;
    Ints index(to.dimensions().size()), source = index;
    for (size_t i = index.size(); i-- > 0; place /= to[i].min) index[i] = place % to[i].min;
    source = index;
    if (node.op() == "Transpose") {
      const auto order = transpose_order(node);
      if (!order) return std::nullopt;
      for (size_t i = 0; i < index.size(); ++i) source[static_cast<size_t>((*order)[i])] = index[i];
    } else if (!move_by_slice(node, from, source)) {
      return std::nullopt;
    }
    int64_t out = 0;
    for (size_t i = 0; i < source.size(); ++i) out = out * from[i].min + source[i];
    return out;
  }

  static bool move_by_slice(const Node& slice, const PartialShape& from, Ints& index) {
    const auto numbers = [&](int input) {
      return slice.source(input) ? slice.source(input).exact_ints() : std::nullopt;
    };
    const auto start = numbers(1), step = numbers(3), axes = numbers(4);
    if (!start || !step || !axes || start->size() != axes->size() || step->size() != axes->size()) return false;
    for (size_t i = 0; i < axes->size(); ++i) {
      const size_t axis = normalize_axis((*axes)[i], from.rank());
      const int64_t size = from[axis].min, way = (*step)[i];
      int64_t first = (*start)[i] < 0 ? (*start)[i] + size : (*start)[i];
      first = std::clamp<int64_t>(first, 0, way < 0 ? size - 1 : size);
      index[axis] = first + index[axis] * way;
      if (index[axis] < 0 || index[axis] >= size) return false;
    }
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReorderedList)
}  // namespace mo
