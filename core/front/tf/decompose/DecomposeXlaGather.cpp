// Before: y = XlaGather(x, indices, sizes of windows) {start_index_map, offset_dims, collapsed_slice_dims…}
// After:  y = Gather(x, places) where the indices are for one axis, and for each axis where there is one window;
//         y = GatherND(x with these axes first, places of all elements of the windows); with a Transpose where the axes
//         are to be in another order. Windows that would leave x are moved inside.
// Conditions: the ranks are known, and the sizes along the axes that have indices.

#include <algorithm>

#include "core/decompose/shaping/shaping.h"
#include "core/front/tf/decompose/xla_places.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaGather final : public Decomposition {
 public:
  Names ops() const override { return {"XlaGather"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0), indices_rank = rank_of(node, 1);
    require_input(node, 2);
    Gathered it{node.source(0), {}, axes_of(node, "collapsed_slice_dims", rank)};
    Ints axes = axes_of(node, "start_index_map", rank);
    const Ints batching = axes_of(node, "operand_batching_dims", rank);
    const Ints of_indices = axes_of(node, "start_indices_batching_dims", indices_rank);
    if (batching.size() != of_indices.size()) throw Error(Code::BadAttribute, "dimensions of batches");
    const int64_t vector = node.get_int("index_vector_dim");
    const OutPort indices = with_numbers_last(b, node.source(1), vector, indices_rank);
    const auto batch_rank = static_cast<size_t>(indices.tensor().shape.rank()) - 1;
    for (const int64_t axis : batching) it.collapsed.push_back(axis);
    const Ints sizes = window_sizes(b, node, it, axes, batching, rank);
    Ints of_mapped;
    for (const int64_t axis : axes) of_mapped.push_back(sizes[static_cast<size_t>(axis)]);
    const OutPort starts = inside(b, indices, it.x, axes, of_mapped);

    for (size_t i = 0; i < batch_rank; ++i) it.labels.push_back(-1 - static_cast<int64_t>(i));
    Ints dims;
    for (const int64_t axis : of_indices) dims.push_back(axis > vector ? axis - 1 : axis);
    if (axes.empty() && batching.empty()) throw Error(Code::UnsupportedForm, "start_index_map is empty");
    if (batch_rank == 0 && batching.empty()) {
      by_axes(b, it, axes, of_mapped, starts, rank);
    } else {
      axes.insert(axes.end(), batching.begin(), batching.end());
      of_mapped.resize(axes.size(), 1);
      const Places places{axes, of_mapped, all_starts(b, starts, dims, 0), batch_rank};
      by_places(b, it, places, rank);
    }
    return {in_order(b, it.x, result_order(node, it.labels, batch_rank))};
  }

 private:
  struct Gathered {
    OutPort x;
    Ints labels;     ///< of the dimensions of x: axes of the operand, and -1 - i for dimension i of the batch
    Ints collapsed;  ///< axes that the result lacks
  };

  /// Of each axis; -1: all of it. Along axes without indices x is cut to the window at their begin.
  static Ints window_sizes(Builder& b, const Node& node, Gathered& it, const Ints& axes, const Ints& batching,
                           size_t rank) {
    const auto& known = node.source(2).tensor().ints;
    if (known && known->elements.size() != rank) throw Error(Code::ShapeMismatch, "the sizes of windows");
    Ints sizes(rank, -1);
    for (size_t i = 0; i < rank; ++i) {
      const auto axis = static_cast<int64_t>(i);
      const bool is_exact = known && known->elements[i].is_exact();
      if (is_exact) sizes[i] = known->elements[i].min;
      const bool is_indexed = has_axis(axes, axis) || has_axis(batching, axis);
      if (is_indexed && !is_exact) throw Error(Code::UnsupportedForm, "windows whose sizes are not known");
      if (sizes[i] < -1 || (has_axis(it.collapsed, axis) && sizes[i] > 1))
        throw Error(Code::BadValue, msg("a window of ", sizes[i], " along axis ", axis));
      const Dimension whole = it.x.tensor().shape[i];
      if (!is_indexed && is_exact && !(whole.is_exact() && whole.min == sizes[i]))
        it.x = part(b, it.x, axis, 0, sizes[i]);
    }
    return sizes;
  }

  /// One window: along each of the axes its own elements.
  static void by_axes(Builder& b, Gathered& it, const Ints& axes, const Ints& sizes, OutPort starts, size_t rank) {
    for (size_t i = 0; i < axes.size(); ++i) {
      const Dimension whole = it.x.tensor().shape[static_cast<size_t>(axes[i])];
      if (whole.is_exact() && whole.min == sizes[i]) continue;
      const OutPort start = b.gather(starts, b.i64({static_cast<int64_t>(i)}), 0);
      const OutPort taken = in_window(b, start, sizes[i]);
      it.x = b.gather(it.x, taken, axes[i]);
    }
    Ints dropped;
    for (const int64_t axis : counted_axes(rank))
      if (has_axis(it.collapsed, axis))
        dropped.push_back(axis);
      else
        it.labels.push_back(axis);
    if (!dropped.empty()) it.x = b.squeeze(it.x, dropped);
  }

  static void by_places(Builder& b, Gathered& it, const Places& places, size_t rank) {
    const OutPort all = places_in_windows(b, places);
    const auto batch_rank = static_cast<int64_t>(places.batch_rank);
    const Ints batch = it.labels, others = other_axes(rank, {&places.axes});
    Ints windows, single;
    for (size_t i = 0; i < places.axes.size(); ++i) {
      if (places.sizes[i] > 1)
        windows.push_back(places.axes[i]);
      else if (!has_axis(it.collapsed, places.axes[i]))
        single.push_back(places.axes[i]);
    }
    if (places.axes.size() == 1) {
      const int64_t axis = places.axes[0];
      it.x = b.gather(it.x, b.squeeze(all, {batch_rank + static_cast<int64_t>(windows.size())}), axis);
      it.labels = Ints(others.begin(), others.begin() + axis);
      it.labels.insert(it.labels.end(), batch.begin(), batch.end());
      it.labels.insert(it.labels.end(), windows.begin(), windows.end());
      it.labels.insert(it.labels.end(), others.begin() + axis, others.end());
    } else {
      Ints order = places.axes;
      order.insert(order.end(), others.begin(), others.end());
      it.x = b.op("GatherND", {in_order(b, it.x, order), all}, {{"batch_dims", int64_t{0}}});
      it.labels.insert(it.labels.end(), windows.begin(), windows.end());
      it.labels.insert(it.labels.end(), others.begin(), others.end());
    }
    if (single.empty()) return;
    const auto end = static_cast<int64_t>(it.labels.size());
    Ints added;
    for (size_t i = 0; i < single.size(); ++i) added.push_back(end + static_cast<int64_t>(i));
    it.x = b.unsqueeze(it.x, added);
    it.labels.insert(it.labels.end(), single.begin(), single.end());
  }

  /// The axes of windows that are left are those of offset_dims, in their order; the others are those of the batch.
  static Ints result_order(const Node& node, const Ints& labels, size_t batch_rank) {
    const Ints offsets = axes_of(node, "offset_dims", labels.size());
    Ints windows, order;
    for (const int64_t label : labels)
      if (label >= 0) windows.push_back(label);
    std::sort(windows.begin(), windows.end());
    if (windows.size() != offsets.size() || labels.size() != windows.size() + batch_rank)
      throw Error(Code::BadAttribute, msg("offset_dims has ", offsets.size(), " axes for ", windows.size()));
    size_t window = 0;
    int64_t batch = 0;
    for (const int64_t axis : counted_axes(labels.size())) {
      const int64_t label = has_axis(offsets, axis) ? windows[window++] : -1 - batch++;
      order.push_back(std::find(labels.begin(), labels.end(), label) - labels.begin());
    }
    return order;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaGather;
MO_DEFINE_TRANSFORM(DecomposeXlaGather)
}  // namespace mo
