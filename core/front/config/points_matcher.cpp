#include <algorithm>

#include "core/front/config/subgraph_matcher.h"

namespace mo {
namespace {

/// A set of nodes of one graph in order of insertion.
class NodeSet {
 public:
  /// True when the node is new.
  bool add(Node& node) {
    const size_t id = static_cast<size_t>(node.id());
    if (id >= has_.size()) has_.resize(id + 1);
    if (has_[id]) return false;
    has_[id] = true;
    nodes_.push_back(&node);
    return true;
  }
  void add_all(const std::vector<Node*>& nodes) {
    for (Node* node : nodes) add(*node);
  }
  bool has(const Node& node) const {
    const size_t id = static_cast<size_t>(node.id());
    return id < has_.size() && has_[id];
  }
  const std::vector<Node*>& nodes() const { return nodes_; }

 private:
  std::vector<bool> has_;
  std::vector<Node*> nodes_;
};

/// Start and end nodes according to the entry.
struct Points {
  NodeSet start, end;
};

/// The nodes with these names, in the order of the names; names that the graph lacks are skipped.
std::vector<Node*> find_all(Graph& graph, const Strings& names) {
  std::vector<Node*> found;
  for (const std::string& name : names)
    if (Node* node = find_named(graph, name)) found.push_back(node);
  return found;
}

std::vector<InPort> consumers_of(Node& node) {
  std::vector<InPort> ports;
  for (int i = 0; i < node.out_count(); ++i)
    for (const InPort& port : node.out(i).destinations())
      if (port.node().op() != "Result") ports.push_back(port);
  return ports;
}

Points find_points(Graph& graph, const ReplacementDescription& description) {
  Points points;
  for (Node* node : find_all(graph, description.start_points)) {
    if (description.include_inputs) {
      points.start.add(*node);
    } else {
      for (const InPort& port : consumers_of(*node)) points.start.add(port.node());
    }
  }
  for (Node* node : find_all(graph, description.end_points)) {
    if (description.include_outputs) {
      points.end.add(*node);
    } else {
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i)) points.end.add(source.node());
    }
  }
  return points;
}

/// Whether the source is data or weights. A constant of at most one dimension is a parameter such as a shape.
bool is_data(OutPort source) {
  const Constant* constant = source.node().op() == "Const" ? source.node().get_constant("value") : nullptr;
  return !constant || constant->shape.size() > 1;
}

std::vector<InPort> inputs_of_start(Node& start, const ReplacementDescription& description) {
  if (!description.include_inputs) return consumers_of(start);
  std::vector<InPort> data;
  for (int i = 0; i < start.in_count(); ++i)
    if (start.has_in(i) && is_data(start.source(i))) data.push_back(start.in(i));
  if (data.size() > 1)
    throw Error(Code::StartPointInputs,
                msg("'", start.name(), "' of the entry with id '", description.id, "' has ", data.size()),
                start.place());
  if (data.empty() && start.in_count() > 0) data.push_back(start.in(0));
  return data;
}

}  // namespace

Node* find_named(const Graph& graph, const std::string& name) {
  if (Node* node = graph.find(name)) return node;
  for (const char* call : {"StatefulPartitionedCall/", "PartitionedCall/"})
    if (Node* node = graph.find(call + name)) return node;
  return nullptr;
}

std::vector<SubgraphMatch> match_points(Graph& graph, const ReplacementDescription& description) {
  if (find_all(graph, description.start_points).size() != description.start_points.size() ||
      find_all(graph, description.end_points).size() != description.end_points.size())
    return {};
  const Points points = find_points(graph, description);
  NodeSet matched;
  matched.add_all(points.start.nodes());
  for (size_t i = 0; i < matched.nodes().size(); ++i) {
    graph.model().beat();
    Node& node = *matched.nodes()[i];
    if (points.end.has(node)) continue;
    for (const InPort& port : consumers_of(node)) matched.add(port.node());
  }
  for (const Node* end : points.end.nodes())
    if (!matched.has(*end))
      throw Error(Code::EndNotReached, msg("end point '", end->name(), "' of the entry with id '", description.id, "'"),
                  end->place());
  for (size_t i = 0; i < matched.nodes().size(); ++i) {
    graph.model().beat();
    Node& node = *matched.nodes()[i];
    if (points.start.has(node)) continue;
    for (int input = 0; input < node.in_count(); ++input)
      if (const OutPort source = node.source(input)) matched.add(source.node());
  }
  std::vector<Node*> nodes = matched.nodes();
  for (const Node* node : nodes)
    if (node->op() == "Parameter")
      throw Error(Code::ParameterInSubgraph,
                  msg("'", node->name(), "' in that of the entry with id '", description.id, "'"), node->place());
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
  std::vector<SubgraphMatch> matches;
  if (!nodes.empty()) matches.emplace_back(description, "", std::move(nodes));
  return matches;
}

void find_ports_of_points(Graph& graph, SubgraphMatch& match) {
  const ReplacementDescription& description = match.description();
  if (!description.inputs)
    for (Node* start : find_all(graph, description.start_points)) match.add_input(inputs_of_start(*start, description));
  if (description.outputs) return;
  NodeSet seen;
  for (Node* end : find_all(graph, description.end_points)) {
    if (description.include_outputs) {
      match.add_output(end->out(0));
      continue;
    }
    for (int i = 0; i < end->in_count(); ++i) {
      const OutPort source = end->source(i);
      if (source && match.contains(source.node()) && seen.add(source.node())) match.add_output(source);
    }
  }
}

}  // namespace mo
