// ReadValue (opset6): the value of a variable, which a runtime keeps between two inferences. Input 0, if there is one,
// is its value before the first Assign, else zeros. Assign (opset6): gives a variable its next value; a sink, whose
// output (the value again) nothing reads. Attributes: variable_id; ReadValue also variable_type, variable_shape.

#include "core/ops/contract.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void infer_read_value(InferContext& c) {
  complete_by_contract(c.node());  // a transformation may give the shape as whole numbers
  const PartialShape* shape = c.node().attributes.get_if<PartialShape>("variable_shape");
  const ElementType type = c.node().get_type("variable_type", c.type(0));
  if (c.has_in(0) && c.type(0) != ElementType::Unknown && c.type(0) != type)
    c.fail(Code::BadValue, msg("the variable is ", ir_name(type), ", its first value ", ir_name(c.type(0))));
  c.set(0, shape ? *shape : c.shape(0), type);
}

void attributes_read_value(const Node& n, IrAttributes& a) {
  const PartialShape* shape = n.attributes.get_if<PartialShape>("variable_shape");
  a.add("variable_id", n.get_string("variable_id"));
  a.add("variable_type", n.get_type("variable_type"));
  a.add("variable_shape", to_string(shape ? *shape : PartialShape()));
}

void infer_assign(InferContext& c) {
  require_inputs(c, 1);
  if (c.node().has_out_port(0)) c.set(0, c.shape(0), c.type(0));
}

void attributes_assign(const Node& n, IrAttributes& a) { a.add("variable_id", n.get_string("variable_id")); }

// Both ends of a variable have the framework's layout, so that states stay as they are.
constexpr OpDef kReadValueDefs[] = {
    {.op = "ReadValue",
     .type = "ReadValue",
     .version = "opset6",
     .infer = infer_read_value,
     .ir_attributes = attributes_read_value,
     .layout = {LayoutClass::Reshapes}},
    {.op = "Assign",
     .type = "Assign",
     .version = "opset6",
     .infer = infer_assign,
     .ir_attributes = attributes_assign,
     .layout = {LayoutClass::Reshapes},
     .sink = true},
};

}  // namespace

OpFamily ops_ReadValue() { return kReadValueDefs; }

}  // namespace mo
