#include "core/front/mxnet/load/graph_loader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/front/mxnet/load/framework_node.h"
#include "core/front/mxnet/load/roles.h"
#include "core/front/mxnet/load/variable.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

/// How many outputs of each node are read: hidden ones, which nothing reads, are not there.
std::vector<int> read_outputs(const Symbol& symbol) {
  std::vector<int> out(symbol.nodes.size(), 1);
  const auto add = [&](const Entry& entry) {
    out[entry.node] = std::max(out[entry.node], static_cast<int>(entry.output) + 1);
  };
  for (const SymbolNode& node : symbol.nodes)
    for (const Entry& input : node.inputs) add(input);
  for (const Entry& head : symbol.heads) add(head);
  return out;
}

}  // namespace

GraphLoader::GraphLoader(const LoadRequest& request, FileId file, const Parameters& parameters,
                         const std::map<std::string, PartialShape>& shapes)
    : graph_(request.graph), diagnostics_(request.diagnostics), file_(file), parameters_(parameters), shapes_(shapes) {}

void GraphLoader::load(const Symbol& symbol) {
  const std::vector<char> needed = needed_nodes(symbol);
  Scope scope{symbol, graph_};
  scope.nodes.resize(symbol.nodes.size());
  scope.variables.resize(symbol.nodes.size());
  scope.failed.resize(symbol.nodes.size());
  without_array_ =
      missing_parameters(symbol, [&](const std::string& name) { return parameters_.find(name) != nullptr; });
  const std::vector<int> outputs = read_outputs(symbol);
  for (uint32_t i = 0; i < symbol.nodes.size(); ++i) {
    if (!needed[i]) continue;
    graph_.model().beat();
    add_node(scope, i);
    if (scope.nodes[i]) scope.nodes[i]->add_out_ports(outputs[i]);
  }
  if (!diagnostics_.has_errors() && without_array_.empty()) add_results(scope);
}

void GraphLoader::add_node(Scope& scope, uint32_t number) {
  const SymbolNode& from = scope.symbol.nodes[number];
  try {
    if (from.is_variable()) return add_variable(scope, number);
    Ports inputs;
    for (const Entry& input : from.inputs) inputs.push_back(read(scope, input));
    if (is_fused(from)) {
      scope.nodes[number] = &add_fused_network(scope, from, inputs);
      return;
    }
    Node& node = new_node(from, scope);
    scope.nodes[number] = &node;
    if (from.op == "_foreach") return add_foreach(scope, from, node, inputs);
    if (from.op == "_while_loop") {
      scope.nodes[number] = &add_while(scope, from, node, inputs);
      return;
    }
    if (from.op == "_cond") return add_if(scope, from, node, inputs);
    add_parts(node, from);
    node.add_in_ports(static_cast<int>(inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i) node.in(static_cast<int>(i)).connect(inputs[i]);
    node.add_out_ports(1);
  } catch (Error& error) {
    error.placed({.node = from.name, .op = from.op}).placed(from.place);
    if (!error.is_reported()) diagnostics_.add(error);
    scope.failed[number] = 1;
  }
}

Node& GraphLoader::new_node(const SymbolNode& from, Scope& scope) {
  if (scope.depth > 0) {
    expansion_.add_node();
    expansion_.add_bytes(from.name.size() + held_bytes(from.attributes));
  }
  const std::string type = from.text("op_type");
  const bool is_custom = from.op == "Custom" && !type.empty();
  Node& node = scope.graph.add_node(is_custom ? type : from.op, from.name);
  node.attributes = from.attributes;
  describe(node, from, is_custom ? type : from.op, is_custom ? "Custom" : "", scope.symbol.version);
  return node;
}

void GraphLoader::describe(Node& node, const SymbolNode& from, const std::string& op, const std::string& domain,
                           int64_t version) const {
  FrameworkNode origin{op, domain, version, file_, from.offset, from.size};
  origin.line = from.place.line, origin.column = from.place.column;
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
}

/// Two nodes may have the same name, but two variables of one name are one.
void GraphLoader::add_variable(Scope& scope, uint32_t number) {
  const SymbolNode& from = scope.symbol.nodes[number];
  OutPort& known = by_name_[from.name];
  if (!known) {
    if (const Constant* value = parameters_.find(from.name)) {
      known = graph_.constant(*value, from.name).out(0);
    } else {
      Node& node = graph_.add_node("Parameter", from.name);
      node.add_out_ports(1);
      const auto shape = shapes_.find(from.name);
      node.set("shape", shape != shapes_.end() ? shape->second : shape_of_variable(from));
      node.set("data_type", type_of_variable(from));
      node.set("needs_rank", true);
      known = node.out(0);
      known.tensor().add_name(from.name);
    }
    // The file has no states of 0.8.
    if (from.size > 0) describe(known.node(), from, from.op, {}, scope.symbol.version);
  }
  scope.variables[number] = known;
}

OutPort GraphLoader::read(const Scope& scope, const Entry& entry) const {
  if (scope.failed[entry.node]) throw Error::reported();
  if (scope.symbol.node_of(entry).is_variable()) return scope.variables[entry.node];
  Node* node = scope.nodes[entry.node];
  if (!node) throw Error::reported();
  node->add_out_ports(static_cast<int>(entry.output) + 1);
  return node->out(static_cast<int>(entry.output));
}

/// Tensors have the names of their nodes; outputs also those that MXNet has for them.
void GraphLoader::add_results(const Scope& scope) {
  std::set<std::string> names;
  for (const SymbolNode& node : scope.symbol.nodes) names.insert(node.name);
  std::map<std::string, size_t> first;  // the node that has the name
  for (size_t i = 0; i < scope.nodes.size(); ++i)
    if (Node* node = scope.nodes[i]; node && first.emplace(scope.symbol.nodes[i].name, i).second)
      node->out(0).tensor().add_name(scope.symbol.nodes[i].name);
  for (const Entry& head : scope.symbol.heads) {
    const OutPort port = read(scope, head);
    Node& from = port.node();
    if (scope.nodes[head.node]) {
      const std::string& own = scope.symbol.node_of(head).name;
      const std::string& node = first.at(own) == head.node ? own : from.name();
      const std::string name =
          scope.nodes[head.node]->out_count() > 1 ? cat(node, "_output", head.output) : cat(node, "_output");
      expansion_.add_bytes(name.size(), 1);
      if (names.insert(name).second) port.tensor().add_name(name);
    }
    Node& result = graph_.add_node("Result", from.name() + "/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(port);
  }
}

}  // namespace mo::mxnet
