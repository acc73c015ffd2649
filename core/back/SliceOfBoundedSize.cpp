// Before: y = Slice(x, -1, 3, 1, axes)
// After:  y = Slice(x, Maximum(size - 1, 0), 3, 1, axes), where size is that of x along the axis
// Before: y = Slice(x, 3, -1, -1, axes)
// After:  y = Slice(x, Minimum(3 - size, -1), -1, -1, axes)
// Conditions: start, stop, step and axes are constants; one of start and stop counts from the front, the other from the
// end, so that it depends on the size how many there are; the size is not known, but its limit is. A runtime takes the
// number of the limit for the largest, and refuses sizes that give more.

#include <algorithm>
#include <limits>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SliceOfBoundedSize final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Slice"))
      if (const auto turned = turned_starts(*node)) turn(*node, *turned);
  }

 private:
  /// For each axis 1 where the start counts from the end, -1 where it has to count from there, and 0.
  struct Turned {
    Ints start, axes, sign;
  };

  static std::optional<Turned> turned_starts(const Node& node) {
    const OutPort x = node.source(0);
    if (!x || !x.tensor().shape.has_rank() || !node.has_in(4)) return std::nullopt;
    const auto start = node.source(1).exact_ints(), stop = node.source(2).exact_ints();
    const auto step = node.source(3).exact_ints(), axes = node.source(4).exact_ints();
    if (!start || !stop || !step || !axes) return std::nullopt;
    Turned turned{*start, *axes, {}};
    bool any = false;
    for (size_t i = 0; i < axes->size(); ++i) {
      const Dimension& size = x.tensor().shape[normalize_axis((*axes)[i], x.tensor().shape.rank())];
      const bool bounded = !size.is_exact() && size.max != Interval::kInfinity;
      const bool from_end = (*step)[i] > 0 && (*start)[i] < 0 && (*stop)[i] >= 0 && (*stop)[i] < size.max;
      const bool from_front = (*step)[i] < 0 && (*start)[i] >= 0 && (*stop)[i] < 0 && (*stop)[i] >= -size.max;
      turned.sign.push_back(!bounded ? 0 : from_end ? 1 : from_front ? -1 : 0);
      any = any || turned.sign.back() != 0;
    }
    return any ? std::optional(turned) : std::nullopt;
  }

  static void turn(Node& node, const Turned& turned) {
    Builder b(node);
    Ints least, most;
    for (size_t i = 0; i < turned.sign.size(); ++i) {
      least.push_back(turned.sign[i] > 0 ? 0 : std::numeric_limits<int64_t>::min());
      most.push_back(turned.sign[i] < 0 ? -1 : std::numeric_limits<int64_t>::max());
    }
    const OutPort shape = b.shape_of(node.source(0));
    const OutPort counted = b.op("Mul", {b.gather(shape, b.i64(turned.axes), 0), b.i64(turned.sign)});
    OutPort start = b.op("Add", {counted, b.i64(turned.start)});
    if (std::count(turned.sign.begin(), turned.sign.end(), 1) > 0) start = b.op("Maximum", {start, b.i64(least)});
    if (std::count(turned.sign.begin(), turned.sign.end(), -1) > 0) start = b.op("Minimum", {start, b.i64(most)});
    node.in(1).connect(start);
    for (const int i : {2, 3})
      if (node.source(i).tensor().type != ElementType::I64) node.in(i).connect(b.i64(*node.source(i).exact_ints()));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SliceOfBoundedSize)
}  // namespace mo
