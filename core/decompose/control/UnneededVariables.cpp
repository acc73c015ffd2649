// Before: Y = While(X) {cond, body}, where neither a result of the model nor a condition depends on a variable
// After:  the same; the variable is a constant that the body does not change
// Conditions: none.
// Programs made of Python carry each name that a loop assigns, also one that has no value before it: what stands for
// that value has no shape, and perhaps another type.

#include <unordered_map>
#include <unordered_set>

#include "core/build/builder.h"
#include "core/graph/body.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

struct HashOfPort {
  size_t operator()(const OutPort& port) const {
    return std::hash<const Node*>()(&port.node()) * 31 + static_cast<size_t>(port.index());
  }
};

/// What the results of a model depend on, tensor by tensor.
class Needed {
 public:
  explicit Needed(Graph& model) {
    for_each_graph(model, [&](Graph& graph) {
      for (Node* node : graph.nodes())
        if (node->op() == "Result" ? !graph.owner() : node->out_count() == 0) add_inputs(*node);
    });
    while (!open_.empty()) {
      const OutPort port = open_.back();
      open_.pop_back();
      follow(port);
    }
  }

  /// Whether the body of this While must compute the variable.
  bool has(const Node& owner, int variable) const {
    const auto found = variables_.find(&owner);
    return found == variables_.end() || found->second[static_cast<size_t>(variable)];
  }

  /// Whether it has a Parameter, and in its body a Result, for each variable.
  static bool is_whole(const Node& node) {
    const Graph *body = node.get_graph("body"), *condition = node.get_graph("cond");
    const auto count = static_cast<size_t>(node.in_count());
    return body && condition && body->parameters.size() == count && body->results.size() == count &&
           condition->parameters.size() == count;
  }

 private:
  void add(OutPort port) {
    if (port && seen_.insert(port).second) open_.push_back(port);
  }

  void add_inputs(const Node& node) {
    for (int i = 0; i < node.in_count(); ++i) add(node.source(i));
  }

  void follow(OutPort port) {
    Node& node = port.node();
    Node* owner = node.graph().owner();
    if (node.op() == "Parameter" && owner) return follow_outside(node, *owner);
    if (node.op() == "While" && is_whole(node)) {
      if (is_first(node)) add_results(*node.get_graph("cond"));
      return add_variable(node, static_cast<size_t>(port.index()));
    }
    if (node.op() == "If") {
      add(node.source(0));
      for (const char* name : kBranches)
        if (const Graph* branch = node.get_graph(name))
          if (const Node* result = result_for(*branch, port.index())) add(result->source(0));
      return;
    }
    if (!is_first(node)) return;
    add_inputs(node);
    for (Graph* body : bodies_of(node)) add_results(*body);
  }

  void follow_outside(const Node& parameter, Node& owner) {
    if (owner.op() == "While" && is_whole(owner)) {
      is_first(owner);
      return add_variable(owner, places_.at(&parameter));
    }
    const int input = static_cast<int>(parameter.get_int("external_port_id", -1));
    if (owner.has_in(input)) add(owner.source(input));
  }

  void add_results(const Graph& body) {
    for (const Node* result : body.results) add(result->source(0));
  }

  void add_variable(Node& owner, size_t variable) {
    std::vector<char>& needed = variables_[&owner];
    if (std::exchange(needed[variable], 1)) return;
    add(owner.source(static_cast<int>(variable)));
    add(owner.get_graph("body")->results[variable]->source(0));
  }

  /// Whether nothing has been asked of the node before.
  bool is_first(Node& node) {
    if (!nodes_.insert(&node).second) return false;
    if (node.op() != "While" || !is_whole(node)) return true;
    variables_[&node].resize(static_cast<size_t>(node.in_count()));
    for (const char* name : {"body", "cond"}) {
      const std::vector<Node*>& parameters = node.get_graph(name)->parameters;
      for (size_t i = 0; i < parameters.size(); ++i) places_[parameters[i]] = i;
    }
    return true;
  }

  std::unordered_set<OutPort, HashOfPort> seen_;
  std::unordered_set<const Node*> nodes_;
  std::unordered_map<const Node*, std::vector<char>> variables_;
  std::unordered_map<const Node*, size_t> places_;  ///< of Parameters among those of their graph
  std::vector<OutPort> open_;
};

class UnneededVariables final : public Transform {
 public:
  bool run_not_recursively() const override { return true; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& model) override {
    std::vector<Node*> loops;
    for_each_graph(model, [&](Graph& graph) {
      for (Node* node : graph.nodes("While"))
        if (Needed::is_whole(*node)) loops.push_back(node);
    });
    if (loops.empty()) return;
    const Needed needed(model);
    for (Node* loop : loops) {
      for (int i = 0; i < loop->in_count(); ++i)
        if (!needed.has(*loop, i)) leave(*loop, i);
    }
  }

 private:
  static void leave(Node& loop, int variable) {
    const Graph& body = *loop.get_graph("body");
    body.results[static_cast<size_t>(variable)]->in(0).connect(body.parameters[static_cast<size_t>(variable)]->out(0));
    loop.in(variable).connect(Builder(loop).constant(make_scalar(ElementType::I32, 0)));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UnneededVariables)
}  // namespace mo
