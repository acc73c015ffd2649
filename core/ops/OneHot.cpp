// OneHot (opset1): indices, depth, on value, off value (scalars); attribute axis, counted in the result.
// Eye (opset9): rows, columns, diagonal [, batch shape]; attribute output_type.
// Bucketize (opset3): data, ascending borders [n]; attributes output_type, with_right_bound.

#include "core/ops/known.h"

namespace mo {
namespace {

Dimension dimension_from(const InferContext& c, int i) {
  const auto elements = elements_of(c, i);
  if (!elements || elements->size() != 1) return kAnyDimension;
  if ((*elements)[0].max < 0) c.fail(Code::BadValue, msg("input ", i, " is negative"));
  return to_dimension((*elements)[0]);
}

void infer_one_hot(InferContext& c) {
  const PartialShape& indices = c.shape(0);
  ElementType type = c.type(2);
  if (type == ElementType::Unknown) type = c.type(3);
  if (!indices.has_rank()) return c.set(0, {}, type);
  const size_t axis = axis_of(c, c.node().get_int("axis", -1), indices.rank() + 1);
  std::vector<Dimension> out = indices.dimensions();
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), dimension_from(c, 1));
  c.set(0, out, type);
}
void attributes_one_hot(const Node& n, IrAttributes& a) { a.add("axis", n.get_int("axis", -1)); }

void infer_eye(InferContext& c) {
  const ElementType type = c.node().get_type("output_type", ElementType::F32);
  std::vector<Dimension> out;
  if (c.has_in(3)) {
    const auto batch = elements_of(c, 3);
    if (!batch) return c.set(0, {}, type);
    for (const Interval& d : *batch) out.push_back(to_dimension(d));
  }
  out.push_back(dimension_from(c, 0));
  out.push_back(dimension_from(c, 1));
  c.set(0, out, type);
}
void attributes_eye(const Node& n, IrAttributes& a) {
  a.add("output_type", n.get_type("output_type", ElementType::F32));
}

void infer_bucketize(InferContext& c) {
  c.require_rank(1, 1, 1);
  c.set(0, c.shape(0), c.node().get_type("output_type", ElementType::I64));
}
void attributes_bucketize(const Node& n, IrAttributes& a) {
  a.add("output_type", n.get_type("output_type", ElementType::I64));
  a.add("with_right_bound", n.get_bool("with_right_bound", true));
}

constexpr OpDef kOneHotDefs[] = {
    {.op = "OneHot",
     .type = "OneHot",
     .version = "opset1",
     .infer = infer_one_hot,
     .ir_attributes = attributes_one_hot,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "Eye",
     .type = "Eye",
     .version = "opset9",
     .infer = infer_eye,
     .ir_attributes = attributes_eye,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "Bucketize",
     .type = "Bucketize",
     .version = "opset3",
     .infer = infer_bucketize,
     .ir_attributes = attributes_bucketize},
};

}  // namespace

OpFamily ops_OneHot() { return kOneHotDefs; }

}  // namespace mo
