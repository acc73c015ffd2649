// Squeeze (opset1): data, axes (optional or empty: all dimensions of 1).
// Unsqueeze (opset1): data, axes of the result.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

std::vector<char> mark_axes(const InferContext& c, const std::vector<int64_t>& axes, int rank) {
  std::vector<char> marked(static_cast<size_t>(rank), 0);
  for (const int64_t axis : axes) marked[axis_of(c, axis, rank)] = 1;
  return marked;
}

/// The result when no axes are given.
PartialShape squeeze_ones(const PartialShape& shape) {
  std::vector<Dimension> out;
  for (const Dimension& d : shape.dimensions()) {
    if (d == Dimension(1)) continue;
    if (intersect(d, 1)) return {};
    out.push_back(d);
  }
  return out;
}

void infer_squeeze(InferContext& c) {
  const PartialShape& shape = c.shape(0);
  if (!shape.has_rank()) return c.set(0, {}, c.type(0));
  const auto axes = c.exact_ints(1);
  if (!c.has_in(1) || (axes && axes->empty())) {
    c.set(0, squeeze_ones(shape), c.type(0));
  } else if (!axes) {
    const Interval count = c.shape(1).elements();
    const bool known = count.is_exact() && count.min <= shape.rank() && count.min > 0;
    c.set(0, known ? PartialShape::of_rank(static_cast<size_t>(shape.rank() - count.min)) : PartialShape(), c.type(0));
  } else {
    const std::vector<char> gone = mark_axes(c, *axes, shape.rank());
    std::vector<Dimension> out;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (!gone[i])
        out.push_back(shape[i]);
      else if (!intersect(shape[i], 1))
        c.fail(Code::ShapeMismatch, msg("dimension ", i, " is ", to_string(shape[i]), ", not 1"));
    }
    c.set(0, out, c.type(0));
  }
  pass_known(c, 0);
}

void infer_unsqueeze(InferContext& c) {
  const PartialShape& shape = c.shape(0);
  const Interval count = c.shape(1).elements();
  if (!shape.has_rank() || !count.is_exact() || count.min > 64) return c.set(0, {}, c.type(0));
  const int rank = shape.rank() + static_cast<int>(count.min);
  const auto axes = c.exact_ints(1);
  if (!axes) return c.set(0, PartialShape::of_rank(static_cast<size_t>(rank)), c.type(0));
  const std::vector<char> fresh = mark_axes(c, *axes, rank);
  if (std::count(fresh.begin(), fresh.end(), 1) != count.min) c.fail(Code::BadValue, "an axis is given twice");
  std::vector<Dimension> out;
  out.reserve(fresh.size());
  size_t next = 0;
  for (const char is_new : fresh) out.push_back(is_new ? Dimension(1) : shape[next++]);
  c.set(0, out, c.type(0));
  pass_known(c, 0);
}

constexpr OpDef kSqueezeDefs[] = {
    {.op = "Squeeze",
     .type = "Squeeze",
     .version = "opset1",
     .infer = infer_squeeze,
     .layout = {.kind = LayoutClass::Reshapes, .rules = {{LayoutRule::Kind::Axis, {}, 1}}, .drops_axes = true}},
    {.op = "Unsqueeze",
     .type = "Unsqueeze",
     .version = "opset1",
     .infer = infer_unsqueeze,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_Squeeze() { return kSqueezeDefs; }

}  // namespace mo
