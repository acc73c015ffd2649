// Before: Gather(Gather(x, a, 0), b, 0)
// After:  Gather(x, a[b], 0)
// Conditions: x is a list, as a shape is; a and b are constants. The change to NCHW puts a Gather between a shape and
// what reads it.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class NestedGathers final : public BackReplacementPattern {
 public:
  Names run_before() const override { return {"ShareDimensions", "SimplifyReshapePatterns", "TileOfOpenSize"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* outer : graph.nodes("Gather")) {
      while (const auto places = places_in_list(*outer)) {
        const OutPort indices = outer->source(1);
        const auto joined = joined_places(outer->source(0).node(), *places);
        if (!joined) break;
        outer->in(0).connect(outer->source(0).node().source(0));
        outer->in(1).connect(
            graph.constant(reshape(make_i64(*joined), indices.tensor().value->shape), indices.node().name()));
      }
    }
  }

 private:
  static constexpr size_t kMostPlaces = 64;

  /// Constant indices of a Gather from a list.
  static std::optional<Ints> places_in_list(const Node& node) {
    const OutPort data = node.source(0), indices = node.source(1);
    if (node.op() != "Gather" || !data || !indices || !indices.tensor().value || data.tensor().shape.rank() != 1 ||
        indices.tensor().from_shape || node.get_int("batch_dims") != 0)
      return std::nullopt;
    auto places = indices.exact_ints();
    return places && places->size() <= kMostPlaces ? places : std::nullopt;
  }

  static std::optional<Ints> joined_places(const Node& inner, const Ints& places) {
    const auto of_inner = places_in_list(inner);
    if (!of_inner || inner.source(1).tensor().shape.rank() != 1) return std::nullopt;
    const auto size = static_cast<int64_t>(of_inner->size());
    Ints out;
    for (const int64_t place : places) {
      if (place < -size || place >= size) return std::nullopt;
      out.push_back((*of_inner)[static_cast<size_t>(place < 0 ? place + size : place)]);
    }
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(NestedGathers)
}  // namespace mo
