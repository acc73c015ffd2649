// GraphLoader's part for operations that change variables. Control dependencies say which of them an output needs, and
// in which order variables are read and changed; they become control flow of the graph. A call runs all assignments
// of its function. Two nodes stand for its begin and its end, because the function's nodes take the place of the call:
// what waits for the call waits for its end, and what is in it waits for its begin. A body keeps all its assignments.

#include <set>

#include "core/base/text.h"
#include "core/front/tf/load/frames.h"
#include "core/front/tf/load/graph_loader.h"
#include "core/front/tf/load/states.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"
#include "core/ops/op_def.h"

namespace mo::tf {
namespace {

/// What a body keeps, although no result of it reads it.
constexpr OpDef kKept{.op = "", .type = "", .version = "", .infer = nullptr, .sink = true};

bool reads_variables(const Node& node) {
  return node.op() == "ReadVariableOp" || node.op().starts_with("ResourceGather") || !bodies_of(node).empty();
}
/// Nobody waits for checks and messages: what they read need not be part of the model.
bool is_message(std::string_view op) {
  return op == "Assert" || op.starts_with("Print") || op.ends_with("Summary") || op.ends_with("SummaryV2");
}
/// The variable that the node changes, if a branch or a loop of TensorFlow 1 is in between.
OutPort variable_in_flow(const Node& node) {
  OutPort port = node.source(0);
  bool inside = false;
  for (int way = 0; port && way < 1000; ++way) {
    const Node& at = port.node();
    const bool flow = is_flow(at.op(), "Switch") || is_flow(at.op(), "Enter");
    if (!flow && at.op() != "Identity" && at.op() != "RefIdentity") break;
    inside |= flow;
    port = at.source(0);
  }
  return inside ? port : OutPort();
}
bool is_call(const auto& scope) { return scope.function && !scope.is_body; }

}  // namespace

/// By control flow, whatever becomes of the nodes of loops and conditions of TensorFlow 1: those that take their place
/// have their names.
class GraphLoader::Effects {
 public:
  explicit Effects(GraphLoader& loader) : loader_(loader) {}

  void connect() {
    find_effects();
    if (!visit_needed()) return;
    for (Scope& scope : loader_.scopes_)
      if (is_call(scope) && scope.graph->owner()) enter(scope);
    for (const Loaded& loaded : loader_.nodes_)
      if (Node* node = alive(loaded.node); node && (node->graph().owner() || visited(*node))) order(*node, loaded);
    for (Scope& scope : loader_.scopes_)
      if (scope.begin) order_call(scope);
    for (Node* result : loader_.graph_.results)
      for (Scope* scope = scope_of(result->source(0)); scope && is_call(*scope); scope = scope->caller)
        wait_for(*result, scope->end);
  }

 private:
  Node* alive(Node* node) {
    if (!node || !node->removed()) return node;
    if (by_name_.empty())
      for (Node* each : loader_.graph_.nodes()) by_name_.emplace(each->name(), each);
    const auto found = by_name_.find(node->name());
    return found == by_name_.end() ? nullptr : found->second;
  }

  /// Those of each call and body, with operations that have bodies with effects.
  void find_effects() {
    std::set<std::pair<const Scope*, const Node*>> known;
    const auto add = [&](Node& node, Scope* scope) {
      for (Node* effect = &node; scope; scope = scope->caller) {
        if (!known.emplace(scope, effect).second) return;
        scope->effects.push_back(effect);
        if (!scope->is_body) continue;
        effect->define([](const OpDef*) { return std::shared_ptr<const OpDef>(&kKept, [](const OpDef*) {}); });
        effect = scope->graph->owner();
      }
    };
    for (const Loaded& loaded : loader_.nodes_) {
      Node* node = alive(loaded.node);
      if (!node) continue;
      if (&node->graph() == &loader_.graph_) by_node_[node] = &loaded;
      if (is_effect_node(*node)) add(*node, loaded.scope);
    }
  }

  Scope* scope_of(OutPort port) const {
    const auto found = port ? by_node_.find(&port.node()) : by_node_.end();
    return found == by_node_.end() ? nullptr : found->second->scope;
  }

  bool visited(const Node& node) const { return visited_[static_cast<size_t>(node.id())] != 0; }

  void visit(Node* node) {
    node = alive(node);
    if (node && !std::exchange(visited_[static_cast<size_t>(node->id())], 1)) open_.push_back(node);
  }

  /// Visits what the outputs need. False if no variable is changed.
  bool visit_needed() {
    visited_.assign(loader_.graph_.ids(), 0);
    for (Node* result : loader_.graph_.results) visit(result);
    bool any = false;
    while (!open_.empty()) {
      Node& node = *open_.back();
      open_.pop_back();
      for (int i = 0; i < node.in_count(); ++i)
        if (const OutPort source = node.source(i)) visit(&source.node());
      const auto found = by_node_.find(&node);
      if (found == by_node_.end()) continue;
      const Loaded& loaded = *found->second;
      for (Scope* scope = loaded.scope; scope && is_call(*scope); scope = scope->caller) enter(*scope);
      for (const std::string& input : loaded.inputs)
        if (const Named* named = this->named(input, *loaded.scope)) visit(*named, is_control(input));
      any |= is_effect_node(node);
      for (const Graph* body : bodies_of(node)) any |= has_effects(*body);
    }
    return any;
  }

  static bool has_effects(const Graph& body) {
    for (const Node* node : body.nodes()) {
      if (is_effect_node(*node)) return true;
      for (const Graph* inner : bodies_of(*node))
        if (has_effects(*inner)) return true;
    }
    return false;
  }

  void visit(const Named& named, bool control) {
    if (named.call)
      enter(*named.call);
    else if (control && !is_message(named.node->op()))
      visit(named.node);
  }

  void enter(Scope& scope) {
    if (scope.begin) return;
    scope.begin = &scope.graph->add_node("NoOp", scope.prefix + "begin");
    scope.end = &scope.graph->add_node("NoOp", scope.prefix + "end");
    if (scope.graph->owner()) return;
    visited_.resize(loader_.graph_.ids(), 1);
    for (Node* effect : scope.effects) visit(effect);
    for (const std::string& input : scope.controls)
      if (const Named* named = this->named(input, *scope.caller)) visit(*named, true);
  }

  /// What a name of an input means, "^node", "node:1"; null for an argument of the function.
  static const Named* named(const std::string& input, const Scope& scope) {
    std::string_view name = input;
    if (is_control(input)) name.remove_prefix(1);
    const auto found = scope.names.find(std::string(name.substr(0, name.find(':'))));
    return found == scope.names.end() ? nullptr : &found->second;
  }

  void wait_for(Node& node, Node* source) {
    source = alive(source);
    if (source && source != &node && &source->graph() == &node.graph())
      node.control_in(controls_[&node]++).connect(source->control_out());
  }

  void wait_for(Node& node, const std::string& input, const Scope& scope) {
    const Named* named = this->named(input, scope);
    if (!named) return;
    if (named->call)
      wait_for(node, named->call->end);
    else if (is_control(input) ? !is_message(named->node->op()) : is_effect_node(*named->node))
      wait_for(node, named->node);
  }

  void order(Node& node, const Loaded& loaded) {
    for (const std::string& input : loaded.inputs) wait_for(node, input, *loaded.scope);
    Scope& scope = *loaded.scope;
    if (!is_call(scope) || !scope.begin || (!is_effect_node(node) && !reads_variables(node))) return;
    wait_for(node, scope.begin);
    wait_for(*scope.end, &node);
  }

  void order_call(Scope& scope) {
    for (const auto* inputs : {&scope.inputs, &scope.controls})
      for (const std::string& input : *inputs) wait_for(*scope.begin, input, *scope.caller);
    wait_for(*scope.end, scope.begin);
    if (!is_call(*scope.caller)) return;
    wait_for(*scope.begin, scope.caller->begin);
    wait_for(*scope.caller->end, scope.end);
  }

  GraphLoader& loader_;
  std::unordered_map<const Node*, const Loaded*> by_node_;  // looked up only, as are these:
  std::unordered_map<std::string, Node*> by_name_;
  std::unordered_map<const Node*, int> controls_;
  std::vector<char> visited_;  ///< by the ids of the model's nodes
  std::vector<Node*> open_;
};

/// The branches and loop bodies of TensorFlow 1 are found by their tensors. What only waits for an assignment in them
/// reads a node that extraction refuses with the name of the variable, unless it is in a branch that never runs.
void GraphLoader::mark_effects_in_flow() {
  std::unordered_map<const Node*, std::vector<const Loaded*>> waiting;  // looked up only
  for (const Loaded& loaded : nodes_)
    for (const std::string& input : loaded.inputs)
      if (is_control(input))
        if (const auto found = loaded.scope->names.find(input.substr(1)); found != loaded.scope->names.end())
          waiting[found->second.node].push_back(&loaded);
  std::set<const Node*> seen;
  for (const Loaded& loaded : nodes_) {
    const Node& effect = *loaded.node;
    const OutPort variable = is_effect_node(effect) ? variable_in_flow(effect) : OutPort();
    std::vector<const Node*> open;
    if (variable) open.push_back(&effect);
    while (!open.empty()) {
      const auto found = waiting.find(open.back());
      open.pop_back();
      if (found == waiting.end()) continue;
      for (const Loaded* reader : found->second) {
        Node& node = *reader->node;
        if (!seen.insert(&node).second) continue;
        const bool reads = node.has_in(0);
        if (!reads && node.op() == "NoOp") open.push_back(&node);
        if (!reads && node.out_count() == 0) continue;
        Node& mark = node.graph().add_node(effect.op(), cat(effect.name(), "/", node.name()));
        mark.pb = effect.pb;
        mark.set("unkept", variable.node().name());
        mark.add_in_ports(1);
        mark.add_out_ports(1);
        if (reads) {
          mark.in(0).connect(node.source(0));
          node.in(0).connect(mark);
        } else {
          node.out(0).connection().set_source(mark, TensorNames::Source);
          mark.in(0).connect(node.out(0));
        }
      }
    }
  }
}

void GraphLoader::connect_effects() {
  if (has_effects_) Effects(*this).connect();
}

}  // namespace mo::tf
