// Before: Gather(ShapeOf(a), i), Gather(ShapeOf(b), j), where both dimensions are provably dimension k of x
// After:  Gather(ShapeOf(x), k) twice, which MergeEqualShapeOperations makes one
// Conditions: the indices are constant, and not all of these dimensions are known; x has a ShapeOf already, or two that
// nothing else reads are replaced by its.

#include <map>
#include <set>

#include "core/ops/dimension_origins.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ShareDimensions final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    const std::vector<Node*> shapes = graph.nodes("ShapeOf");
    if (shapes.size() < 2) return;
    DimensionOrigins origins;
    std::map<Place, int> wanted;  // by how many ShapeOfs alone, or enough if there is one already
    std::map<Place, Node*> made;
    std::vector<Move> moves;
    for (Node* shape : shapes) {
      if (!shape->has_in(0)) continue;
      made.emplace(place_of(shape->source(0), *shape), shape);
      std::set<Place> of_all;
      bool all_move = true;
      for (const InPort& use : shape->out(0).destinations()) {
        std::optional<Move> move = planned(use.node(), *shape, origins);
        all_move &= move.has_value();
        if (!move) continue;
        of_all.insert(move->to);
        moves.push_back(std::move(*move));
      }
      if (all_move && of_all.size() == 1) ++wanted[*of_all.begin()];
    }
    for (const Move& move : moves) {
      Node*& shape = made[move.to];
      if (!shape && wanted[move.to] < 2) continue;
      Builder b(*move.gather);
      if (!shape) shape = &b.node("ShapeOf", {move.of}, {{"output_type", move.type}});
      move.gather->in(0).connect(shape->out(0));
      const bool scalar = move.gather->source(1).tensor().shape.rank() == 0;
      move.gather->in(1).connect(scalar ? b.i64_scalar(move.indices[0]) : b.i64(move.indices));
    }
  }

 private:
  using Place = std::tuple<int, int, ElementType>;  ///< node, port, type of the ShapeOf
  struct Move {
    Node* gather = nullptr;
    OutPort of;
    Place to;
    ElementType type = ElementType::I64;
    Ints indices;
  };

  static Place place_of(OutPort port, const Node& shape) {
    return {port.node().id(), port.index(), shape.get_type("output_type", ElementType::I64)};
  }

  static std::optional<Move> planned(Node& gather, const Node& shape, DimensionOrigins& origins) {
    const OutPort of = shape.source(0);
    const bool reads_it = gather.op() == "Gather" && gather.source(0) && &gather.source(0).node() == &shape;
    if (!reads_it || gather.get_int("batch_dims") != 0) return std::nullopt;
    const OutPort indices = gather.source(1);
    const auto places = indices && !indices.tensor().from_shape ? indices.tensor().exact_ints() : std::nullopt;
    const PartialShape& data = of.tensor().shape;
    if (!places || places->empty() || indices.tensor().shape.rank() > 1 || data.rank() < 1) return std::nullopt;
    Move move{&gather, {}, {}, shape.get_type("output_type", ElementType::I64), {}};
    bool open = false;
    for (const int64_t place : *places) {
      if (place < -data.rank() || place >= data.rank()) return std::nullopt;
      const size_t axis = normalize_axis(place, data.rank());
      open |= !data[axis].is_exact();
      const DimensionOrigin origin = origins.of({of, axis});
      if (origin.of == of || (move.of && !(origin.of == move.of)) || origin.of.node().op() == "Const")
        return std::nullopt;
      move.of = origin.of;
      move.indices.push_back(static_cast<int64_t>(origin.axis));
    }
    if (!open) return std::nullopt;
    move.to = place_of(move.of, shape);
    return move;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ShareDimensions)
}  // namespace mo
