// Bodies with NHWC operations in them.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

/// A body whose Parameters and Results have their attributes.
struct BodyGraph {
  BodyGraph(NhwcGraph& outer, Node& owner)
      : graph(std::make_shared<Graph>(outer.graph().shared_model(), &owner)), g(*graph) {}

  OutPort parameter(const std::string& name, const PartialShape& shape, const Attributes& attributes,
                    ElementType type = ElementType::F32) {
    Node& node = graph->add_node("Parameter", name);
    node.add_out_ports(1);
    node.attributes = attributes;
    node.set("shape", shape);
    node.set("data_type", type);
    return node;
  }
  void result(OutPort source, const Attributes& attributes) {
    Node& node = graph->add_node("Result");
    node.add_in_ports(1);
    node.in(0).connect(source);
    node.attributes = attributes;
  }

  std::shared_ptr<Graph> graph;
  NhwcGraph g;
};

Attributes outside(int64_t port) { return {{"external_port_id", port}}; }
Attributes slices(int64_t port, int64_t axis) {
  return {{"external_port_id", port}, {"axis", axis}, {"start", 0}, {"end", -1}, {"stride", 1}, {"part_size", 1}};
}

std::shared_ptr<Graph> branch(NhwcGraph& outer, Node& owner, const char* activation) {
  BodyGraph body(outer, owner);
  const OutPort x = body.parameter("b", PartialShape(Shape{1, 8, 10, 4}), outside(1));
  const OutPort conv = body.g.conv("conv", x, {4, 4, 3, 3});
  body.result(body.g.op(activation, "act", {body.g.op("Add", "bias", {conv, body.g.weights({4})})}), outside(0));
  return body.graph;
}

}  // namespace

std::vector<LayoutGraph> body_graphs() {
  return {
      {"if",
       [](NhwcGraph& g) {
         const OutPort x = g.conv("conv", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3});
         const OutPort which = g.input("which", Shape{}, {}, ElementType::Bool);
         const OutPort chosen = g.op("If", "if", {which, x});
         chosen.node().set("then_graph", branch(g, chosen.node(), "ReLU"));
         chosen.node().set("else_graph", branch(g, chosen.node(), "Sigmoid"));
         g.result(g.op("Tanh", "tanh", {chosen}), "y");
       }},
      {"loop",
       [](NhwcGraph& g) {
         const OutPort x = g.conv("conv", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3});
         const OutPort trips = g.i64_scalar(3), yes = g.graph().constant(make_scalar(ElementType::Bool, 1));
         const OutPort loop = g.op("Loop", "loop", {trips, yes, x});
         BodyGraph body(g, loop.node());
         const OutPort on = body.parameter("on", PartialShape(Shape{}), outside(1), ElementType::Bool);
         const OutPort state = body.parameter("state", PartialShape(), {{"external_port_id", 2}, {"back_edge", 1}});
         body.result(on, {{"purpose", "execution_condition"}, {"internal_layer_id", 0}});
         const OutPort next = body.g.op("Add", "add", {state, body.g.conv("inner", state, {4, 4, 3, 3})});
         body.result(next, {{"external_port_id", 0}, {"internal_layer_id", 1}});
         loop.node().set("body", body.graph);
         g.result(g.conv("conv2", loop, {2, 4, 1, 1}), "y");
       }},
      {"tensor_iterator",
       [](NhwcGraph& g) {
         const OutPort x = g.conv("conv", g.input("x", {1, 3, 10, 3}), {4, 3, 3, 3});
         const OutPort loop = g.op("TensorIterator", "rows", {x});
         BodyGraph body(g, loop.node());
         const OutPort row = body.parameter("row", PartialShape(), slices(0, 1));
         const OutPort conv = body.g.conv("inner", row, {4, 4, 1, 3});
         Attributes out = slices(0, 1);
         out.set("internal_layer_id", int64_t{0});
         body.result(body.g.op("ReLU", "act", {conv}), out);
         loop.node().set("body", body.graph);
         g.result(loop, "y");
       }},
  };
}

}  // namespace mo::test
