// GraphLoader's part for operations with bodies: While, If and Case.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/tf/load/graph_loader.h"
#include "core/front/tf/load/outputs.h"
#include "core/graph/body.h"

namespace mo::tf {
namespace {

/// The operation without what says how it is carried out.
std::string_view kind_of_body(const Node& node) {
  std::string_view op = node.op();
  for (const std::string_view prefix : {"Stateless", "Xla"})
    if (op.starts_with(prefix)) op.remove_prefix(prefix.size());
  return op;
}

bool is_branching(const Node& owner) { return is_one_of(kind_of_body(owner), {"If", "Case"}); }

/// XLA's operations with functions of a few elements, which are bodies with formal inputs only.
struct FunctionOfElements {
  std::string_view op;
  const char* attribute;
  size_t (*arguments)(size_t inputs);
  size_t (*results)(size_t inputs);
};
size_t two(size_t) { return 2; }
size_t one(size_t) { return 1; }
size_t all_of(size_t inputs) { return inputs; }
size_t half_of(size_t inputs) { return inputs / 2; }
/// Two of each operand; the last input is an axis.
size_t pairs_of(size_t inputs) { return inputs == 0 ? 0 : 2 * (inputs - 1); }
constexpr FunctionOfElements kOfElements[] = {
    {"XlaReduce", "reducer", two, one},
    {"XlaVariadicReduce", "reducer", all_of, half_of},
    {"XlaVariadicReduceV2", "reducer", all_of, half_of},
    {"XlaReduceWindow", "computation", two, one},
    {"XlaScatter", "update_computation", two, one},
    {"XlaSelectAndScatter", "select", two, one},
    {"XlaSelectAndScatter", "scatter", two, one},
    {"XlaVariadicSort", "comparator", pairs_of, one},
};

std::string required_string(const Node& node, const char* attribute) {
  if (!node.has(attribute)) throw Error(Code::MissingAttribute, msg(attribute), node.place());
  return node.get_string(attribute);
}

}  // namespace

/// While {cond, body}, If {then_branch, else_branch}, Case {branches}, the same with "Stateless" or "Xla" before, and
/// functions of elements.
void GraphLoader::add_bodies(Node& node, std::vector<std::string>& inputs, Scope& scope) {
  const std::string_view op = kind_of_body(node);
  const auto named = [&](const char* attribute) { return required_string(node, attribute); };
  for (const FunctionOfElements& row : kOfElements)
    if (row.op == node.op())
      load_body(node, row.attribute, named(row.attribute), row.arguments(inputs.size()), row.results(inputs.size()),
                scope);
  if (op != "While" && op != "If" && op != "Case") return;
  const auto outputs = static_cast<size_t>(output_count(node, kMostOutputs));
  if (op == "While") {
    load_body(node, "cond", named("cond"), inputs.size(), 1, scope);
    load_body(node, "body", named("body"), inputs.size(), inputs.size(), scope);
    return;
  }
  if (inputs.empty()) throw Error(Code::MissingInput, "input 0", node.place());
  if (op == "Case") return add_cases(node, inputs, node.get_strings("branches"), scope);
  load_body(node, kBranches[0], named("then_branch"), inputs.size() - 1, outputs, scope);
  load_body(node, kBranches[1], named("else_branch"), inputs.size() - 1, outputs, scope);
}

/// The then-branch is the first branch. The else-branch is the second if there are two; otherwise it is a body with a
/// Case of all others, which gets the index as its last argument.
void GraphLoader::add_cases(Node& node, std::vector<std::string>& inputs, const Strings& branches, Scope& scope) {
  if (branches.empty()) throw Error(Code::MissingAttribute, "branches", node.place());
  const size_t arguments = inputs.size() - 1, outputs = static_cast<size_t>(output_count(node, kMostOutputs));
  if (!node.has("index")) node.set("index", int64_t{0});
  load_body(node, kBranches[0], branches[0], arguments, outputs, scope);
  if (branches.size() == 2) return load_body(node, kBranches[1], branches[1], arguments, outputs, scope);
  if (scope.depth == kDeepestCall) throw Error(Code::TooDeep, msg("more than ", kDeepestCall, " calls"), node.place());
  inputs.push_back(inputs[0]);
  std::vector<std::string> names;
  for (size_t i = 0; i <= arguments; ++i) names.push_back(cat("argument_", i));
  Scope& inner = add_body(node, kBranches[1], names, scope);
  Node& rest = inner.graph->add_node("Case", node.name());
  rest.set("index", node.get_int("index") + 1);
  if (const Attribute* types = node.attributes.find("Tout")) rest.set("Tout", *types);
  rest.add_out_ports(static_cast<int>(outputs));
  inner.names.emplace("case", Named{&rest, nullptr});
  std::rotate(names.begin(), names.end() - 1, names.end());
  add_cases(rest, names, {branches.begin() + 1, branches.end()}, inner);
  nodes_.push_back({&rest, names, &inner});
  std::vector<std::string> results;
  for (size_t i = 0; i < outputs; ++i) results.push_back(cat("case:", i));
  add_body_results(results, inner);
}

/// An empty body with its Parameters. Those of branches read the owner's inputs from 1 on; a While has two bodies with
/// the same arguments.
GraphLoader::Scope& GraphLoader::add_body(Node& owner, const char* attribute, const std::vector<std::string>& arguments,
                                          Scope& scope) {
  const auto body = std::make_shared<Graph>(scope.graph->shared_model(), &owner);
  owner.set(attribute, body);
  Scope& inner = scopes_.emplace_back();
  inner.graph = body.get();
  inner.is_body = true;
  inner.caller = &scope;
  inner.depth = scope.depth + 1;
  const bool is_branch = is_branching(owner);
  expansion_.add_ports(arguments.size());
  expansion_.add_bytes(2 * held_bytes(arguments));
  for (size_t i = 0; i < arguments.size(); ++i) {
    Node& parameter = body->add_node("Parameter", arguments[i]);
    parameter.add_out_ports(1);
    if (is_branch) parameter.set("external_port_id", static_cast<int64_t>(i) + 1);
    inner.names.emplace(arguments[i], Named{&parameter, nullptr});
  }
  return inner;
}

void GraphLoader::load_body(Node& owner, const char* attribute, const std::string& name, size_t arguments,
                            size_t results, Scope& scope) {
  const Place place = owner.place();
  const Function& body = function(name, place);
  require_acyclic(body, scope, place);
  require_count("arguments", name, body.arguments.size(), arguments, place);
  require_count("results", name, body.results.size(), results, place);
  Scope& inner = add_body(owner, attribute, body.arguments, scope);
  inner.function = &body;
  declare(body.body, "node_def", inner);
  std::vector<std::string> tensors;
  for (const std::string& result : body.results) {
    const auto found = body.ret.find(result);
    if (found == body.ret.end())
      throw Error(Code::UnknownTensor, msg("result ", printable(result), " of ", printable(name)), place);
    tensors.push_back(found->second);
  }
  add_body_results(tensors, inner);
}

void GraphLoader::add_body_results(const std::vector<std::string>& tensors, Scope& scope) {
  const bool is_branch = is_branching(*scope.graph->owner());
  for (size_t i = 0; i < tensors.size(); ++i) {
    Node& result = scope.graph->add_node("Result", cat(tensors[i], "/sink_port_0"));
    if (is_branch) result.set("external_port_id", static_cast<int64_t>(i));
    nodes_.push_back({&result, {tensors[i]}, &scope});
  }
}

}  // namespace mo::tf
