// TensorIterator (opset1): the inputs of the body, at least one of them read slice by slice. Attribute body:
// core/graph/body.h explains its Parameters and Results.

#include "core/ops/body_inference.h"

namespace mo {
namespace {

/// The number of slices of the sliced inputs.
Dimension slice_count(InferContext& c) {
  PartialShape count{kAnyDimension};
  bool sliced = false;
  for (const Node* parameter : c.node().get_graph("body")->parameters) {
    if (!parameter->has("axis")) continue;
    sliced = true;
    const PartialShape& shape = c.shape(static_cast<int>(parameter->get_int("external_port_id", -1)));
    if (!shape.has_rank()) continue;
    const int64_t part = parameter->get_int("part_size", 1);
    if (part < 1) c.fail(Code::BadAttribute, msg("part_size is ", part));
    const Dimension& along = shape[normalize_axis(parameter->get_int("axis"), shape.rank())];
    count = merge(count, PartialShape{to_dimension(floor_div(along, part))});
  }
  if (!sliced) c.fail(Code::InvalidGraph, "no input is read slice by slice");
  return count[0];
}

void infer_tensor_iterator(InferContext& c) {
  infer_loop_body(c);
  set_loop_outputs(c, slice_count(c));
}

constexpr OpDef kTensorIteratorDefs[] = {
    {.op = "TensorIterator",
     .type = "TensorIterator",
     .version = "opset1",
     .infer = infer_tensor_iterator,
     .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_TensorIterator() { return kTensorIteratorDefs; }

}  // namespace mo
