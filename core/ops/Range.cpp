// Range (opset4): start, stop, step (scalars); attribute output_type.

#include <cmath>

#include "core/ops/known.h"

namespace mo {
namespace {

/// The number of elements of a range of integers. Throws BadValue for a step of 0.
Dimension range_length(Interval start, Interval stop, Interval step) {
  if (step == Interval(0)) throw Error(Code::BadValue, "a step of 0");
  if (step.min > 0) return to_dimension(ceil_div(max(stop - start, 0), step));
  if (step.max < 0) return to_dimension(ceil_div(max(start - stop, 0), Interval(0) - step));
  return kAnyDimension;
}

/// The same for floating point. If rounding decides, both numbers are possible.
Dimension range_length(double start, double stop, double step) {
  if (step == 0) throw Error(Code::BadValue, "a step of 0");
  const double count = (stop - start) / step;
  if (!(count < 1e15)) return kAnyDimension;
  if (count <= 0) return 0;
  const auto is_whole = [](double v) { return v == std::floor(v); };
  const double nearest = std::round(count);
  if ((is_whole(start) && is_whole(stop) && is_whole(step)) ||
      std::fabs(count - nearest) > 1e-4 * std::max(1.0, nearest))
    return static_cast<int64_t>(std::ceil(count));
  return {static_cast<int64_t>(nearest), static_cast<int64_t>(nearest) + 1};
}

Interval scalar(const InferContext& c, int i) {
  const auto elements = elements_of(c, i);
  if (!elements) return {};
  if (elements->size() != 1) c.fail(Code::ShapeMismatch, msg("input ", i, " is not one number"));
  const Interval x = (*elements)[0];
  return {std::max(x.min, -Interval::kInfinity), std::max(x.max, -Interval::kInfinity)};
}

std::optional<double> float_scalar(const InferContext& c, int i) {
  if (!c.value(i)) return std::nullopt;
  const auto numbers = read_doubles(*c.value(i), c.files(), 1);
  return numbers && numbers->size() == 1 ? std::optional((*numbers)[0]) : std::nullopt;
}

void infer_range(InferContext& c) {
  const ElementType type = c.node().get_type("output_type", c.type(0));
  bool whole = true;
  for (int i = 0; i < 3; ++i) whole &= is_integer(c.type(i));
  if (!whole) {
    const auto start = float_scalar(c, 0), stop = float_scalar(c, 1), step = float_scalar(c, 2);
    return c.set(0, {start && stop && step && is_float(type) ? range_length(*start, *stop, *step) : kAnyDimension},
                 type);
  }
  const Interval start = scalar(c, 0), stop = scalar(c, 1), step = scalar(c, 2);
  const Dimension length = range_length(start, stop, step);
  c.set(0, {length}, type);
  if (!length.is_exact() || length.min > static_cast<int64_t>(Tensor::kMaxInts) || !is_integer(type)) return;
  IntTensor result{{length.min}, {}};
  Interval x = start;
  for (int64_t i = 0; i < length.min; ++i) {
    result.elements.push_back(x);
    x = x + step;
  }
  c.set_ints(0, std::move(result));
}

void attributes_range(const Node& n, IrAttributes& a) {
  const OutPort start = n.source(0);
  a.add("output_type", n.get_type("output_type", start ? start.tensor().type : ElementType::Unknown));
}

constexpr OpDef kRangeDefs[] = {
    {.op = "Range", .type = "Range", .version = "opset4", .infer = infer_range, .ir_attributes = attributes_range},
};

}  // namespace

OpFamily ops_Range() { return kRangeDefs; }

}  // namespace mo
