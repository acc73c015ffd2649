// Cast (IR Convert, opset1): attribute `dst_type`.
// ConvertLike (opset1): the element type of input 1.

#include "core/ops/known.h"

namespace mo {
namespace {

/// The range of an integer type; nullopt for other types.
std::optional<Interval> range_of(ElementType type) {
  if (!is_integer(type)) return std::nullopt;
  const int width = bits(type);
  if (width == 64) return is_signed(type) ? Interval() : Interval(0, Interval::kInfinity);
  if (!is_signed(type)) return Interval(0, (int64_t{1} << width) - 1);
  return Interval(-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1);
}

Interval to_boolean(Interval x) {
  if (x == Interval(0)) return 0;
  return intersect(x, 0) ? Interval(0, 1) : Interval(1);
}

void infer_convert_to(InferContext& c, ElementType type) {
  c.set(0, c.shape(0), type);
  if (type == ElementType::Unknown || c.type(0) == ElementType::Unknown) return;
  if (type == c.type(0)) return pass_known(c, 0);
  if (const Constant* value = c.value(0)) return set_recipe(c, 0, [&] { return convert(*value, type); });
  const auto& ints = c.ints(0);
  if (!ints) return;
  IntTensor result{ints->shape, {}};
  for (const Interval& x : ints->elements) {
    if (type == ElementType::Bool) {
      result.elements.push_back(to_boolean(x));
      continue;
    }
    const auto range = range_of(type);
    if (!range) return;
    // Values outside the range wrap around. An unbounded dimension is assumed to fit.
    const bool fits = x.min >= range->min && (x.max <= range->max || x.max == Interval::kInfinity);
    result.elements.push_back(fits ? Interval(x.min, std::min(x.max, range->max)) : *range);
  }
  c.set_ints(0, std::move(result));
}

void infer_cast(InferContext& c) { infer_convert_to(c, c.node().get_type("dst_type")); }
void attributes_cast(const Node& n, IrAttributes& a) { a.add("destination_type", n.get_type("dst_type")); }

void infer_convert_like(InferContext& c) { infer_convert_to(c, c.type(1)); }

constexpr OpDef kConvertDefs[] = {
    {.op = "Cast", .type = "Convert", .version = "opset1", .infer = infer_cast, .ir_attributes = attributes_cast},
    {.op = "ConvertLike", .type = "ConvertLike", .version = "opset1", .infer = infer_convert_like},
};

}  // namespace

OpFamily ops_Convert() { return kConvertDefs; }

}  // namespace mo
