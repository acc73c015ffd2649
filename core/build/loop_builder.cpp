#include "core/build/loop_builder.h"

#include "core/ops/op_def.h"

namespace mo {

void set_slices(Node& boundary, int64_t axis, bool reverse) {
  boundary.set("axis", axis);
  boundary.set("start", int64_t{reverse ? -1 : 0});
  boundary.set("end", int64_t{reverse ? 0 : -1});
  boundary.set("stride", int64_t{reverse ? -1 : 1});
  boundary.set("part_size", int64_t{1});
}

LoopBuilder::LoopBuilder(Builder& b)
    : loop_(b.graph().add_node("TensorIterator", b.prefix() + "/TensorIterator")),
      body_(std::make_shared<Graph>(b.graph().shared_model(), &loop_)),
      body_builder_(std::make_unique<Builder>(*body_, b.prefix())) {
  loop_.set("body", body_);
}

Node& LoopBuilder::parameter(OutPort outside, PartialShape shape) {
  const int port = loop_.in_count();
  loop_.add_in_ports(port + 1);
  loop_.in(port).connect(outside);
  Node& made = body_->add_node("Parameter", outside.node().name());
  made.add_out_ports(1);
  made.set("external_port_id", int64_t{port});
  made.set("shape", std::move(shape));
  made.set("data_type", outside.tensor().type);
  return made;
}

OutPort LoopBuilder::each(OutPort outside, int64_t axis, bool reverse) {
  PartialShape shape = outside.tensor().shape;
  if (shape.has_rank()) shape[normalize_axis(axis, shape.rank())] = 1;
  Node& made = parameter(outside, std::move(shape));
  set_slices(made, axis, reverse);
  infer_node(made);
  return body_builder_->squeeze(made.out(0), {axis});
}

OutPort LoopBuilder::invariant(OutPort outside) {
  // A constant is repeated in the body; both are the same slice.
  if (const Tensor& known = outside.tensor(); known.value && !known.from_shape)
    return body_builder_->constant(*known.value);
  Node& made = parameter(outside, {});
  infer_node(made);
  return made.out(0);
}

OutPort LoopBuilder::state(OutPort initial) {
  Node& made = parameter(initial, initial.tensor().shape);
  made.set("back_edge", static_cast<int64_t>(made.id()));
  infer_node(made);
  return made.out(0);
}

OutPort LoopBuilder::output(Node& result) {
  const int port = loop_.out_count();
  loop_.add_out_ports(port + 1);
  result.set("external_port_id", int64_t{port});
  return loop_.out(port);
}

OutPort LoopBuilder::carry(OutPort state, OutPort next) {
  Node& result = body_->add_node("Result", next.node().name() + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(next);
  result.set("internal_layer_id", state.node().get_int("back_edge"));
  return output(result);
}

OutPort LoopBuilder::collect(OutPort part, int64_t axis, bool reverse) {
  Node& result = body_->add_node("Result", part.node().name() + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(body_builder_->unsqueeze(part, {axis}));
  set_slices(result, axis, reverse);
  return output(result);
}

void LoopBuilder::finish() { infer_node(loop_); }

}  // namespace mo
