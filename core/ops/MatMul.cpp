// Inverse (opset14): square matrices; attribute adjoint.
// MatMul (opset1): A [batch…, M, K], B [batch…, K, N]; transpose_a and transpose_b swap the last two. A 1-D A is a row
// and a 1-D B a column; the result does not have the dimension added for it.

#include "core/ops/op_def.h"

namespace mo {
namespace {

struct Operand {
  std::vector<Dimension> batch;
  Dimension rows, columns;
};

Operand operand(const PartialShape& shape, bool transposed, bool first) {
  const std::vector<Dimension>& dims = shape.dimensions();
  if (dims.size() == 1) return first ? Operand{{}, 1, dims[0]} : Operand{{}, dims[0], 1};
  Operand out{{dims.begin(), dims.end() - 2}, dims[dims.size() - 2], dims[dims.size() - 1]};
  if (transposed) std::swap(out.rows, out.columns);
  return out;
}

void infer_matmul(InferContext& c) {
  const ElementType type = c.type(0) == ElementType::Unknown ? c.type(1) : c.type(0);
  if (c.type(1) != ElementType::Unknown && c.type(1) != type)
    c.fail(Code::UnsupportedType, msg("inputs of type ", ir_name(type), " and ", ir_name(c.type(1))));
  c.require_rank(0, 1);
  c.require_rank(1, 1);
  if (!c.shape(0).has_rank() || !c.shape(1).has_rank()) return c.set(0, {}, type);
  const Operand a = operand(c.shape(0), c.node().get_bool("transpose_a"), true);
  const Operand b = operand(c.shape(1), c.node().get_bool("transpose_b"), false);
  if (!intersect(a.columns, b.rows))
    c.fail(Code::ShapeMismatch, msg("[", to_string(c.shape(0)), "] times [", to_string(c.shape(1)),
                                    "]: ", to_string(a.columns), " columns meet ", to_string(b.rows), " rows"));
  std::vector<Dimension> out = broadcast(PartialShape(a.batch), PartialShape(b.batch)).dimensions();
  if (c.shape(0).rank() > 1) out.push_back(a.rows);
  if (c.shape(1).rank() > 1) out.push_back(b.columns);
  c.set(0, std::move(out), type);
}

void attributes_matmul(const Node& n, IrAttributes& a) {
  a.add("transpose_a", n.get_bool("transpose_a"));
  a.add("transpose_b", n.get_bool("transpose_b"));
}

void infer_inverse(InferContext& c) {
  c.require_rank(0, 2);
  c.set(0, c.shape(0), c.type(0));
}
void attributes_inverse(const Node& n, IrAttributes& a) { a.add("adjoint", n.get_bool("adjoint")); }

constexpr OpDef kMatMulDefs[] = {
    {.op = "Inverse",
     .type = "Inverse",
     .version = "opset14",
     .infer = infer_inverse,
     .ir_attributes = attributes_inverse,
     .layout = {LayoutClass::Reshapes}},
    {.op = "MatMul",
     .type = "MatMul",
     .version = "opset1",
     .infer = infer_matmul,
     .ir_attributes = attributes_matmul,
     .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_MatMul() { return kMatMulDefs; }

}  // namespace mo
