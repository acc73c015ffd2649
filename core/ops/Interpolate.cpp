// Interpolate (opset4): data, sizes (i64), scales (f32), axes (optional: all). Attributes: mode (nearest, linear,
// linear_onnx, cubic), shape_calculation_mode (whether sizes or scales are used), coordinate_transformation_mode,
// nearest_mode, antialias, pads_begin, pads_end, cube_coeff.

#include <cmath>

#include "core/ops/op_def.h"

namespace mo {
namespace {

/// As the runtime computes it: one f32 product, rounded down.
int64_t scaled_dimension(int64_t dimension, double scale) {
  if (dimension == Interval::kInfinity) return dimension;
  const float product = std::floor(static_cast<float>(dimension) * static_cast<float>(scale));
  return product >= 0x1p62f ? Interval::kInfinity : static_cast<int64_t>(product);
}

void infer_interpolate(InferContext& c) {
  const Node& node = c.node();
  PartialShape out = c.shape(0);
  if (!out.has_rank()) return c.set(0, {}, c.type(0));
  const Ints begin = node.get_ints("pads_begin"), end = node.get_ints("pads_end");
  for (size_t i = 0; i < out.dimensions().size(); ++i)
    out[i] = to_dimension(out[i] + (i < begin.size() ? begin[i] : 0) + (i < end.size() ? end[i] : 0));

  std::optional<Ints> axes = c.exact_ints(3);
  if (!c.has_in(3)) {
    axes.emplace();
    for (int i = 0; i < out.rank(); ++i) axes->push_back(i);
  }
  if (!axes) return c.set(0, PartialShape::of_rank(out.dimensions().size()), c.type(0));
  const bool by_sizes = node.get_string("shape_calculation_mode") == "sizes";
  const auto& sizes = c.ints(1);
  const auto scales = !by_sizes && c.value(2) ? read_doubles(*c.value(2), c.files(), 64) : std::nullopt;
  const size_t given =
      by_sizes ? (sizes ? sizes->elements.size() : axes->size()) : (scales ? scales->size() : axes->size());
  if (given != axes->size())
    c.fail(Code::ShapeMismatch, by_sizes ? msg(given, " sizes for ", axes->size(), " axes")
                                         : msg(given, " scales for ", axes->size(), " axes"));
  for (size_t i = 0; i < axes->size(); ++i) {
    Dimension& d = out[normalize_axis((*axes)[i], out.rank())];
    if (by_sizes)
      d = sizes ? to_dimension(sizes->elements[i]) : kAnyDimension;
    else if (!scales)
      d = kAnyDimension;
    else if (!((*scales)[i] > 0 && (*scales)[i] < HUGE_VAL))
      c.fail(Code::BadValue, msg("a scale of ", (*scales)[i]));
    else
      d = {scaled_dimension(d.min, (*scales)[i]), scaled_dimension(d.max, (*scales)[i])};
  }
  c.set(0, out, c.type(0));
}

void attributes_interpolate(const Node& n, IrAttributes& a) {
  a.add("mode", n.get_string("mode"));
  a.add("shape_calculation_mode", n.get_string("shape_calculation_mode"));
  a.add("coordinate_transformation_mode", n.get_string("coordinate_transformation_mode", "half_pixel"));
  a.add("nearest_mode", n.get_string("nearest_mode", "round_prefer_floor"));
  a.add("antialias", n.get_bool("antialias"));
  a.add("pads_begin", n.get_ints("pads_begin", {0}));
  a.add("pads_end", n.get_ints("pads_end", {0}));
  a.add("cube_coeff", n.get_float("cube_coeff", -0.75));
}

constexpr Layout kInterpolateLayout{
    LayoutClass::Follows,
    {{LayoutRule::Kind::Axis, {}, 3, 1}, {LayoutRule::Kind::Perm, "pads_begin"}, {LayoutRule::Kind::Perm, "pads_end"}}};
constexpr OpDef kInterpolateDefs[] = {
    {.op = "Interpolate",
     .type = "Interpolate",
     .version = "opset4",
     .infer = infer_interpolate,
     .ir_attributes = attributes_interpolate,
     .layout = kInterpolateLayout},
};

}  // namespace

OpFamily ops_Interpolate() { return kInterpolateDefs; }

}  // namespace mo
