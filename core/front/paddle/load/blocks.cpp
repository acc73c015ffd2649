// GraphLoader's part for operators with blocks: while becomes While; a conditional_block, or two of them with
// select_input, become If.

#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/paddle/load/graph_loader.h"
#include "core/front/paddle/load/types.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"

namespace mo::paddle {
namespace {

/// Otherwise the block runs if a tensor has rows.
bool is_scalar_condition(const OperatorDesc& desc) {
  const bool* scalar = desc.attributes.get_if<bool>("is_scalar_condition");
  return scalar && *scalar;
}

/// A block that is being looked through. Throws RecursiveFunction if it is already.
class Active {
 public:
  Active(char& mark, size_t block) : mark_(mark) {
    if (mark) throw Error(Code::RecursiveFunction, msg("block ", block));
    mark = 1;
  }
  ~Active() { mark_ = 0; }
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;

 private:
  char& mark_;
};

/// A conditional block whose values are being made.
class Loading {
 public:
  explicit Loading(bool& mark) : mark_(mark), before_(std::exchange(mark, true)) {}
  ~Loading() { mark_ = before_; }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

 private:
  bool& mark_;
  bool before_;
};

}  // namespace

Node& add_result_of(OutPort port, const std::string& name) {
  Node& result = port.node().graph().add_node("Result", name + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(port);
  return result;
}

size_t GraphLoader::block_of(const OperatorDesc& desc) const {
  const int64_t* block = desc.attributes.get_if<int64_t>("sub_block");
  if (!block) throw Error(Code::MissingAttribute, "sub_block");
  if (*block <= 0 || static_cast<uint64_t>(*block) >= program_.block_count())
    throw Error(Code::BadAttribute, msg("sub_block: there is no block ", *block));
  return static_cast<size_t>(*block);
}

/// What an operator says of its data besides its result is no new value of a parameter: in inference that stays.
bool GraphLoader::writes(std::string_view slot, const std::string& name) const {
  return is_one_of(slot, {"Out", "Y", "Output"}) || !parameters_ || !parameters_->find(name);
}

const Strings& GraphLoader::writes_of(size_t block, int depth) {
  if (writes_[block]) return *writes_[block];
  if (depth == kDeepestBlock) throw Error(Code::TooDeep, msg("more than ", kDeepestBlock, " blocks"));
  const Active active(active_[block], block);
  Strings names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (!program_.variables[block].count(name) && seen.insert(name).second) names.push_back(name);
  };
  for (size_t i = 0; i < program_.operator_count(block); ++i) {
    const OperatorDesc desc = program_.operation(block, i);
    if (desc.attributes.has("sub_block"))
      for (const std::string& name : writes_of(block_of(desc), depth + 1)) add(name);
    for (const size_t region : desc.regions)
      for (const std::string& name : writes_of(region, depth + 1)) add(name);
    for (const Slot& slot : desc.outputs)
      for (const std::string& name : slot.arguments)
        if (writes(slot.name, name)) add(name);
  }
  writes_[block] = std::move(names);
  return *writes_[block];
}

bool GraphLoader::is_tensor_or_list(const std::string& name, const Scope& scope) const {
  const VariableDesc* variable = declared(name, scope);
  return variable && (variable->kind == static_cast<int64_t>(VariableKind::Tensor) ||
                      variable->kind == static_cast<int64_t>(VariableKind::TensorArray));
}

std::unique_ptr<GraphLoader::Scope> GraphLoader::open_body(Node& owner, const char* attribute, size_t block,
                                                           Scope& outer) {
  if (outer.depth == kDeepestBlock) throw Error(Code::TooDeep, msg("more than ", kDeepestBlock, " blocks"));
  const auto body = std::make_shared<Graph>(graph_.shared_model(), &owner);
  owner.set(attribute, body);
  auto scope = std::make_unique<Scope>();
  scope->block = block;
  scope->graph = body.get();
  scope->outer = &outer;
  scope->depth = outer.depth + 1;
  return scope;
}

/// The condition has one element. The variables of a While are the condition, those that the block writes, and those
/// that it only reads.
void GraphLoader::add_while(const OperatorDesc& desc, Scope& scope) {
  const size_t block = block_of(desc);
  Strings names{desc.only_input("Condition")};
  for (const std::string& name : writes_of(block))
    if (name != names[0] && is_tensor_or_list(name, scope)) names.push_back(name);
  std::vector<OutPort> variables;
  for (const std::string& name : names) {
    OutPort before = find(name, scope);
    // A variable that a translated program has not defined yet is a number of another type than it is declared with.
    const VariableDesc* variable = declared(name, scope);
    if (before && variable && before.node().op() == "assign_value" &&
        before.node().get_int("dtype", variable->data_type) != variable->data_type)
      before = Builder(*scope.graph, name).convert(before, required_type(variable->data_type));
    variables.push_back(before ? before : placeholder(name, scope));
  }
  Node& node = new_node(desc, scope, names.size() > 1 ? names[1] : names[0]);
  node.set("lone", true);
  const auto body = open_body(node, "body", block, scope), condition = open_body(node, "cond", block, scope);
  for (Scope* inner : {body.get(), condition.get()}) {
    for (const std::string& name : names) {
      Node& parameter = inner->graph->add_node("Parameter", name);
      parameter.add_out_ports(1);
      write(name, parameter.out(0), *inner);
    }
  }
  load_block(*body);
  if (diagnostics_.has_errors()) throw Error::reported();
  for (const std::string& name : names) add_result_of(read(name, *body), name);
  // What the block only reads keeps its value.
  for (const auto& [outside, parameter] : body->captured) {
    variables.push_back(outside);
    add_result_of(parameter->out(0), parameter->name());
    condition->graph->add_node("Parameter", parameter->name()).add_out_ports(1);
  }
  add_result_of(condition->variables[names[0]].port, names[0]);
  node.add_in_ports(static_cast<int>(variables.size()));
  for (size_t i = 0; i < variables.size(); ++i) node.in(static_cast<int>(i)).connect(variables[i]);
  node.add_out_ports(static_cast<int>(variables.size()));
  for (size_t i = 0; i < names.size(); ++i) write(names[i], node.out(static_cast<int>(i)), scope);
}

void GraphLoader::add_block_of_rows(size_t block, Scope& scope) {
  if (scope.depth == kDeepestBlock) throw Error(Code::TooDeep, msg("more than ", kDeepestBlock, " blocks"));
  expansion_.add_node();
  Scope inner;
  inner.block = block;
  inner.graph = scope.graph;
  inner.outer = &scope;
  inner.depth = scope.depth + 1;
  load_block(inner);
  if (diagnostics_.has_errors()) throw Error::reported();
  for (const std::string& name : writes_of(block))
    if (is_tensor_or_list(name, scope)) write(name, read(name, inner), scope);
}

/// Variables that had a value before keep it where the condition does not hold. What the others are then, select_input
/// says.
void GraphLoader::add_conditional_block(const OperatorDesc& desc, Scope& scope) {
  if (!is_scalar_condition(desc)) return add_block_of_rows(block_of(desc), scope);
  const OutPort condition = read(desc.only_input("Cond"), scope);
  // Blocks in this one, or in those whose values are asked for here, come behind it.
  const auto index = static_cast<int>(conditional_blocks_.size());
  ConditionalBlock& block = conditional_blocks_.emplace_back(ConditionalBlock{desc, block_of(desc), condition, {}});
  if (const Strings* inputs = desc.input("Input"))
    for (const std::string& name : *inputs)
      if (const OutPort port = find(name, scope)) block.given[name] = port;
  Strings kept;
  for (const std::string& name : writes_of(block.block)) {
    if (!is_tensor_or_list(name, scope)) continue;
    if (const OutPort before = find(name, scope)) {
      block.given[name] = before;
      kept.push_back(name);
    } else {
      write(name, {}, scope);
      scope.variables[name].branch = index;
    }
  }
  if (!kept.empty()) {
    Branches branches = open_branches(block.condition, desc, scope);
    load_branch(branches, 0, block, scope);
    open_branch(branches, 1, scope);
    for (const std::string& name : kept) {
      const OutPort then = read(name, *branches.scopes[0]);
      write(name, add_output(branches, name, then, capture(block.given[name], name, *branches.scopes[1])), scope);
    }
  }
}

/// X is the value if the mask is 0, and the value if it is 1.
void GraphLoader::add_select(const OperatorDesc& desc, Scope& scope) {
  const Strings* values = desc.input("X");
  if (!values || values->size() != 2) throw Error(Code::MissingInput, "X: two variables");
  const std::string* const names[] = {&(*values)[1], &(*values)[0]};  // as kBranches
  int blocks[2];
  for (const int which : {0, 1}) {
    const auto found = scope.variables.find(*names[which]);
    blocks[which] = found == scope.variables.end() ? -1 : found->second.branch;
  }
  const std::pair key{blocks[0], blocks[1]};
  const bool is_single = blocks[0] < 0 && blocks[1] < 0;
  const auto known = is_single ? selected_.end() : selected_.find(key);
  // An If whose block cannot be loaded is not kept.
  Branches made;
  if (known == selected_.end()) {
    made = open_branches(read(desc.only_input("Mask"), scope), desc, scope);
    for (const int which : {0, 1}) {
      if (blocks[which] < 0)
        open_branch(made, which, scope);
      else
        load_branch(made, which, conditional_blocks_[static_cast<size_t>(blocks[which])], scope);
    }
  }
  Branches& branches = is_single ? made : known == selected_.end() ? selected_[key] = std::move(made) : known->second;
  OutPort ports[2];
  for (const int which : {0, 1}) {
    Scope& inner = *branches.scopes[which];
    ports[which] =
        blocks[which] < 0 ? capture(read(*names[which], scope), *names[which], inner) : read(*names[which], inner);
  }
  const std::string& name = desc.only_output("Out");
  write(name, add_output(branches, name, ports[0], ports[1]), scope);
}

GraphLoader::Branches GraphLoader::open_branches(OutPort condition, const OperatorDesc& desc, Scope& scope) {
  Branches out;
  out.node = &new_node(desc, scope, desc.type);
  out.node->add_in_ports(1);
  out.node->in(0).connect(Builder(*out.node).op("Truth", {condition}, {{"lone", true}}));
  return out;
}

void GraphLoader::load_branch(Branches& branches, int which, ConditionalBlock& block, Scope& outer) {
  branches.scopes[which] = open_body(*branches.node, kBranches[which], block.block, outer);
  branches.scopes[which]->given = block.given;
  const Loading loading(block.is_loading);
  load_block(*branches.scopes[which]);
  if (diagnostics_.has_errors()) throw Error::reported();
}

/// A branch that computes nothing.
void GraphLoader::open_branch(Branches& branches, int which, Scope& outer) {
  branches.scopes[which] = open_body(*branches.node, kBranches[which], outer.block, outer);
}

/// What the branches capture becomes an input behind those that the If has.
OutPort GraphLoader::add_output(Branches& branches, const std::string& name, OutPort then, OutPort otherwise) {
  Node& node = *branches.node;
  const int output = node.out_count();
  node.add_out_ports(output + 1);
  for (const OutPort port : {then, otherwise}) add_result_of(port, name).set("external_port_id", int64_t{output});
  for (const auto& scope : branches.scopes) {
    for (const auto& [outside, parameter] : scope->captured) {
      const auto [input, is_new] = branches.inputs.try_emplace({outside.node().id(), outside.index()}, node.in_count());
      if (is_new) {
        node.add_in_ports(input->second + 1);
        node.in(input->second).connect(outside);
      }
      parameter->set("external_port_id", int64_t{input->second});
    }
    scope->captured.clear();
  }
  return node.out(output);
}

/// A variable that only this block writes, and something else than select_input reads.
OutPort GraphLoader::value_of(int index, const std::string& name, Scope& scope) {
  ConditionalBlock& block = conditional_blocks_[static_cast<size_t>(index)];
  Branches& branches = read_[index];
  if (!branches.node) {
    Branches made = open_branches(block.condition, block.desc, scope);
    load_branch(made, 0, block, scope);
    open_branch(made, 1, scope);
    branches = std::move(made);
  }
  const Loading loading(block.is_loading);
  const OutPort then = read(name, *branches.scopes[0]);
  return add_output(branches, name, then, placeholder(name, *branches.scopes[1]));
}

}  // namespace mo::paddle
