// Concat (opset1): any number of tensors that differ only in dimension `axis`.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

/// Element by element; the blocks of the parts follow each other.
void concat_ints(InferContext& c, size_t axis, const Shape& shape) {
  size_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(shape[i]);
  if (outer == 0) return;
  IntTensor result{shape, {}};
  for (size_t k = 0; k < outer; ++k)
    for (int i = 0; i < c.in_count(); ++i) {
      const auto elements = elements_of(c, i);
      if (!elements) return;
      const size_t block = elements->size() / outer;
      result.elements.insert(result.elements.end(), elements->begin() + static_cast<std::ptrdiff_t>(k * block),
                             elements->begin() + static_cast<std::ptrdiff_t>((k + 1) * block));
    }
  if (result.elements.size() == element_count(shape)) c.set_ints(0, std::move(result));
}

void infer_concat(InferContext& c) {
  require_inputs(c, std::max(c.in_count(), 1));
  PartialShape out;
  ElementType type = ElementType::Unknown;
  std::optional<size_t> axis;
  Interval sum = 0;
  bool all_ranks = true, all_values = true;
  std::vector<Constant> values;
  for (int i = 0; i < c.in_count(); ++i) {
    if (type == ElementType::Unknown) type = c.type(i);
    if (const Constant* value = c.value(i))
      values.push_back(*value);
    else
      all_values = false;
    PartialShape shape = c.shape(i);
    all_ranks &= shape.has_rank();
    if (!shape.has_rank()) continue;
    if (!axis) axis = axis_of(c, c.node().get_int("axis"), shape.rank());
    if (shape.dimensions().size() <= *axis) c.require_rank(i, static_cast<int>(*axis) + 1);
    sum = sum + shape[*axis];
    shape[*axis] = kAnyDimension;
    out = merge(out, shape);
  }
  if (axis) out[*axis] = all_ranks ? sum : kAnyDimension;
  c.set(0, out, type);
  if (all_values && !values.empty() && axis) return set_recipe(c, 0, [&] { return concat(values, *axis); });
  if (out.is_static() && element_count(out.to_shape()) <= Tensor::kMaxInts) concat_ints(c, *axis, out.to_shape());
}

void attributes_concat(const Node& n, IrAttributes& a) { a.add("axis", n.get_int("axis")); }

constexpr OpDef kConcatDefs[] = {
    {.op = "Concat",
     .type = "Concat",
     .version = "opset1",
     .infer = infer_concat,
     .ir_attributes = attributes_concat,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Inv, .attribute = "axis"}}}},
};

}  // namespace

OpFamily ops_Concat() { return kConcatDefs; }

}  // namespace mo
