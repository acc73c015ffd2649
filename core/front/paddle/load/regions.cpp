// GraphLoader's part for operations with regions, as PIR has them: what they give, their regions yield. Values are not
// written again, but for lists and operations in place.

#include <set>

#include "core/build/builder.h"
#include "core/front/paddle/load/graph_loader.h"
#include "core/graph/body.h"

namespace mo::paddle {
namespace {

const Strings& names_of(const Strings* slot) {
  static const Strings none;
  return slot ? *slot : none;
}

}  // namespace

void GraphLoader::add_regions(const OperatorDesc& desc, Scope& scope) {
  if (desc.type == "yield") {
    scope.yielded = names_of(desc.input("X"));
    return;
  }
  const bool is_while = desc.type == "while", is_if = desc.type == "conditional_block";
  if (!is_while && !is_if && desc.type != "pylayer") throw Error(Code::UnsupportedOp, {});
  const size_t wanted = is_if ? 2 : 1;
  // A layer of Python has its gradient behind what it computes.
  if (desc.regions.size() < wanted || (is_while && desc.regions.size() > 1))
    throw Error(Code::CorruptFile, msg(desc.regions.size(), " regions for ", wanted));
  if (is_while) return add_region_while(desc, scope);
  if (is_if) return add_region_if(desc, scope);
  add_region_here(desc, scope);
}

Strings GraphLoader::written_by(const OperatorDesc& desc, const Scope& scope) {
  Strings out;
  std::set<std::string> seen;
  for (const size_t region : desc.regions) {
    if (region == kNoBlock) continue;
    for (const std::string& name : writes_of(region))
      if (is_tensor_or_list(name, scope) && seen.insert(name).second) out.push_back(name);
  }
  return out;
}

void GraphLoader::load_region(Scope& region, size_t values) {
  load_block(region);
  if (diagnostics_.has_errors()) throw Error::reported();
  if (region.yielded.size() != values)
    throw Error(Code::CorruptFile, msg("a region yields ", region.yielded.size(), " values for ", values));
}

/// Operands are the condition and what is carried, which the block has as arguments. It yields the same.
void GraphLoader::add_region_while(const OperatorDesc& desc, Scope& scope) {
  const size_t block = desc.regions[0];
  if (block == kNoBlock) throw Error(Code::CorruptFile, "a loop without a block");
  const Strings &operands = names_of(desc.input("X")), &results = names_of(desc.output("Out"));
  const Strings& arguments = program_.arguments(block);
  if (operands.size() != arguments.size() + 1 || results.size() > arguments.size())
    throw Error(Code::CorruptFile,
                msg(operands.size(), " operands, ", arguments.size(), " arguments, ", results.size(), " results"));
  const Strings again = written_by(desc, scope);
  std::vector<OutPort> variables;
  for (const std::string& name : operands) variables.push_back(read(name, scope));
  for (const std::string& name : again) variables.push_back(read(name, scope));
  Node& node = new_node(desc, scope, results.empty() ? desc.type : results[0]);
  node.set("lone", true);
  const auto body = open_body(node, "body", block, scope), condition = open_body(node, "cond", block, scope);
  Node* is_on = nullptr;
  for (Scope* inner : {body.get(), condition.get()}) {
    for (size_t i = 0; i < variables.size(); ++i) {
      const bool is_carried = i > 0 && i < operands.size();
      const std::string& name = i == 0 ? operands[0] : is_carried ? arguments[i - 1] : again[i - operands.size()];
      Node& parameter = inner->graph->add_node("Parameter", name);
      parameter.add_out_ports(1);
      // The condition of before is not a value of the block.
      if (i > 0) write(name, parameter.out(0), *inner);
      if (i == 0) is_on = &parameter;
    }
  }
  load_region(*body, operands.size());
  for (const std::string& name : Strings(body->yielded)) add_result_of(read(name, *body), name);
  for (const std::string& name : again) add_result_of(read(name, *body), name);
  // What the block only reads keeps its value.
  for (const auto& [outside, parameter] : body->captured) {
    variables.push_back(outside);
    add_result_of(parameter->out(0), parameter->name());
    condition->graph->add_node("Parameter", parameter->name()).add_out_ports(1);
  }
  add_result_of(is_on->out(0), operands[0]);
  node.add_in_ports(static_cast<int>(variables.size()));
  for (size_t i = 0; i < variables.size(); ++i) node.in(static_cast<int>(i)).connect(variables[i]);
  node.add_out_ports(static_cast<int>(variables.size()));
  for (size_t i = 0; i < results.size(); ++i) write(results[i], node.out(static_cast<int>(i) + 1), scope);
  for (size_t i = 0; i < again.size(); ++i) write(again[i], node.out(static_cast<int>(i + operands.size())), scope);
}

void GraphLoader::add_region_if(const OperatorDesc& desc, Scope& scope) {
  const Strings &operands = names_of(desc.input("X")), &results = names_of(desc.output("Out"));
  if (operands.size() != 1) throw Error(Code::MissingInput, msg(operands.size(), " conditions"));
  const Strings again = written_by(desc, scope);
  Branches branches = open_branches(read(operands[0], scope), desc, scope);
  for (const int which : {0, 1}) {
    const size_t block = desc.regions[static_cast<size_t>(which)];
    if (block == kNoBlock) {
      open_branch(branches, which, scope);
      if (!results.empty()) throw Error(Code::CorruptFile, msg("a region yields ", 0, " values for ", results.size()));
      continue;
    }
    branches.scopes[which] = open_body(*branches.node, kBranches[which], block, scope);
    load_region(*branches.scopes[which], results.size());
  }
  Scope &then = *branches.scopes[0], &otherwise = *branches.scopes[1];
  for (size_t i = 0; i < results.size(); ++i) {
    const OutPort first = read(then.yielded[i], then), second = read(otherwise.yielded[i], otherwise);
    write(results[i], add_output(branches, results[i], first, second), scope);
  }
  std::vector<OutPort> written;
  for (const std::string& name : again) {
    const OutPort first = read(name, then), second = read(name, otherwise);
    written.push_back(add_output(branches, name, first, second));
  }
  for (size_t i = 0; i < again.size(); ++i) write(again[i], written[i], scope);
}

/// What the first region computes is computed here.
void GraphLoader::add_region_here(const OperatorDesc& desc, Scope& scope) {
  if (scope.depth == kDeepestBlock) throw Error(Code::TooDeep, msg("more than ", kDeepestBlock, " blocks"));
  const Strings &operands = names_of(desc.input("X")), &results = names_of(desc.output("Out"));
  const size_t block = desc.regions[0];
  if (block == kNoBlock) throw Error(Code::CorruptFile, msg("a region yields ", 0, " values for ", results.size()));
  expansion_.add_node();
  Scope inner;
  inner.block = block;
  inner.graph = scope.graph;
  inner.outer = &scope;
  inner.depth = scope.depth + 1;
  const Strings& arguments = program_.arguments(block);
  for (size_t i = 0; i < std::min(arguments.size(), operands.size()); ++i)
    write(arguments[i], read(operands[i], scope), inner);
  load_region(inner, results.size());
  for (const std::string& name : written_by(desc, scope)) write(name, read(name, inner), scope);
  for (size_t i = 0; i < results.size(); ++i) write(results[i], read(inner.yielded[i], inner), scope);
}

}  // namespace mo::paddle
