// Operations with bodies.
#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

/// A body on its own; SampleNode gives each node a copy.
struct Body {
  MemoryFiles files;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(std::make_shared<Model>(files, built_in_operations()));

  Node& parameter(Attributes attributes) {
    Node& node = graph->add_node("Parameter");
    node.add_out_ports(1);
    node.attributes = std::move(attributes);
    return node;
  }
  Node& result(OutPort source, Attributes attributes) {
    Node& node = graph->add_node("Result");
    node.add_in_ports(1);
    node.in(0).connect(source);
    node.attributes = std::move(attributes);
    return node;
  }
  OutPort relu(OutPort x) {
    Node& node = graph->add_node("ReLU");
    node.add_in_ports(1);
    node.add_out_ports(1);
    node.in(0).connect(x);
    return node.out(0);
  }
};

Attributes at(int64_t port, NewAttributes more = {}) {
  Attributes out{{"external_port_id", port}};
  out.update(more);
  return out;
}
Attributes slice_at(int64_t port, NewAttributes more = {}) {
  Attributes out = at(port, {{"axis", int64_t{1}},
                             {"start", int64_t{0}},
                             {"end", int64_t{-1}},
                             {"stride", int64_t{1}},
                             {"part_size", int64_t{1}}});
  out.update(more);
  return out;
}

Body& branch() {
  static Body body;
  if (body.graph->size() == 0) body.result(body.relu(body.parameter(at(1)).out(0)), at(0));
  return body;
}

/// Counts, passes a condition on, and carries a value.
Body& loop_body() {
  static Body body;
  if (body.graph->size() != 0) return body;
  body.parameter({{"purpose", std::string("current_iteration")}});
  Node& condition = body.parameter(at(1));
  Node& carried = body.parameter(at(2, {{"back_edge", int64_t{1}}}));
  body.result(condition.out(0), {{"purpose", std::string("execution_condition")}, {"internal_layer_id", int64_t{0}}});
  body.result(body.relu(carried.out(0)), at(0, {{"internal_layer_id", int64_t{1}}}));
  return body;
}

/// Reads slices along axis 1 and joins them again.
Body& slices_body() {
  static Body body;
  if (body.graph->size() == 0)
    body.result(body.relu(body.parameter(slice_at(0)).out(0)), slice_at(0, {{"internal_layer_id", int64_t{0}}}));
  return body;
}

}  // namespace

Samples control_flow_samples() {
  return {
      {"If",
       {data(Shape{}, ElementType::Bool), data({2, 3, 5, 7})},
       {{"then_graph", branch().graph}, {"else_graph", branch().graph}}},
      {"Loop", {number(4), data(Shape{}, ElementType::Bool), data({2, 3, 5, 7})}, {{"body", loop_body().graph}}},
      {"TensorIterator", {data({2, 3, 5, 7})}, {{"body", slices_body().graph}}},
      {"Sequence", {data({2, 3}), data({4})}},
      {"SequenceOfSlices", {data({2, 3})}, {{"axis", int64_t{1}}, {"keep_dims", false}}},
      {"ExtendedSequence", {data({2, 3}), data({4})}, {{"position", int64_t{1}}, {"count", int64_t{2}}}},
      {"ShortenedSequence", {data({2, 3})}, {{"position", int64_t{0}}, {"count", int64_t{0}}}},
      {"PackedSequence", {data({6}), data({2, 2})}, {{"axis", int64_t{0}}, {"element", PartialShape::of_rank(2)}}},
      {"JoinedList", {data({6, 3}), numbers({4, 2})}, {}},
      {"TensorListReserve", {numbers({2, 3}), number(4)}, {{"element_dtype", ElementType::F32}}},
      {"Optional", {}},
  };
}

}  // namespace mo::test
