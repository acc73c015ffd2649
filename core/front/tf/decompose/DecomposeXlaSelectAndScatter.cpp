// Before: y = XlaSelectAndScatter(x, sizes, strides, padding [rank, 2], source, first value) {select, scatter}: the
//         gradient of a pool
// After:  for each place within a window, source where the window has selected that place, padded to the shape of x, so
//         that it is there; these joined by scatter
// Conditions: the shapes are known; a window has at most 1024 elements; scatter is a sum, product, minimum or maximum.

#include "core/decompose/control/inline_body.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaSelectAndScatter final : public Decomposition {
 public:
  Names ops() const override { return {"XlaSelectAndScatter"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0);
    require_input(node, 5);
    if (rank_of(node, 4) != rank) throw Error(Code::RankMismatch, "the source of XlaSelectAndScatter");
    const OutPort x = node.source(0), source = node.source(4);
    const PartialShape &whole = x.tensor().shape, &part_shape = source.tensor().shape;
    if (!whole.is_static() || !part_shape.is_static()) throw Error(Code::UnsupportedForm, "windows over unknown sizes");
    const Windows windows{numbers_of(node, 1, rank), numbers_of(node, 2, rank), numbers_of(node, 3, 2 * rank)};
    const Graph* select = node.get_graph("select");
    if (!select) throw Error(Code::MissingAttribute, msg("select"));
    if (places(windows).size() * select->nodes().size() > kMostNodes)
      throw Error(Code::UnsupportedForm, msg("windows of more than ", kMostElements, " elements"));
    const Reducer join(b, node, "scatter");
    const OutPort none = neutral_of(b, join.op(), source);
    if (!none || join.op() == "Sub")
      throw Error(Code::UnsupportedForm, "scatter is none of: a sum, product, minimum, maximum");
    const OutPort which = selected(b, node, x, windows);
    OutPort y = b.op("Broadcast", {to_scalar(b, node.source(5)), b.shape_of(x)}, {{"mode", "numpy"}});
    const Ints to = whole.to_shape(), from = part_shape.to_shape();
    int64_t number = 0;
    for (const Ints& place : places(windows)) {
      const OutPort here = b.op("Equal", {which, b.i64_scalar(number++)});
      Ints low(rank), high(rank), between(rank);
      for (size_t i = 0; i < rank; ++i) {
        low[i] = place[i] - windows.padding[2 * i], between[i] = windows.strides[i] - 1;
        high[i] = to[i] - low[i] - (from[i] == 0 ? 0 : (from[i] - 1) * windows.strides[i] + 1);
      }
      y = join(y, padded(b, b.op("Select", {here, source, none}), none, low, high, between));
    }
    return {y};
  }

 private:
  static constexpr int64_t kMostElements = 1024;
  static constexpr size_t kMostNodes = 1 << 16;  ///< of copies of `select`
  struct Windows {
    Ints sizes, strides, padding;
  };

  static std::vector<Ints> places(const Windows& windows) {
    int64_t count = 1;
    for (const int64_t size : windows.sizes) {
      if (size < 1) throw Error(Code::BadValue, msg("a window of ", size));
      if ((count *= size) > kMostElements)
        throw Error(Code::UnsupportedForm, msg("windows of more than ", kMostElements, " elements"));
    }
    std::vector<Ints> out;
    Ints place(windows.sizes.size(), 0);
    for (int64_t n = 0; n < count; ++n) {
      out.push_back(place);
      for (size_t i = place.size(); i-- > 0 && ++place[i] == windows.sizes[i];) place[i] = 0;
    }
    return out;
  }

  /// The number of the place that each window selects. Padding is never selected.
  static OutPort selected(Builder& b, Node& node, OutPort x, const Windows& windows) {
    const size_t rank = windows.sizes.size();
    Ints low(rank), high(rank);
    for (size_t i = 0; i < rank; ++i) {
      low[i] = windows.padding[2 * i], high[i] = windows.padding[2 * i + 1];
      if (low[i] < 0 || high[i] < 0 || windows.strides[i] < 1) throw Error(Code::UnsupportedForm, "negative padding");
    }
    const Ints none(rank, 0);
    const bool pads = low != none || high != none;
    const OutPort data = padded(b, x, b.scalar_like(x, 0), low, high, none);
    const OutPort one = b.i64_scalar(1), ones = b.op("Broadcast", {one, b.shape_of(x)}, {{"mode", "numpy"}});
    const OutPort inside = pads ? padded(b, ones, b.i64_scalar(0), low, high, none) : OutPort();
    OutPort best, which, found;
    int64_t number = 0;
    for (const Ints& place : places(windows)) {
      Ints end(rank), axes = counted_axes(rank);
      for (size_t i = 0; i < rank; ++i)
        end[i] = place[i] + 1 == windows.sizes[i] ? INT64_MAX : place[i] + 1 - windows.sizes[i];
      const auto taken = [&](OutPort all) {
        return b.op("Slice", {all, b.i64(place), b.i64(end), b.i64(windows.strides), b.i64(axes)});
      };
      const OutPort each = taken(data), is_inside = pads ? b.op("Equal", {taken(inside), one}) : OutPort();
      const OutPort own = b.i64_scalar(number++);
      if (!best) {
        best = each, found = is_inside;
        which = b.op("Broadcast", {own, b.shape_of(each)}, {{"mode", "numpy"}});
        continue;
      }
      OutPort keeps = inline_body(b, node, "select", {best, each})[0];
      if (pads) {
        keeps = b.op("LogicalAnd", {keeps, found});
        keeps = b.op("LogicalOr", {keeps, b.op("LogicalNot", {is_inside})});
        found = b.op("LogicalOr", {found, is_inside});
      }
      best = b.op("Select", {keeps, best, each});
      which = b.op("Select", {keeps, which, own});
    }
    return which;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaSelectAndScatter;
MO_DEFINE_TRANSFORM(DecomposeXlaSelectAndScatter)
}  // namespace mo
