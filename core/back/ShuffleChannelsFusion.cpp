// Before: Reshape(x, [.., group, channels / group, ..]) -> Transpose that swaps these two -> Reshape to the shape of x
// After:  ShuffleChannels(x) {axis, group}
// Conditions: the axis is 1, or the last one of pictures between Transposes from and to channels first; channels and
// group are known; the other dimensions are those of x, of which each Reshape may leave one to be computed. Nothing
// else reads what is between.

#include <algorithm>

#include "core/back/transpose_order.h"
#include "core/ops/dimension_origins.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ShuffleChannelsFusion final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "ShufflenetReLUReorder"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* transpose : graph.nodes("Transpose")) {
      const auto order = transpose_order(*transpose);
      const auto at = order ? swapped(*order) : std::nullopt;
      const OutPort grouped = transpose->source(0), turned = transpose->out(0);
      if (!at || !is_alone(grouped) || !is_alone(turned) || grouped.node().op() != "Reshape") continue;
      const InPort reader = turned.destination();
      const OutPort x = grouped.node().source(0);
      if (reader.index() != 0 || reader.node().op() != "Reshape" || !x) continue;
      const OutPort y = reader.node().out(0);
      if (!has_shape_of(y, x, origins)) continue;
      const auto axis = axis_of(x, y, grouped, *at, origins);
      if (!axis) continue;
      Builder b(reader.node());
      const int64_t group = grouped.tensor().shape[*at].min;
      graph.replace(reader.node(), b.node("ShuffleChannels", {x}, {{"axis", *axis}, {"group", group}}));
    }
  }

 private:
  static bool is_alone(OutPort port) { return port && port.reader_count() == 1; }

  /// The first of two neighbours that change places, if nothing else moves.
  static std::optional<size_t> swapped(const Ints& order) {
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      if (order[i] == static_cast<int64_t>(i)) continue;
      Ints back = order;
      std::swap(back[i], back[i + 1]);
      return is_identity(back) ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
  }

  /// The same for all sizes: one dimension that is not known may be what is left over.
  static bool has_shape_of(OutPort y, OutPort x, DimensionOrigins& origins) {
    const PartialShape &shape = x.tensor().shape, &made = y.tensor().shape;
    if (shape.rank() < 3 || made.rank() != shape.rank()) return false;
    int left_over = 0;
    for (size_t i = 0; i < shape.dimensions().size(); ++i) {
      if (made[i].is_exact() || shape[i].is_exact()) {
        if (!(made[i] == shape[i])) return false;
      } else if (!(origins.of({x, i}) == origins.of({y, i}))) {
        ++left_over;
      }
    }
    return left_over <= 1;
  }

  static std::optional<int64_t> axis_of(OutPort x, OutPort y, OutPort grouped, size_t at, DimensionOrigins& origins) {
    const PartialShape &shape = x.tensor().shape, &parts = grouped.tensor().shape;
    if (parts.rank() < 0 || !parts[at].is_exact() || !parts[at + 1].is_exact()) return std::nullopt;
    const int64_t group = parts[at].min, each = parts[at + 1].min;
    const auto rank = shape.dimensions().size(), last = rank - 1;
    for (const size_t axis : {size_t{1}, last}) {
      if (axis == last && !(axis == 1 || is_between_layouts(x, y))) continue;
      const Dimension channels = shape[axis];
      if (!channels.is_exact() || group < 2 || each < 2 || channels.min / group != each || channels.min % group != 0)
        continue;
      // Both tensors have the same number of elements: what is behind is equal if what is before is.
      if (same_product({x, 0}, axis, {grouped, 0}, at, origins) ||
          same_product({x, axis + 1}, rank, {grouped, at + 2}, parts.dimensions().size(), origins))
        return static_cast<int64_t>(axis);
    }
    return std::nullopt;
  }

  static bool is_between_layouts(OutPort x, OutPort y) {
    const Ints first{0, 3, 1, 2}, last{0, 2, 3, 1};
    if (transpose_order(x.node()) == last) return true;
    return is_alone(y) && transpose_order(y.destination().node()) == first;
  }

  /// Whether the products of two ranges of dimensions are equal and not 0.
  static bool same_product(DimensionOrigin a, size_t a_end, DimensionOrigin b, size_t b_end,
                           DimensionOrigins& origins) {
    std::vector<DimensionOrigin> open;
    int64_t first = 1, second = 1;
    for (; a.axis < a_end; ++a.axis) {
      const Dimension d = a.of.tensor().shape[a.axis];
      if (!d.is_exact())
        open.push_back(origins.of(a));
      else if (!multiply(first, d.min))
        return false;
    }
    for (; b.axis < b_end; ++b.axis) {
      const Dimension d = b.of.tensor().shape[b.axis];
      if (d.is_exact()) {
        if (!multiply(second, d.min)) return false;
        continue;
      }
      const auto same = std::find(open.begin(), open.end(), origins.of(b));
      if (same == open.end()) return false;
      open.erase(same);
    }
    return open.empty() && first == second;
  }

  static bool multiply(int64_t& product, int64_t by) {
    if (by < 1 || product > INT64_MAX / by) return false;
    product *= by;
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ShuffleChannelsFusion)
}  // namespace mo
