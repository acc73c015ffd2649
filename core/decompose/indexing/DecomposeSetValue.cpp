// Before: y = SetValue(x, value, start, stop, step) {axes, dropped, added}
// After:  along one axis y = ScatterUpdate(x, its places, value, axis)
//         along several y = ScatterElementsUpdate(x as a list, the places of the part, the value as a list)
//         of all of x y = Broadcast(value, its shape)
// Conditions: the rank of x is known; that of the value, if axes are dropped or added.

#include <algorithm>

#include "core/decompose/control/stepped.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// What is replaced: along each of these axes one stretch.
struct Stretches {
  Ints axes;
  OutPort start, stop, step;
};

class DecomposeSetValue final : public Decomposition {
 public:
  Names ops() const override { return {"SetValue"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    const OutPort value = convert_like(b, aligned(b, node, rank), x);
    const Stretches part = stretches(b, node, rank);
    if (part.axes.empty()) return {b.op("Broadcast", {value, b.shape_of(x)}, {{"mode", "numpy"}})};
    return {part.axes.size() == 1 ? along_one(b, x, value, part, rank) : in_list(b, x, value, part)};
  }

 private:
  static bool has(const Ints& list, int64_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  }

  /// The value with dimensions of 1 for the axes that it lacks, and without those that x lacks.
  static OutPort aligned(Builder& b, const Node& node, int rank) {
    OutPort value = node.source(1);
    const Ints dropped = node.get_ints("dropped"), added = node.get_ints("added");
    if (dropped.empty() && added.empty()) return value;
    const int count = value.tensor().shape.rank();
    if (count < 0) throw Error(Code::UnsupportedForm, "a value of unknown rank");
    // From behind, the dimensions of the value and those of x.
    Ints gone, missing;
    int64_t left = count;
    const auto pass_added = [&](int64_t place) {
      for (const int64_t at : added)
        if (left > 0 && (place == rank ? at >= rank : at == place)) gone.push_back(--left);
    };
    for (int64_t axis = rank; axis >= 0 && left > 0; --axis) {
      pass_added(axis);
      if (axis == 0 || left == 0) break;
      if (has(dropped, axis - 1))
        missing.push_back(axis - 1);
      else
        --left;
    }
    while (left > 0) gone.push_back(--left);
    if (!gone.empty()) value = b.squeeze(value, gone);
    const int64_t covered = count - static_cast<int64_t>(gone.size()) + static_cast<int64_t>(missing.size());
    for (int64_t& axis : missing) axis -= rank - covered;
    std::sort(missing.begin(), missing.end());
    return missing.empty() ? value : b.unsqueeze(value, missing);
  }

  /// Axes that are replaced as a whole need no place.
  static Stretches stretches(Builder& b, const Node& node, int rank) {
    const Ints axes = node.get_ints("axes");
    if (axes.empty()) return {};
    const auto start = node.source(2).tensor().exact_ints(), stop = node.source(3).tensor().exact_ints(),
               step = node.source(4).tensor().exact_ints();
    Ints kept, places;
    for (size_t i = 0; i < axes.size(); ++i) {
      const auto at = [&](const std::optional<Ints>& list, int64_t otherwise) {
        return list && i < list->size() ? (*list)[i] : otherwise;
      };
      if (at(start, 1) == 0 && at(stop, 0) >= INT32_MAX && at(step, 0) == 1) continue;
      places.push_back(static_cast<int64_t>(i));
      kept.push_back(static_cast<int64_t>(normalize_axis(axes[i], rank)));
    }
    const auto chosen = [&](int i) {
      return kept.size() == axes.size() ? node.source(i) : b.gather(node.source(i), b.i64(places), 0);
    };
    if (kept.empty()) return {};
    const OutPort from = chosen(2), to = chosen(3), by = chosen(4);
    if (node.get_bool("is_usual")) return {kept, from, to, by};
    return {kept, from, stepped_ends(b, node, node.source(0), to, by, kept), by};
  }

  static OutPort along_one(Builder& b, OutPort x, OutPort value, const Stretches& part, int rank) {
    const int64_t axis = part.axes[0];
    const OutPort places = places_along(b, x, part);
    std::vector<OutPort> sizes;
    if (axis > 0) sizes.push_back(dimensions(b, x, 0, axis));
    sizes.push_back(b.shape_of(places));
    if (axis + 1 < rank) sizes.push_back(dimensions(b, x, axis + 1, rank));
    const OutPort shape = sizes.size() == 1 ? sizes[0] : b.concat(sizes, 0);
    const OutPort updates = b.op("Broadcast", {value, shape}, {{"mode", "numpy"}});
    return b.op("ScatterUpdate", {x, places, updates, b.i64_scalar(axis)});
  }

  /// Constant, where they do not depend on the size of the axis.
  static OutPort places_along(Builder& b, OutPort x, const Stretches& part) {
    const Dimension size = x.tensor().shape[static_cast<size_t>(part.axes[0])];
    const auto start = part.start.tensor().exact_int(), stop = part.stop.tensor().exact_int(),
               step = part.step.tensor().exact_int();
    constexpr int64_t kMost = 1024;
    if (start && stop && step && *start >= 0 && *step > 0 && *start < *stop && *stop <= size.min && *stop <= kMost &&
        *step <= kMost) {
      Ints places;
      for (int64_t at = *start; at < *stop; at += *step) places.push_back(at);
      return b.i64(places);
    }
    const OutPort all = counted(b, dimension_of(b, x, part.axes[0]));
    return b.op("Slice", {all, part.start, part.stop, part.step, b.i64({0})});
  }

  static OutPort dimensions(Builder& b, OutPort x, int64_t from, int64_t to) {
    Ints axes;
    for (int64_t i = from; i < to; ++i) axes.push_back(i);
    return b.dims_of(x, axes);
  }

  static OutPort in_list(Builder& b, OutPort x, OutPort value, const Stretches& part) {
    const OutPort shape = b.shape_of(x), total = b.reduce("ReduceProd", shape, {0}, false);
    const OutPort numbered = b.op("Reshape", {counted(b, total), shape}, {{"special_zero", false}});
    const OutPort places = b.op("Slice", {numbered, part.start, part.stop, part.step, b.i64(part.axes)});
    const OutPort updates = b.op("Broadcast", {value, b.shape_of(places)}, {{"mode", "numpy"}});
    const auto list = [&](OutPort tensor) { return b.reshape(tensor, {-1}, false); };
    const OutPort data = list(x), at = list(places), written = list(updates);
    const OutPort y = b.op("ScatterElementsUpdate", {data, at, written, b.i64_scalar(0)});
    return b.op("Reshape", {y, shape}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSetValue)
}  // namespace mo
