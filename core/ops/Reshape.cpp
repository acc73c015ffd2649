// Reshape (opset1): data, pattern [n]. Attribute special_zero: a 0 in the pattern copies the data's dimension. One
// element may be -1: that dimension is computed from the others.

#include <algorithm>

#include "core/ops/dimension_origins.h"
#include "core/ops/known.h"

namespace mo {
namespace {

constexpr size_t kMaxDimensions = 512;

struct WantedShape {
  std::vector<Dimension> out;
  Interval others = 1;     ///< the product of the dimensions that are neither copied nor -1
  Interval remaining = 1;  ///< the product of the data's dimensions that are not copied
  int left_over = -1;      ///< the axis of the -1
};

/// For each element of the pattern that is not known but is one of the data's dimensions: that axis of the data, else
/// -1. Only if there is a -1, which is then the product of the other dimensions.
std::vector<int> copied_axes(const InferContext& c, const std::vector<Interval>& pattern) {
  std::vector<int> axes(pattern.size(), -1);
  const OutPort data = c.node().source(0), from = c.node().source(1);
  if (!c.shape(0).has_rank() || std::find(pattern.begin(), pattern.end(), Interval(-1)) == pattern.end()) return axes;
  DimensionOrigins origins(kMaxDimensions);
  std::vector<char> used(c.shape(0).dimensions().size(), 0);
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i].is_exact()) continue;
    const ShapeElement element = shape_element(from, i);
    if (element.kind != ShapeElement::Kind::Dimension) continue;
    const DimensionOrigin origin = origins.of(element.dimension);
    for (size_t k = 0; k < used.size() && axes[i] < 0; ++k)
      if (!used[k] && !c.shape(0)[k].is_exact() && origins.of({data, k}) == origin)
        axes[i] = static_cast<int>(k), used[k] = 1;
  }
  return axes;
}

WantedShape read_pattern(const InferContext& c, const std::vector<Interval>& pattern, bool special_zero) {
  const PartialShape& data = c.shape(0);
  WantedShape result;
  std::vector<char> copied(data.has_rank() ? data.dimensions().size() : 0, 0);
  const std::vector<int> axes = copied_axes(c, pattern);
  for (size_t i = 0; i < pattern.size(); ++i) {
    Interval p = pattern[i];
    if (axes[i] >= 0) {
      copied[static_cast<size_t>(axes[i])] = 1;
      result.out.push_back(data[static_cast<size_t>(axes[i])]);
      continue;
    }
    if (p.max >= -1) p.min = std::max<int64_t>(p.min, -1);
    const bool copies = special_zero && p == Interval(0);
    if (copies && data.has_rank() && i >= copied.size())
      c.fail(Code::ShapeMismatch,
             msg("element ", i, " of the pattern is 0, the data has ", copied.size(), " dimensions"));
    Dimension out = kAnyDimension;
    if (copies) {
      if (data.has_rank()) out = data[i], copied[i] = 1;
    } else if (p == Interval(-1)) {
      if (result.left_over >= 0) c.fail(Code::BadValue, "the pattern has more than one -1");
      result.left_over = static_cast<int>(i);
    } else if (p.max < -1) {
      c.fail(Code::BadValue, msg("element ", i, " of the pattern is negative"));
    } else {
      // A number that may be 0 or -1 may have a special meaning.
      if (p.min > 0 || (p.min == 0 && !special_zero))
        out = p;
      else if (p.min == 0)
        out = data.has_rank() && i < copied.size() ? unite({p.min, p.max}, data[i]) : kAnyDimension;
      result.others = result.others * out;
    }
    result.out.push_back(out);
  }
  for (size_t i = 0; i < copied.size(); ++i)
    if (!copied[i]) result.remaining = result.remaining * data[i];
  if (!data.has_rank()) result.remaining = kAnyDimension;
  return result;
}

void infer_reshape(InferContext& c) {
  const auto pattern = shape_elements_of(c, 1);
  if (!pattern) return c.set(0, {}, c.type(0));
  WantedShape p = read_pattern(c, *pattern, c.node().get_bool("special_zero", true));
  const auto mismatch = [&] {
    c.fail(Code::ShapeMismatch,
           msg("[", to_string(c.shape(0)), "] does not fit [", to_string(PartialShape(p.out)), "]"));
  };
  if (p.left_over >= 0) {
    Dimension& out = p.out[static_cast<size_t>(p.left_over)];
    // If another element may be 0 and mean a copy, the division gives no information.
    if (p.others.is_exact() && p.others.min > 0) {
      if (p.remaining.is_exact() && p.remaining.min % p.others.min != 0) mismatch();
      out =
          to_dimension({ceil_div(p.remaining.min, p.others.min).min,
                        p.remaining.max == Interval::kInfinity ? Interval::kInfinity : p.remaining.max / p.others.min});
    } else if (p.others == Interval(0)) {
      if (p.remaining.min > 0) mismatch();
      out = p.remaining.is_exact() ? Dimension(0) : kAnyDimension;
    }
  } else if (c.shape(0).has_rank() && !intersect(PartialShape(p.out).elements(), c.shape(0).elements())) {
    mismatch();
  }
  c.set(0, p.out, c.type(0));
  pass_known(c, 0);
}

void attributes_reshape(const Node& n, IrAttributes& a) { a.add("special_zero", n.get_bool("special_zero", true)); }

constexpr OpDef kReshapeDefs[] = {
    {.op = "Reshape",
     .type = "Reshape",
     .version = "opset1",
     .infer = infer_reshape,
     .ir_attributes = attributes_reshape,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_Reshape() { return kReshapeDefs; }

}  // namespace mo
