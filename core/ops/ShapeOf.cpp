// ShapeOf (opset3): data of any shape; attribute output_type, i64 or i32.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_shape_of(InferContext& c) {
  const PartialShape& shape = c.shape(0);
  c.set(0, {shape.has_rank() ? Dimension(shape.rank()) : kAnyDimension},
        c.node().get_type("output_type", ElementType::I64));
  if (shape.has_rank()) c.set_ints(0, {{shape.rank()}, shape.dimensions()});
}

void attributes_shape_of(const Node& n, IrAttributes& a) {
  a.add("output_type", n.get_type("output_type", ElementType::I64));
}

constexpr OpDef kShapeOfDefs[] = {
    {.op = "ShapeOf",
     .type = "ShapeOf",
     .version = "opset3",
     .infer = infer_shape_of,
     .ir_attributes = attributes_shape_of,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_ShapeOf() { return kShapeOfDefs; }

}  // namespace mo
