#include "core/decompose/control/inline_body.h"

#include <map>

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {

std::vector<OutPort> copy_nodes(Graph& graph, const Graph& body, const std::map<const Node*, OutPort>& sources,
                                const std::string& prefix, std::vector<Node*>& made) {
  std::map<const Node*, Node*> copies;
  const auto outside = [&](OutPort port) -> OutPort {
    if (!port) return {};
    if (const auto found = sources.find(&port.node()); found != sources.end()) return found->second;
    return copies.at(&port.node())->out(port.index());
  };
  for (Node* node : body.topological_order()) {
    if (node->op() == "Parameter" || node->op() == "Result") continue;
    Node& copy = graph.add_copy(*node, prefix + node->name());
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort from = outside(node->source(i))) copy.in(i).connect(from);
    copy.require_shape_inference();
    for (Graph* inner : bodies_of(copy))  // the tensors of copies are not known yet
      for_each_graph(*inner, [](Graph& each_graph) {
        for (Node* each : each_graph.nodes()) each->require_shape_inference();
      });
    copies[node] = &copy;
    made.push_back(&copy);
  }
  std::vector<OutPort> results;
  for (const Node* result : body.results) results.push_back(outside(result->source(0)));
  return results;
}

std::vector<OutPort> inline_body(Builder& b, Node& owner, const std::string& attribute,
                                 const std::vector<OutPort>& inputs) {
  Graph& body = *owner.get_graph(attribute);
  size_t formal = 0;
  std::map<const Node*, OutPort> sources;  // by the body's parameters
  for (const Node* parameter : body.parameters) {
    if (parameter->has("external_port_id")) {
      sources[parameter] = owner.source(static_cast<int>(parameter->get_int("external_port_id")));
    } else if (formal < inputs.size()) {
      sources[parameter] = inputs[formal++];
    } else {
      throw Error(Code::ShapeMismatch, msg(attribute, " has more than ", inputs.size(), " inputs"));
    }
  }
  if (formal != inputs.size())
    throw Error(Code::ShapeMismatch, msg(attribute, " has ", formal, " inputs, want ", inputs.size()));

  std::vector<Node*> order;
  const std::vector<OutPort> ends = copy_nodes(b.graph(), body, sources, owner.name() + "/", order);
  // The Identity nodes are consumers, so they stay connected when decompositions replace the copies.
  std::vector<OutPort> results;
  for (const OutPort& end : ends) {
    Node& exit = b.graph().add_node("Identity", owner.name() + "/" + attribute);
    exit.add_in_ports(1);
    exit.add_out_ports(1);
    if (end) exit.in(0).connect(end);
    order.push_back(&exit);
    results.push_back(exit.out(0));
  }
  for (Node* node : order) infer_or_decompose(*node);
  return results;
}

std::vector<OutPort> inline_branch(Builder& b, Node& owner, const std::string& attribute) {
  const std::vector<OutPort> made = inline_body(b, owner, attribute, {});
  const std::vector<Node*>& results = owner.get_graph(attribute)->results;
  std::vector<OutPort> outputs(static_cast<size_t>(owner.out_count()));
  for (size_t i = 0; i < results.size(); ++i)
    if (const int port = static_cast<int>(results[i]->get_int("external_port_id", -1)); owner.has_out_port(port))
      outputs[static_cast<size_t>(port)] = made[i];
  return outputs;
}

}  // namespace mo
