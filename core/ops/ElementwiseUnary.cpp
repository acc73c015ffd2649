// Operations that map each element alone: the output has the input's shape and type.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_elementwise_unary(InferContext& c) { c.set(0, c.shape(0), c.type(0)); }

void attributes_elu(const Node& n, IrAttributes& a) { a.add("alpha", n.get_float("alpha", 1)); }
void attributes_clamp(const Node& n, IrAttributes& a) {
  a.add("min", n.get_float("min"));
  a.add("max", n.get_float("max"));
}

constexpr OpDef unary(std::string_view op, std::string_view type, std::string_view version) {
  return {.op = op, .type = type, .version = version, .infer = infer_elementwise_unary};
}

const OpDef kDefs[] = {
    unary("Abs", "Abs", "opset1"),
    unary("Exp", "Exp", "opset1"),
    unary("Erf", "Erf", "opset1"),
    unary("ReLU", "ReLU", "opset1"),
    unary("Sqrt", "Sqrt", "opset1"),
    {.op = "Elu", .type = "Elu", .version = "opset1", .infer = infer_elementwise_unary, .ir_attributes = attributes_elu},
    {.op = "Clamp", .type = "Clamp", .version = "opset1", .infer = infer_elementwise_unary, .ir_attributes = attributes_clamp},
};

}  // namespace

OpFamily ops_ElementwiseUnary() { return kDefs; }

}  // namespace mo
