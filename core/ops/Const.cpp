// Const (opset1): attribute `value`. The emitter writes its range of the .bin.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_const(InferContext& c) {
  const Constant* value = c.node().get_constant("value");
  if (!value) c.fail(Code::MissingAttribute, "value");
  c.set_value(0, *value);
}

constexpr OpDef kConstDefs[] = {
    {.op = "Const",
     .type = "Const",
     .version = "opset1",
     .infer = infer_const,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Transpose, .attribute = "value"}}}},
};

}  // namespace

OpFamily ops_Const() { return kConstDefs; }

}  // namespace mo
