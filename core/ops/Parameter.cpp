// Parameter (opset1; attributes `shape` and `data_type`) and Result (opset1): the inputs and outputs of the model or of
// a body.

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/ops/contract.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_parameter(InferContext& c) {
  if (const OutPort source = invariant_source(c.node())) {
    const Tensor& outside = source.tensor();
    Tensor& tensor = c.node().out(0).tensor();
    tensor.shape = outside.shape, tensor.type = outside.type, tensor.from_shape = outside.from_shape;
    tensor.value = outside.value, tensor.ints = outside.ints;
    c.node().set("shape", outside.shape);
    c.node().set("data_type", outside.type);
    return;
  }
  // A transformation may give the shape as whole numbers.
  complete_by_contract(c.node());
  const PartialShape* shape = c.node().attributes.get_if<PartialShape>("shape");
  c.set(0, shape ? *shape : PartialShape(), c.node().get_type("data_type"));
}
void attributes_parameter(const Node& n, IrAttributes& a) {
  const PartialShape* shape = n.attributes.get_if<PartialShape>("shape");
  a.add("shape", to_string(shape ? *shape : PartialShape()));
  a.add("element_type", n.get_type("data_type"));
}

void infer_result(InferContext& c) {
  if (!c.has_in(0)) c.fail(Code::MissingInput, "a model output is fed by nothing");
}

constexpr OpDef kParameterDefs[] = {
    {.op = "Parameter",
     .type = "Parameter",
     .version = "opset1",
     .infer = infer_parameter,
     .ir_attributes = attributes_parameter,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Perm, .attribute = "shape"}}}},
    {.op = "Result", .type = "Result", .version = "opset1", .infer = infer_result},
};

}  // namespace

OpFamily ops_Parameter() { return kParameterDefs; }

}  // namespace mo
