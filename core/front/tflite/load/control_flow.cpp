// GraphLoader's part for operators that name subgraphs: IF, WHILE, and calls.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/tflite/load/graph_loader.h"
#include "core/graph/body.h"

namespace mo::tflite {
namespace {

void require_count(const Detail& what, int64_t subgraph, size_t has, size_t wanted) {
  if (has == wanted) return;
  throw Error(Code::MissingInput, msg("subgraph ", subgraph, " has ", has, " ", what, ", not ", wanted));
}

}  // namespace

void GraphLoader::add_bodies(Scope& scope, Node& node, const OperatorRecord& from) {
  const auto body = [&](const char* attribute, const char* option, size_t arguments, size_t results) {
    load_body(scope, node, attribute, node.get_int(option), arguments, results);
  };
  if (from.name == "IF") {
    require_input(node, 0);
    body(kBranches[0], "then_subgraph_index", from.inputs.size() - 1, from.outputs.size());
    body(kBranches[1], "else_subgraph_index", from.inputs.size() - 1, from.outputs.size());
  } else if (from.name == "WHILE") {
    if (from.outputs.size() != from.inputs.size())
      throw Error(Code::CorruptFile,
                  msg("a loop over ", from.inputs.size(), " values that gives ", from.outputs.size()));
    body("cond", "cond_subgraph_index", from.inputs.size(), 1);
    body("body", "body_subgraph_index", from.inputs.size(), from.inputs.size());
  }
}

/// Parameters of branches read the owner's inputs from 1 on; a WHILE has two bodies with the same arguments.
void GraphLoader::load_body(Scope& scope, Node& owner, const char* attribute, int64_t subgraph, size_t arguments,
                            size_t results) {
  const auto graph = std::make_shared<Graph>(scope.graph.shared_model(), &owner);
  Scope inner = open(*graph, subgraph, {});
  inner.is_body = true;
  require_count("inputs", subgraph, inner.subgraph.inputs.size(), arguments);
  require_count("outputs", subgraph, inner.subgraph.outputs.size(), results);
  owner.set(attribute, graph);
  for (const int64_t tensor : inner.subgraph.inputs) add_parameter(inner, static_cast<size_t>(tensor));
  load_operators(inner);
  if (!diagnostics_.has_errors())
    for (const int64_t tensor : inner.subgraph.outputs) add_result(inner, static_cast<size_t>(tensor));
  if (owner.op() == "WHILE" && results == arguments && std::string_view(attribute) == "body") keep_shapes(inner);
  if (owner.op() == "IF") {
    for (size_t i = 0; i < graph->parameters.size(); ++i)
      graph->parameters[i]->set("external_port_id", static_cast<int64_t>(i) + 1);
    for (size_t i = 0; i < graph->results.size(); ++i)
      graph->results[i]->set("external_port_id", static_cast<int64_t>(i));
  }
}

/// Gives each value that a loop carries the shape of its tensor, which inference may not find.
void GraphLoader::keep_shapes(const Scope& body) {
  for (size_t i = 0; i < body.graph.results.size(); ++i) {
    const std::vector<int64_t>& sizes = body.subgraph.tensors[static_cast<size_t>(body.subgraph.outputs[i])].sizes;
    if (sizes.empty() || std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; })) continue;
    Node& result = *body.graph.results[i];
    const OutPort value = result.source(0);
    if (!value || value.node().op() == "Parameter") continue;
    Node& shaped = body.graph.add_node("LiteShaped", value.node().name() + "/shaped");
    shaped.set("shape", Ints(sizes.begin(), sizes.end()));
    shaped.add_in_ports(2);
    shaped.add_out_ports(1);
    shaped.in(0).connect(value);
    shaped.in(1).connect(body.graph.parameters[i]->out(0));
    result.in(0).connect(shaped.out(0));
  }
}

/// The operators of the subgraph, which reads and gives the tensors of the call.
void GraphLoader::inline_call(Scope& scope, const OperatorRecord& from, int64_t subgraph) {
  Scope inner = open(scope.graph, subgraph, name_of(scope, from) + "/");
  require_count("inputs", subgraph, inner.subgraph.inputs.size(), from.inputs.size());
  require_count("outputs", subgraph, inner.subgraph.outputs.size(), from.outputs.size());
  inner.is_initial = scope.is_initial;
  for (size_t i = 0; i < from.inputs.size(); ++i) {
    if (from.inputs[i] < 0) continue;
    read(scope, from.inputs[i]);
    inner.values[static_cast<size_t>(inner.subgraph.inputs[i])] = scope.values[static_cast<size_t>(from.inputs[i])];
  }
  load_operators(inner);
  for (size_t i = 0; i < from.outputs.size(); ++i) {
    const auto result = static_cast<size_t>(inner.subgraph.outputs[i]);
    read(inner, inner.subgraph.outputs[i]);
    scope.values[static_cast<size_t>(from.outputs[i])] = inner.values[result];
  }
}

}  // namespace mo::tflite
