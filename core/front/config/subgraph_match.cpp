#include "core/front/config/subgraph_match.h"

#include <algorithm>

#include "core/base/name_pattern.h"

namespace mo {

SubgraphMatch::SubgraphMatch(const ReplacementDescription& description, std::string scope, std::vector<Node*> nodes)
    : description_(&description), scope_(std::move(scope)), nodes_(std::move(nodes)) {}

bool SubgraphMatch::contains(const Node& node) const {
  const auto earlier = [](const Node* a, const Node* b) { return a->id() < b->id(); };
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), &node, earlier);
  return found != nodes_.end() && *found == &node;
}

const std::vector<InPort>& SubgraphMatch::input_nodes(int port) const {
  if (port < 0 || port >= inputs_count())
    throw Error(Code::NoSuchPort,
                msg("input ", port, " of the sub-graph of '", description_->id, "', which has ", inputs_count()));
  return inputs_[static_cast<size_t>(port)];
}

InPort SubgraphMatch::single_input_node(int port) const {
  const std::vector<InPort>& ports = input_nodes(port);
  if (ports.size() != 1)
    throw Error(Code::SeveralInputNodes,
                msg("input ", port, " of the sub-graph of '", description_->id, "' has ", ports.size(), " nodes"));
  return ports[0];
}

OutPort SubgraphMatch::output_node(int port) const {
  if (port < 0 || port >= outputs_count())
    throw Error(Code::NoSuchPort,
                msg("output ", port, " of the sub-graph of '", description_->id, "', which has ", outputs_count()));
  const OutPort output = outputs_[static_cast<size_t>(port)];
  if (!output)
    throw Error(Code::BadSubgraph,
                msg("output ", port, " of the sub-graph of '", description_->id, "': its pattern matches no node of ",
                    scope_.empty() ? Detail("it") : Detail(scope_)));
  return output;
}

Node* SubgraphMatch::node_by_pattern(std::string_view pattern) const {
  NamePattern::from_user(pattern);  // checked alone, because with the scope it may be longer
  const bool joined = scope_.empty() || scope_.back() == '/';
  const NamePattern whole(cat(scope_, joined ? "" : "/", pattern));
  Node* found = nullptr;
  for (Node* node : nodes_) {
    node->graph().model().beat();
    if (node->removed() || !whole.matches(node->name())) continue;
    if (found) throw Error(Code::SeveralNodesMatch, msg("\"", pattern, "\": ", found->name(), ", ", node->name()));
    found = node;
  }
  return found;
}

void SubgraphMatch::find_ports() {
  if (description_->inputs) {
    for (const std::vector<PortPattern>& tensor : *description_->inputs) {
      std::vector<InPort> ports;
      for (const PortPattern& pattern : tensor)
        if (Node* node = node_by_pattern(pattern.node)) ports.push_back(node->in(pattern.port));
      add_input(std::move(ports));
    }
  }
  if (description_->outputs) {
    for (const PortPattern& pattern : *description_->outputs) {
      Node* node = node_by_pattern(pattern.node);
      add_output(node ? node->out(pattern.port) : OutPort());
    }
  }
}

void SubgraphMatch::add_output(OutPort port) {
  if (port && std::find(outputs_.begin(), outputs_.end(), port) != outputs_.end())
    throw Error(Code::DuplicateSubgraphOutput, msg("output ", port.index(), " in outputs of '", description_->id, "'"),
                port.node().place());
  outputs_.push_back(port);
}

}  // namespace mo
