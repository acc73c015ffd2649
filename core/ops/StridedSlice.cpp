// StridedSlice (opset1): data, begin [n], end [n], strides [n] (optional: ones).
// Attributes, lists of 0 and 1: begin_mask, end_mask (1: no begin, end), new_axis_mask, shrink_axis_mask,
// ellipsis_mask.

#include <algorithm>

#include "core/ops/known.h"
#include "core/ops/slicing.h"

namespace mo {
namespace {

struct StridedSpec {
  explicit StridedSpec(const InferContext& c)
      : begin(elements_of(c, 1)), end(elements_of(c, 2)), step(elements_of(c, 3)), has_step(c.has_in(3)) {
    for (const char* name : {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
      masks.push_back(c.node().get_ints(name));
    for (const auto* part : {&begin, &end, &step})
      if (*part) count = std::max(count, (*part)->size());
    known = begin || end || step;
  }
  bool mask(size_t which, size_t i) const { return i < masks[which].size() && masks[which][i] != 0; }
  Stretch stretch(size_t i) const {
    const auto at = [i](const std::optional<std::vector<Interval>>& list) {
      return list && i < list->size() ? (*list)[i] : Interval();
    };
    return {at(begin), at(end), has_step ? at(step) : Interval(1), mask(0, i), mask(1, i)};
  }
  bool is_new(size_t i) const { return mask(2, i) && !mask(4, i); }
  bool is_shrunk(size_t i) const { return mask(3, i) && !mask(2, i) && !mask(4, i); }
  bool is_ellipsis(size_t i) const { return mask(4, i); }

  std::optional<std::vector<Interval>> begin, end, step;
  bool has_step, known = false;
  size_t count = 0;
  std::vector<Ints> masks;
};

/// A stretch of one element. A negative begin counts from the end.
Stretch one_element(const InferContext& c, const Stretch& s, Dimension d) {
  if (!s.begin.is_exact()) return s;
  const int64_t at = s.from_first ? 0 : s.begin.min;
  if (d.max != Interval::kInfinity && (at >= d.max || at < -d.max))
    c.fail(Code::BadValue, msg("index ", at, " into a dimension of ", to_string(d)));
  return {at, Interval(at) + Interval(1), 1, false, at == -1};
}

void infer_strided_slice(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const StridedSpec spec(c);
  if (!data.has_rank() || !spec.known) return c.set(0, {}, c.type(0));
  const size_t rank = data.dimensions().size();
  size_t taken = 0;
  int ellipses = 0;
  for (size_t i = 0; i < spec.count; ++i) {
    ellipses += spec.is_ellipsis(i);
    taken += !spec.is_ellipsis(i) && !spec.is_new(i);
  }
  if (ellipses > 1) c.fail(Code::BadAttribute, "ellipsis_mask has more than one 1");
  if (taken > rank) c.fail(Code::ShapeMismatch, msg(taken, " stretches for ", rank, " dimensions"));
  std::vector<Dimension> out;
  std::vector<Stretch> stretches;
  const auto keep = [&] {
    out.push_back(data[stretches.size()]);
    stretches.push_back(Stretch::whole());
  };
  for (size_t i = 0; i < spec.count; ++i) {
    if (spec.is_ellipsis(i)) {
      for (size_t k = taken; k < rank; ++k) keep();
    } else if (spec.is_new(i)) {
      out.push_back(1);
    } else if (spec.is_shrunk(i)) {
      const Stretch one = one_element(c, spec.stretch(i), data[stretches.size()]);
      stretches.push_back(one);
    } else {
      const Stretch stretch = spec.stretch(i);
      out.push_back(stretch.length(data[stretches.size()]));
      stretches.push_back(stretch);
    }
  }
  while (stretches.size() < rank) keep();
  c.set(0, out, c.type(0));
  slice_known(c, stretches);
}

void attributes_strided_slice(const Node& n, IrAttributes& a) {
  for (const char* name : {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
    a.add(name, n.get_ints(name));
}

/// Added dimensions, dropped dimensions and "…" depend on positions in the lists, so permuting the lists is not enough.
bool strided_slice_reshapes(const Node& n) {
  for (const char* name : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"}) {
    const Ints mask = n.get_ints(name);
    if (std::any_of(mask.begin(), mask.end(), [](int64_t m) { return m != 0; })) return true;
  }
  return false;
}

using StridedRule = LayoutRule::Kind;
constexpr OpDef kStridedSliceDefs[] = {
    {.op = "StridedSlice",
     .type = "StridedSlice",
     .version = "opset1",
     .infer = infer_strided_slice,
     .ir_attributes = attributes_strided_slice,
     .layout = {LayoutClass::Follows,
                {{.kind = StridedRule::Slice, .attribute = "begin_mask"},
                 {.kind = StridedRule::Slice, .attribute = "end_mask"},
                 {.kind = StridedRule::Slice, .input = 1},
                 {.kind = StridedRule::Slice, .input = 2},
                 {.kind = StridedRule::Slice, .input = 3}},
                strided_slice_reshapes}},
};

}  // namespace

OpFamily ops_StridedSlice() { return kStridedSliceDefs; }

}  // namespace mo
