// Split (opset1): data, axis; attribute num_splits: the number of equal parts.
// VariadicSplit (opset1): data, axis, lengths [n] (one may be -1: the rest).

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

/// Sets output `part`: elements [from, from + length) along `axis`.
void set_part(InferContext& c, int part, size_t axis, int64_t from, int64_t length) {
  const PartialShape& shape = c.shape(0);
  if (const Constant* value = c.value(0))
    return set_recipe(c, part, [&] { return slice(*value, axis, from, from + length); });
  arrange_known(
      c, 0,
      [&] {
        const std::vector<uint64_t> strides = strides_of(shape.to_shape());
        Offsets offsets(strides.size());
        for (size_t i = 0; i < strides.size(); ++i) {
          const int64_t count = i == axis ? length : shape[i].min, start = i == axis ? from : 0;
          for (int64_t k = 0; k < count; ++k) offsets[i].push_back(static_cast<uint64_t>(start + k) * strides[i]);
        }
        return offsets;
      },
      part);
}

/// Sets all outputs. `lengths` are their dimensions along the axis, exact or not.
void set_parts(InferContext& c, const std::vector<Interval>& lengths) {
  const PartialShape& shape = c.shape(0);
  const auto axis = c.exact_int(1);
  Interval from = 0;
  for (int part = 0; part < c.node().out_count(); ++part) {
    const Interval length = lengths[static_cast<size_t>(part)];
    if (!shape.has_rank() || !axis) {
      c.set(part, shape.has_rank() ? PartialShape::of_rank(shape.dimensions().size()) : PartialShape(), c.type(0));
      continue;
    }
    const size_t at = axis_of(c, *axis, shape.rank());
    PartialShape out = shape;
    out[at] = to_dimension(length);
    c.set(part, out, c.type(0));
    if (from.is_exact() && length.is_exact()) set_part(c, part, at, from.min, length.min);
    from = from + length;
  }
}

std::optional<Dimension> split_dimension(const InferContext& c) {
  const auto axis = c.exact_int(1);
  if (!axis || !c.shape(0).has_rank()) return std::nullopt;
  return c.shape(0)[axis_of(c, *axis, c.shape(0).rank())];
}

void infer_split(InferContext& c) {
  const int64_t parts = c.node().get_int("num_splits");
  if (parts < 1 || parts != c.node().out_count())
    c.fail(Code::BadAttribute, msg("num_splits is ", parts, " for ", c.node().out_count(), " outputs"));
  Interval length = kAnyDimension;
  if (const auto d = split_dimension(c)) {
    if (d->is_exact() && d->min % parts != 0)
      c.fail(Code::ShapeMismatch, msg(d->min, " cannot be split into ", parts, " equal parts"));
    length = {ceil_div(d->min, parts).min, d->max == Interval::kInfinity ? d->max : d->max / parts};
  }
  set_parts(c, std::vector<Interval>(static_cast<size_t>(parts), length));
}

void infer_variadic_split(InferContext& c) {
  const auto count = static_cast<size_t>(c.node().out_count());
  auto lengths = elements_of(c, 2);
  if (!lengths) lengths = std::vector<Interval>(count, kAnyDimension);
  if (lengths->size() != count) c.fail(Code::ShapeMismatch, msg(lengths->size(), " lengths for ", count, " outputs"));
  Interval sum = 0;
  Interval* rest = nullptr;
  bool known = true;
  for (Interval& length : *lengths) {
    if (length.max >= -1) length.min = std::max<int64_t>(length.min, -1);
    if (length == Interval(-1)) {
      if (rest) c.fail(Code::BadValue, "more than one length is -1");
      rest = &length;
      continue;
    }
    if (length.max < -1) c.fail(Code::BadValue, "a length is negative");
    if (length.min < 0) known = false, length = kAnyDimension;
    sum = sum + length;
  }
  if (rest) *rest = kAnyDimension;
  if (const auto d = split_dimension(c); d && known) {
    if (!rest && !intersect(sum, *d))
      c.fail(Code::ShapeMismatch,
             msg("lengths that add up to ", to_string(sum), " for a dimension of ", to_string(*d)));
    const Interval left = *d - sum;
    if (left.max < 0)
      c.fail(Code::ShapeMismatch,
             msg("lengths that add up to ", to_string(sum), " for a dimension of ", to_string(*d)));
    if (rest) *rest = to_dimension(left);
  }
  set_parts(c, *lengths);
}

void attributes_split(const Node& n, IrAttributes& a) { a.add("num_splits", n.get_int("num_splits")); }

constexpr Layout kSplitLayout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Axis, .input = 1}}};
constexpr OpDef kSplitDefs[] = {
    {.op = "Split",
     .type = "Split",
     .version = "opset1",
     .infer = infer_split,
     .ir_attributes = attributes_split,
     .layout = kSplitLayout},
    {.op = "VariadicSplit",
     .type = "VariadicSplit",
     .version = "opset1",
     .infer = infer_variadic_split,
     .layout = kSplitLayout},
};

}  // namespace

OpFamily ops_Split() { return kSplitDefs; }

}  // namespace mo
