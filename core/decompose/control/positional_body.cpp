#include "core/decompose/control/positional_body.h"

#include <set>

#include "core/build/builder.h"
#include "core/build/loop_builder.h"

namespace mo {

int formal_count(const Node& owner) {
  std::set<int64_t> captured;
  for (const Graph* body : bodies_of(owner))
    for (const Node* parameter : body->parameters)
      if (parameter->has("external_port_id")) captured.insert(parameter->get_int("external_port_id"));
  return owner.in_count() - static_cast<int>(captured.size());
}

std::vector<Node*> formal_parameters(const Graph& body, int count) {
  std::vector<Node*> formal;
  for (Node* parameter : body.parameters)
    if (!parameter->has("external_port_id")) formal.push_back(parameter);
  if (static_cast<int>(formal.size()) != count)
    throw Error(Code::InvalidGraph, msg("the body has ", formal.size(), " inputs, want ", count));
  return formal;
}

Graph& required_body(const Node& owner, std::string_view attribute, int outputs) {
  Graph* body = owner.get_graph(attribute);
  if (!body) throw Error(Code::MissingAttribute, std::string(attribute));
  if (static_cast<int>(body->results.size()) < outputs)
    throw Error(Code::InvalidGraph, msg("the body has ", body->results.size(), " outputs, want ", outputs));
  int64_t id = 0;
  for (Node* result : body->results) result->set("internal_layer_id", id++);
  return *body;
}

bool carry(Node& parameter, Node& result, int input) {
  parameter.set("external_port_id", int64_t{input});
  if (behind_identities(result.source(0)) == parameter.out(0)) return false;
  parameter.set("back_edge", result.get_int("internal_layer_id"));
  return true;
}

void scan_output(Node& result, int output, int64_t axis, bool reverse) {
  if (!result.has_in(0)) throw Error(Code::MissingInput, "a body output is fed by nothing");
  result.in(0).connect(Builder(result).unsqueeze(result.source(0), {axis}));
  result.set("external_port_id", int64_t{output});
  set_slices(result, axis, reverse);
}

}  // namespace mo
