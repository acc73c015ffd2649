// Before: TensorIterator(inputs…) {body with a TensorIterator}
// After:  Loop(number of slices, true, inputs…) {the same body with true as its condition}
// Conditions: an input is read in slices of one element. A TensorIterator within another is refused by OpenVINO.

#include <algorithm>

#include "core/decompose/shaping/shaping.h"
#include "core/graph/body.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class NestedTensorIterator final : public BackReplacementPattern {
 public:
  Names run_before() const override { return {"SliceBehindState", "BackFinish"}; }
  bool graph_condition(Graph& graph) const override { return graph.model().has_bodies; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("TensorIterator"))
      if (Graph* body = node->get_graph("body"); body && !body->nodes("TensorIterator").empty())
        if (const OutPort slices = count_of_slices(*node, *body)) become_loop(*node, *body, slices);
  }

 private:
  /// As an i64 scalar.
  static OutPort count_of_slices(const Node& node, const Graph& body) {
    for (const Node* parameter : body.parameters) {
      if (!parameter->has("axis") || parameter->get_int("part_size", 1) != 1) continue;
      const OutPort source = node.source(static_cast<int>(parameter->get_int("external_port_id")));
      const int64_t axis = parameter->get_int("axis");
      Builder b(source.node().graph(), node.name());
      const PartialShape& shape = source.tensor().shape;
      const Dimension size = shape.has_rank() ? shape[normalize_axis(axis, shape.rank())] : kAnyDimension;
      return size.is_exact() ? b.i64_scalar(size.min) : dimension_of(b, source, axis);
    }
    return {};
  }

  static void become_loop(Node& node, Graph& body, OutPort slices) {
    Builder outside(node), inside(body, node.name());
    std::vector<OutPort> inputs{slices, outside.constant(make_scalar(ElementType::Bool, 1))};
    for (int i = 0; i < node.in_count(); ++i) inputs.push_back(node.has_in(i) ? node.source(i) : OutPort());
    node.truncate_in_ports(0);
    node.add_in_ports(static_cast<int>(inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i]) node.in(static_cast<int>(i)).connect(inputs[i]);
    int64_t number = 0;
    for (const Node* result : body.results) number = std::max(number, result->get_int("internal_layer_id", 0) + 1);
    for (Node* parameter : body.parameters)
      if (parameter->has("external_port_id"))
        parameter->set("external_port_id", parameter->get_int("external_port_id") + 2);
    Node& condition = body.add_node("Result", node.name() + "/condition");
    condition.add_in_ports(1);
    condition.in(0).connect(inside.constant(make_scalar(ElementType::Bool, 1)));
    condition.set("purpose", std::string("execution_condition"));
    condition.set("internal_layer_id", number);
    node.set_op("Loop");
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(NestedTensorIterator)
}  // namespace mo
