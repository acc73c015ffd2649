// Before: y = TFStridedSlice(x, begin, end, step) {masks as bits}
// After:  y = StridedSlice(x, begin, end, step) {masks as lists}
//         new axes beside indices: Unsqueeze(x), then StridedSlice; the runtime mixes them up
//         one index that is computed, all of the other dimensions: Gather(x, begin[k], k); OpenVINO's CPU plugin has
//         no such StridedSlice for a constant x in the body of a loop
//         one element of a list, as of a shape: Gather(x, i, 0), by which other rewrites know a dimension
// Conditions: the number of stretches is known.

#include <bit>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFStridedSlice final : public Decomposition {
 public:
  Names ops() const override { return {"TFStridedSlice"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    int64_t count = -1;
    for (const int i : {1, 2, 3})
      if (const Interval n = node.source(i).tensor().shape.elements(); n.is_exact()) count = n.min;
    if (count < 0) throw Error(Code::UnsupportedForm, "a number of stretches that is not known");
    if (count > 32) throw Error(Code::BadValue, msg(count, " stretches"));
    // Of several bits for one stretch, TensorFlow takes the ellipsis, then the new axis; an index has a begin.
    const int64_t ellipsis = node.get_int("ellipsis_mask");
    int64_t added = node.get_int("new_axis_mask") & ~ellipsis;
    const int64_t dropped = node.get_int("shrink_axis_mask") & ~ellipsis & ~added;
    int64_t begins = node.get_int("begin_mask") & ~dropped, ends = node.get_int("end_mask") & ~dropped;
    OutPort x = node.source(0);
    const int64_t whole = (begins & ends & steps_of_one(node)) | ellipsis;
    const int64_t k = dropped == 0 ? 0 : std::countr_zero(uint64_t(dropped));
    if (added == 0 && dropped == int64_t{1} << k && (whole | dropped) == (int64_t{1} << count) - 1 &&
        !element(node.source(1), k).is_exact())
      return {b.gather(x, b.gather(node.source(1), b.i64_scalar(k), 0), axis_of(k, ellipsis, count))};
    if (const auto i = dropped == 1 && added == 0 && count == 1 ? element_of_list(node) : std::nullopt)
      return {b.gather(x, b.i64_scalar(*i), 0)};
    if (added != 0 && dropped != 0) {
      x = with_new_axes(b, x, added, ellipsis, count);
      begins |= added;
      ends |= added;
      added = 0;
    }
    const auto list = [&](int64_t bits) {
      Ints mask;
      for (int64_t i = 0; i < count; ++i) mask.push_back(bits >> i & 1);
      return mask;
    };
    return {b.op("StridedSlice", {x, node.source(1), node.source(2), node.source(3)},
                 {{"begin_mask", list(begins)},
                  {"end_mask", list(ends)},
                  {"new_axis_mask", list(added)},
                  {"shrink_axis_mask", list(dropped)},
                  {"ellipsis_mask", list(ellipsis)}})};
  }

 private:
  static OutPort with_new_axes(Builder& b, OutPort x, int64_t added, int64_t ellipsis, int64_t count) {
    Ints axes;
    for (int64_t i = 0; i < count; ++i)
      if (added >> i & 1) axes.push_back(axis_of(i, ellipsis, count));
    return b.unsqueeze(x, axes);
  }

  /// The dimension of stretch i. Stretches after the ellipsis count from the last dimension.
  static int64_t axis_of(int64_t i, int64_t ellipsis, int64_t count) {
    return ellipsis != 0 && ellipsis < int64_t{1} << i ? i - count : i;
  }

  /// The place of the one element if x is a list of known length, and has it.
  static std::optional<int64_t> element_of_list(Node& node) {
    const PartialShape& shape = node.source(0).tensor().shape;
    const Interval at = element(node.source(1), 0);
    if (shape.rank() != 1 || !shape[0].is_exact() || !at.is_exact()) return std::nullopt;
    const int64_t i = at.min < 0 ? at.min + shape[0].min : at.min;
    return i >= 0 && i < shape[0].min ? std::optional(i) : std::nullopt;
  }

  static Interval element(OutPort list, int64_t i) {
    const auto& ints = list.tensor().ints;
    return ints && size_t(i) < ints->elements.size() ? ints->elements[i] : Interval();
  }

  /// The bits of the stretches whose step is known to be 1.
  static int64_t steps_of_one(Node& node) {
    int64_t bits = 0;
    for (int64_t i = 0; i < 32; ++i) bits |= int64_t{element(node.source(3), i) == Interval(1)} << i;
    return bits;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFStridedSlice)
}  // namespace mo
