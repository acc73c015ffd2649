// Scaffold until the families land.
#include "core/ops/op_def.h"
namespace mo {
namespace {
void infer_tl_binary(InferContext& c) { c.set(0, broadcast(c.shape(0), c.shape(1)), c.type(0)); }
void attr_tl_binary(const Node&, IrAttributes& a) { a.add("auto_broadcast", "numpy"); }
void infer_tl_identity(InferContext& c) {
  c.set(0, c.shape(0), c.type(0));
  if (c.value(0)) c.set_value(0, *c.value(0));
}
void infer_tl_cast(InferContext& c) { c.set(0, c.shape(0), c.node().get_type("dst_type")); }
void attr_tl_cast(const Node& n, IrAttributes& a) { a.add("destination_type", n.get_type("dst_type")); }
void infer_tl_matmul(InferContext& c) { c.set(0, PartialShape::of_rank(2), c.type(0)); }
void attr_tl_matmul(const Node& n, IrAttributes& a) {
  a.add("transpose_a", n.get_bool("transpose_a"));
  a.add("transpose_b", n.get_bool("transpose_b"));
}
void infer_tl_reduce(InferContext& c) { c.set(0, {}, c.type(0)); }
void attr_tl_reduce(const Node& n, IrAttributes& a) { a.add("keep_dims", n.get_bool("keep_dims")); }
const OpDef kThinLineDefs[] = {
    {.op = "Add", .type = "Add", .version = "opset1", .infer = infer_tl_binary, .ir_attributes = attr_tl_binary},
    {.op = "Mul", .type = "Multiply", .version = "opset1", .infer = infer_tl_binary, .ir_attributes = attr_tl_binary},
    {.op = "Identity", .type = "", .version = "", .infer = infer_tl_identity},
    {.op = "Cast", .type = "Convert", .version = "opset1", .infer = infer_tl_cast, .ir_attributes = attr_tl_cast},
    {.op = "MatMul", .type = "MatMul", .version = "opset1", .infer = infer_tl_matmul, .ir_attributes = attr_tl_matmul},
    {.op = "ReduceMean", .type = "ReduceMean", .version = "opset1", .infer = infer_tl_reduce, .ir_attributes = attr_tl_reduce},
};
}  // namespace
OpFamily ops_ThinLine() { return kThinLineDefs; }
}  // namespace mo
