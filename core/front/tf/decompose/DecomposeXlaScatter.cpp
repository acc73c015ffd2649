// Before: y = XlaScatter(x, indices, updates) {update_computation, scatter_dims_to_operand_dims, update_window_dims…}
// After:  y = ScatterNDUpdate(x with the axes that have indices first, places of all elements of the windows, updates)
//         {reduction}, with Transposes where axes are in another order. A window that would leave x changes nothing:
//         unless the indices are known to be inside, x gets one slice more, to which such windows go, and which is cut
//         off again.
// Conditions: the ranks are known, and the sizes of windows along the axes that have indices; the function replaces,
//         adds, subtracts, multiplies, or takes the least or largest.

#include <algorithm>

#include "core/front/tf/decompose/xla_places.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaScatter final : public Decomposition {
 public:
  Names ops() const override { return {"XlaScatter"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0), indices_rank = rank_of(node, 1), updates_rank = rank_of(node, 2);
    const char* reduction = reduction_of(b, node);
    Form form;
    form.x = node.source(0), form.updates = node.source(2);
    const Ints mapped = axes_of(node, "scatter_dims_to_operand_dims", rank);
    const Ints inserted = axes_of(node, "inserted_window_dims", rank);
    const Ints batching = axes_of(node, "input_batching_dims", rank);
    const Ints of_indices = axes_of(node, "scatter_indices_batching_dims", indices_rank);
    const Ints windows = axes_of(node, "update_window_dims", updates_rank);
    if (batching.size() != of_indices.size()) throw Error(Code::BadAttribute, "dimensions of batches");
    form.of_updates = update_axes(rank, {&inserted, &batching}, windows);
    const int64_t vector = node.get_int("index_vector_dim");
    const OutPort indices = with_numbers_last(b, node.source(1), vector, indices_rank);
    form.batch_rank = static_cast<size_t>(indices.tensor().shape.rank()) - 1;
    if (updates_rank != form.batch_rank + windows.size())
      throw Error(Code::ShapeMismatch, msg("updates of ", updates_rank, " dimensions"));
    form.axes = mapped;
    form.axes.insert(form.axes.end(), batching.begin(), batching.end());
    const size_t indexed = form.axes.size();
    for (const int64_t axis : counted_axes(rank)) {
      const int64_t size = size_of(form, axis);
      const Dimension whole = form.x.tensor().shape[static_cast<size_t>(axis)];
      const bool is_whole = size < 0 || !whole.is_exact() || whole.min == size;
      if (!has_axis(form.axes, axis) && !is_whole) form.axes.push_back(axis);
    }
    if (form.axes.empty()) throw Error(Code::UnsupportedForm, "scatter_dims_to_operand_dims is empty");
    Places places{form.axes, {}, {}, form.batch_rank};
    for (size_t i = 0; i < form.axes.size(); ++i) {
      places.sizes.push_back(size_of(form, form.axes[i]));
      if (places.sizes[i] < 0) throw Error(Code::UnsupportedForm, "windows whose sizes are not known");
    }
    Ints dims;
    for (const int64_t axis : of_indices) dims.push_back(axis > vector ? axis - 1 : axis);
    const OutPort starts = b.convert(indices, ElementType::I64);
    places.starts = all_starts(b, starts, dims, form.axes.size() - indexed);

    const bool is_bool = form.x.tensor().type == ElementType::Bool;
    if (is_bool) {
      form.x = b.convert(form.x, ElementType::I32);
      form.updates = b.convert(form.updates, ElementType::I32);
    }
    const OutPort y = scattered(b, form, places, mapped.size(), reduction, windows);
    return {is_bool ? b.convert(y, ElementType::Bool) : y};
  }

 private:
  struct Form {
    OutPort x, updates;
    Ints axes;        ///< that have indices, or windows smaller than x
    Ints of_updates;  ///< for each axis of x that of the updates; -1: none
    size_t batch_rank = 0;
  };

  static const char* reduction_of(Builder& b, Node& node) {
    constexpr std::pair<std::string_view, const char*> kReductions[] = {
        {"Second", "none"}, {"Add", "sum"},     {"Sub", "sub"},        {"Mul", "prod"},
        {"Minimum", "min"}, {"Maximum", "max"}, {"LogicalAnd", "min"}, {"LogicalOr", "max"}};
    const Graph* body = node.get_graph("update_computation");
    const std::string op = body ? Reducer(b, node, "update_computation").op() : std::string();
    for (const auto& [name, reduction] : kReductions)
      if (op == name) return reduction;
    throw Error(Code::UnsupportedForm,
                "update_computation is none of: the update, a sum, difference, product, minimum, maximum");
  }

  static Ints update_axes(size_t rank, std::initializer_list<const Ints*> without, const Ints& windows) {
    Ints sorted = windows, out(rank, -1);
    std::sort(sorted.begin(), sorted.end());
    const Ints left = other_axes(rank, without);
    if (left.size() != sorted.size())
      throw Error(Code::BadAttribute, msg("update_window_dims has ", sorted.size(), " axes for ", left.size()));
    for (size_t i = 0; i < left.size(); ++i) out[static_cast<size_t>(left[i])] = sorted[i];
    return out;
  }

  /// The size of the windows along an axis of x; -1: it is not known.
  static int64_t size_of(const Form& form, int64_t axis) {
    const int64_t from = form.of_updates[static_cast<size_t>(axis)];
    if (from < 0) return 1;
    const Dimension size = form.updates.tensor().shape[static_cast<size_t>(from)];
    return size.is_exact() ? size.min : -1;
  }

  static OutPort scattered(Builder& b, const Form& form, Places& places, size_t mapped, const char* reduction,
                           const Ints& windows) {
    const size_t rank = form.of_updates.size();
    const Ints others = other_axes(rank, {&form.axes});
    Ints order = form.axes;
    order.insert(order.end(), others.begin(), others.end());
    OutPort x = in_order(b, form.x, order);
    const bool is_safe = all_inside(form, places, mapped);
    if (!is_safe) {
      places.starts = with_a_place_outside(b, form, places, mapped);
      Ints end(rank, 0);
      end[0] = std::max<int64_t>(1, places.sizes[0]);
      x = padded(b, x, b.scalar_like(x, 0), Ints(rank, 0), end, Ints(rank, 0));
    }
    OutPort y =
        b.op("ScatterNDUpdate", {x, places_in_windows(b, places), turned_updates(b, form, places, others, windows)},
             {{"reduction", reduction}});
    if (!is_safe) y = part(b, y, 0, 0, -std::max<int64_t>(1, places.sizes[0]));
    return in_order(b, y, inverse(order));
  }

  /// [batch…, windows of several elements…, other axes…]
  static OutPort turned_updates(Builder& b, const Form& form, const Places& places, const Ints& others,
                                const Ints& windows) {
    const auto rank = static_cast<size_t>(form.updates.tensor().shape.rank());
    Ints order = other_axes(rank, {&windows}), dropped;
    for (size_t i = 0; i < form.axes.size(); ++i) {
      const int64_t from = form.of_updates[static_cast<size_t>(form.axes[i])];
      if (places.sizes[i] > 1)
        order.push_back(from);
      else if (from >= 0)
        dropped.push_back(from);
    }
    for (const int64_t axis : others) order.push_back(form.of_updates[static_cast<size_t>(axis)]);
    std::sort(dropped.begin(), dropped.end());
    const OutPort updates = dropped.empty() ? form.updates : b.squeeze(form.updates, dropped);
    for (int64_t& axis : order)
      axis -= std::count_if(dropped.begin(), dropped.end(), [&](int64_t gone) { return gone < axis; });
    return in_order(b, updates, order);
  }

  static bool all_inside(const Form& form, const Places& places, size_t mapped) {
    const auto& known = places.starts.tensor().ints;
    if (!known) return mapped == 0;
    for (size_t i = 0; i < known->elements.size(); ++i) {
      const size_t column = i % form.axes.size();
      const Dimension size = form.x.tensor().shape[static_cast<size_t>(form.axes[column])];
      const Interval start = known->elements[i];
      if (start.min < 0 || start.max > size.min - places.sizes[column]) return false;
    }
    return true;
  }

  /// The starts, of which those of windows that leave x are behind the end of the first axis.
  static OutPort with_a_place_outside(Builder& b, const Form& form, const Places& places, size_t mapped) {
    const Ints first(form.axes.begin(), form.axes.begin() + static_cast<std::ptrdiff_t>(mapped));
    const auto last = static_cast<int64_t>(places.batch_rank);
    const OutPort starts =
        mapped == form.axes.size() ? places.starts : part(b, places.starts, last, 0, static_cast<int64_t>(mapped));
    const Ints sizes(places.sizes.begin(), places.sizes.begin() + static_cast<std::ptrdiff_t>(mapped));
    const OutPort moved = b.op("Equal", {inside(b, starts, form.x, first, sizes), starts});
    const OutPort is_inside = b.op("ReduceLogicalAnd", {moved, b.i64({last})}, {{"keep_dims", true}});
    Ints zeros(form.axes.size(), 0);
    std::vector<OutPort> outside{b.dims_of(form.x, {form.axes[0]})};
    if (form.axes.size() > 1) outside.push_back(b.i64(Ints(form.axes.size() - 1, 0)));
    const OutPort there = outside.size() == 1 ? outside[0] : b.concat(outside, 0);
    return b.op("Select", {is_inside, places.starts, there});
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaScatter;
MO_DEFINE_TRANSFORM(DecomposeXlaScatter)
}  // namespace mo
