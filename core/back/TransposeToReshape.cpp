// Before: Reshape(x, pattern) -> Transpose(order), or a Transpose of a recurrent sequence's state, or of a row or
//         column; or Transpose(x, order) -> Reshape(pattern)
// After:  Reshape(x, constant) {special_zero: true} with the shape of the result; or Reshape(x, pattern)
// Conditions: the order rotates the axes behind the first, as from channels last to channels first, or is that of a
// state, or has two axes; and it changes only where dimensions of 1 are, so the elements keep their order. At most one
// dimension of the result is unknown and not that of x at the same index. Other orders stay: the runtime looks for them
// in attention of one head. Before a Reshape any order goes, if its pattern copies only dimensions that do not move.

#include <algorithm>

#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/ops/dimension_origins.h"
#include "core/ops/op_def.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class TransposeToReshape final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "TransposeOfFactor"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* transpose : graph.nodes("Transpose")) {
      const auto axes = transpose_order(*transpose);
      if (!axes || !keeps_elements(transpose->source(0).tensor().shape, *axes)) continue;
      OutPort x = transpose->source(0);
      for (const InPort& reader : transpose->out(0).destinations())
        if (reader.index() == 0 && shapes_anew(reader.node(), *axes)) reader.connect(x);
      if (transpose->out(0).disconnected()) continue;
      std::optional<Ints> pattern;
      if (x.node().op() == "Reshape" && moves_channels(*axes)) {
        x = x.node().source(0);
        pattern = pattern_of(transpose->out(0), x, origins);
      } else if (*axes == Ints{1, 0, 2} && is_of_state(*transpose)) {
        pattern = x.tensor().shape[0] == Dimension(1) ? Ints{-1, 1, 0} : Ints{1, -1, 0};
      } else if (*axes == Ints{1, 0}) {
        pattern = x.tensor().shape[0] == Dimension(1) ? Ints{-1, 1} : Ints{1, -1};
      }
      if (!pattern) continue;
      Node& made = graph.add_node("Reshape", transpose->name());
      made.set("special_zero", true);
      made.add_in_ports(2);
      made.add_out_ports(1);
      made.in(0).connect(x);
      made.in(1).connect(graph.constant(make_i64(*pattern), transpose->name() + "/pattern"));
      graph.replace(*transpose, made);
    }
  }

 private:
  /// Whether it is a Reshape that gives the same for the elements in another shape.
  static bool shapes_anew(const Node& node, const Ints& order) {
    if (node.op() != "Reshape") return false;
    if (!node.get_bool("special_zero", true)) return true;
    const OutPort given = node.source(1);
    const Interval count = given ? given.tensor().shape.elements() : Interval();
    if (!count.is_exact() || count.min > kMostDimensions) return false;
    for (size_t i = 0; i < static_cast<size_t>(count.min); ++i) {
      const ShapeElement element = shape_element(given, i);
      const bool stays = i < order.size() && order[i] == static_cast<int64_t>(i);
      // A dimension is 0 only if there are no elements.
      const bool copies =
          element.kind == ShapeElement::Kind::Number ? element.number == 0 : element.kind == ShapeElement::Kind::Other;
      if (copies && !stays) return false;
    }
    return true;
  }

  static bool is_sequence(const Node& node) {
    return is_one_of(node.op(), {"RNNSequence", "GRUSequence", "LSTMSequence"});
  }

  /// Whether it makes the first state of sequences, or takes their last one.
  static bool is_of_state(Node& transpose) {
    const OutPort source = transpose.source(0);
    if (is_sequence(source.node())) return source.index() > 0;
    const std::vector<InPort> readers = transpose.out(0).destinations();
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [](const InPort& reader) {
      const int states = reader.node().op() == "LSTMSequence" ? 2 : 1;
      return is_sequence(reader.node()) && reader.index() > 0 && reader.index() <= states;
    });
  }

  /// Whether the axes behind the first are rotated.
  static bool moves_channels(const std::vector<int64_t>& axes) {
    const auto rank = static_cast<int64_t>(axes.size());
    if (rank < 4 || axes[0] != 0) return false;
    for (int64_t i = 1; i < rank; ++i)
      if (axes[static_cast<size_t>(i)] != (axes[1] - 1 + i - 1) % (rank - 1) + 1) return false;
    return true;
  }

  static std::optional<Ints> pattern_of(OutPort result, OutPort x, DimensionOrigins& origins) {
    const PartialShape &shape = result.tensor().shape, &before = x.tensor().shape;
    if (!shape.has_rank() || !before.has_rank()) return std::nullopt;
    Ints pattern;
    int unknown = 0;
    for (size_t i = 0; i < shape.dimensions().size(); ++i) {
      const bool is_same = i < before.dimensions().size() && origins.of({result, i}) == origins.of({x, i});
      if (shape[i].is_exact() && shape[i].min == 0) return std::nullopt;
      if (!shape[i].is_exact() && !is_same) ++unknown;
      pattern.push_back(shape[i].is_exact() ? shape[i].min : is_same ? 0 : -1);
    }
    return unknown <= 1 ? std::optional<Ints>(pattern) : std::nullopt;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(TransposeToReshape)
}  // namespace mo
