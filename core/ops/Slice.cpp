// Slice (opset8): data, start [n], stop [n], step [n], axes [n] (optional: 0…n-1).

#include <numeric>

#include "core/ops/known.h"
#include "core/ops/slicing.h"

namespace mo {
namespace {

/// One stretch for each dimension of the data; nullopt when the axes are unknown.
std::optional<std::vector<Stretch>> read_slice(const InferContext& c, size_t rank) {
  const auto start = elements_of(c, 1), stop = elements_of(c, 2), step = elements_of(c, 3);
  std::optional<std::vector<int64_t>> axes;
  const size_t known = start ? start->size() : stop ? stop->size() : step ? step->size() : 0;
  if (c.has_in(4)) {
    axes = c.exact_ints(4);
  } else if (start || stop || step) {
    axes.emplace(known);
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!axes) return std::nullopt;
  std::vector<Stretch> stretches(rank, Stretch::whole());
  std::vector<char> seen(rank, 0);
  for (const auto* part : {&start, &stop, &step})
    if (*part && (*part)->size() != axes->size())
      c.fail(Code::ShapeMismatch, msg((*part)->size(), " numbers for ", axes->size(), " axes"));
  for (size_t i = 0; i < axes->size(); ++i) {
    const size_t axis = axis_of(c, (*axes)[i], static_cast<int>(rank));
    if (seen[axis]++) c.fail(Code::BadValue, msg("axis ", axis, " is given twice"));
    stretches[axis] = {start ? (*start)[i] : Interval(), stop ? (*stop)[i] : Interval(),
                       step ? (*step)[i] : Interval()};
  }
  return stretches;
}

void infer_slice(InferContext& c) {
  const PartialShape& data = c.shape(0);
  if (!data.has_rank()) return c.set(0, {}, c.type(0));
  const size_t rank = data.dimensions().size();
  const auto stretches = read_slice(c, rank);
  PartialShape out = data;
  for (size_t i = 0; i < rank; ++i) out[i] = stretches ? (*stretches)[i].length(data[i]) : Dimension(0, data[i].max);
  c.set(0, out, c.type(0));
  if (stretches) slice_known(c, *stretches);
}

constexpr OpDef kSliceDefs[] = {
    {.op = "Slice",
     .type = "Slice",
     .version = "opset8",
     .infer = infer_slice,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Axis, .input = 4, .counted_by = 1}}}},
};

}  // namespace

OpFamily ops_Slice() { return kSliceDefs; }

}  // namespace mo
