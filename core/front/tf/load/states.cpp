#include "core/front/tf/load/states.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"

namespace mo::tf {
namespace {

const std::string& framework_op(const Node& node) { return node.pb ? node.pb->op : node.op(); }

/// Producers before consumers. What nothing orders runs before the next assignment.
std::vector<Node*> order_of(const Graph& graph) {
  std::vector<int> open(graph.ids(), 0);
  const std::vector<Node*> nodes = graph.nodes();
  std::map<const Node*, std::vector<Node*>> waiting;  // for control flow; looked up only
  std::deque<Node*> ready, late;
  const auto release = [&](Node& node) {
    (is_effect_node(node) || !bodies_of(node).empty() ? late : ready).push_back(&node);
  };
  for (Node* node : nodes) {
    int& count = open[static_cast<size_t>(node->id())];
    for (int i = 0; i < node->in_count(); ++i) count += node->has_in(i);
    for (const Node* source : node->control_sources()) waiting[source].push_back(node), ++count;
  }
  for (Node* node : nodes)
    if (open[static_cast<size_t>(node->id())] == 0) release(*node);
  std::vector<Node*> order;
  while (!ready.empty() || !late.empty()) {
    std::deque<Node*>& from = ready.empty() ? late : ready;
    Node* node = from.front();
    from.pop_front();
    order.push_back(node);
    const auto done = [&](Node& reader) {
      if (--open[static_cast<size_t>(reader.id())] == 0) release(reader);
    };
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& reader : OutPort(node, i).destinations()) done(reader.node());
    if (const auto found = waiting.find(node); found != waiting.end())
      for (Node* reader : found->second) done(*reader);
  }
  return order.size() == nodes.size() ? order : graph.topological_order();
}

struct ChangedVariable {
  Node* value = nullptr;  ///< the Const
  std::string id;
  bool is_reference = false;  ///< of TensorFlow 1: what reads it names the variable itself
};

class States {
 public:
  explicit States(Graph& graph) : graph_(graph) {}

  void keep() {
    Scope scope{graph_, {}, {}, {}};
    find_variables(scope);
    scope.assigned.assign(variables_.size(), 0);
    walk(scope);
    for (size_t i = 0; i < variables_.size(); ++i)
      if (scope.assigned[i]) add_state(variables_[i], scope.now[i]);
  }

 private:
  /// The model, or a body while it is walked through.
  struct Scope {
    Graph& graph;
    std::map<std::pair<int, int>, size_t> handles;  ///< tensors that mean a variable, by node and output
    std::vector<OutPort> now;                       ///< the value that each variable has
    std::vector<char> assigned;
  };

  static constexpr size_t kNone = SIZE_MAX;

  /// A frozen graph has constants in place of variables, also of those that it changes.
  static bool is_variable(Node& node) {
    const std::vector<InPort> readers = node.out(0).destinations();
    return node.has("variable") || std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
             return reader.index() == 0 && is_effect_node(reader.node());
           });
  }

  /// Several nodes may mean one variable: those with one name and one key of the checkpoint.
  void find_variables(Scope& scope) {
    std::map<std::pair<std::string, std::string>, size_t> known;
    for (Node* node : graph_.nodes("Const")) {
      if (!is_variable(*node)) continue;
      const std::string name = node->get_string("variable", node->name());
      const auto [at, is_new] =
          known.emplace(std::pair(name, node->get_string("variable_key", name)), variables_.size());
      if (is_new) {
        variables_.push_back({node, name, node->has("is_reference")});
        scope.now.push_back(node->out(0));
      } else {
        node->out(0).connection().set_source(variables_[at->second].value->out(0), TensorNames::Dest);
      }
      scope.handles[{node->id(), 0}] = at->second;
    }
  }

  static size_t handle(const Scope& scope, OutPort port) {
    if (!port) return kNone;
    const auto found = scope.handles.find({port.node().id(), port.index()});
    return found == scope.handles.end() ? kNone : found->second;
  }

  void walk(Scope& scope) {
    for (Node* node : order_of(scope.graph)) {
      if (is_effect_node(*node) && !node->has("unkept")) {
        assign(scope, *node);
        continue;
      }
      const bool passes = node->op() == "Identity" || node->op() == "IdentityN" || node->op() == "RefIdentity";
      std::vector<size_t> inputs(static_cast<size_t>(node->in_count()), kNone);
      for (int i = 0; i < node->in_count(); ++i) {
        const size_t variable = inputs[static_cast<size_t>(i)] = handle(scope, node->source(i));
        if (variable == kNone) continue;
        node->in(i).connect(scope.now[variable]);
        if (passes && (!variables_[variable].is_reference || node->op() == "RefIdentity"))
          scope.handles[{node->id(), i}] = variable;
      }
      if (node->get_graph("cond") && node->get_graph("body"))
        walk_loop(scope, *node, inputs);
      else if (node->get_graph(kBranches[0]) && node->get_graph(kBranches[1]))
        walk_branches(scope, *node, inputs);
    }
  }

  void assign(Scope& scope, Node& node) {
    for (int i = 1; i < node.in_count(); ++i)
      if (const size_t variable = handle(scope, node.source(i)); variable != kNone)
        node.in(i).connect(scope.now[variable]);
    const size_t variable = handle(scope, node.source(0));
    if (variable == kNone) return refuse(node, "a variable or table that is not known before the model runs");
    if (!is_extracted(framework_op(node)))
      return refuse(node, msg("the variable ", printable(variables_[variable].id)));
    node.in(0).connect(scope.now[variable]);
    node.add_out_ports(1);
    node.define(nullptr);
    // What reads the output of an assignment of TensorFlow 1 names the variable, too.
    scope.handles[{node.id(), 0}] = variable;
    scope.now[variable] = node.out(0);
    scope.assigned[variable] = 1;
  }

  void refuse(Node& node, const Detail& what) {
    node.define(nullptr);
    graph_.model().diagnostics.add(
        Error(Code::UnsupportedForm, msg("it changes ", what, ", which cannot be kept between two runs"), node.place(),
              "export the function that predicts, or name its outputs with --output"));
  }

  /// A body whose Parameter stands for the variable of each of these inputs of its owner.
  Scope body_scope(Graph& body, const std::vector<std::pair<Node*, size_t>>& parameters) {
    Scope scope{body, {}, std::vector<OutPort>(variables_.size()), std::vector<char>(variables_.size(), 0)};
    for (const auto& [parameter, variable] : parameters) {
      scope.handles[{parameter->id(), 0}] = variable;
      if (!scope.now[variable]) scope.now[variable] = parameter->out(0);
    }
    return scope;
  }

  /// A loop carries its variables from one iteration to the next.
  void walk_loop(Scope& outer, Node& loop, const std::vector<size_t>& inputs) {
    const auto scope_of = [&](const char* attribute) {
      Graph& body = *loop.get_graph(attribute);
      std::vector<std::pair<Node*, size_t>> parameters;
      for (size_t i = 0; i < inputs.size() && i < body.parameters.size(); ++i)
        if (inputs[i] != kNone) parameters.emplace_back(body.parameters[i], inputs[i]);
      return body_scope(body, parameters);
    };
    Scope condition = scope_of("cond"), body = scope_of("body");
    walk(condition);
    walk(body);
    const std::vector<Node*> results = body.graph.results;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const size_t variable = inputs[i];
      if (variable == kNone) continue;
      if (condition.assigned[variable])
        throw Error(Code::UnsupportedForm,
                    msg("its condition assigns the variable ", printable(variables_[variable].id)), loop.place());
      const int port = static_cast<int>(i);
      loop.add_out_ports(port + 1);
      outer.handles[{loop.id(), port}] = variable;
      if (!body.assigned[variable] || i >= results.size()) continue;
      results[i]->in(0).connect(body.now[variable]);
      outer.now[variable] = loop.out(port);
      outer.assigned[variable] = 1;
    }
  }

  void walk_branches(Scope& outer, Node& owner, const std::vector<size_t>& inputs) {
    const auto known = owner.has("index") ? std::nullopt : constant_number(owner.source(0));
    std::vector<Scope> branches;
    for (const int value : {1, 0}) {
      Graph& body = *owner.get_graph(kBranches[1 - value]);
      std::vector<std::pair<Node*, size_t>> parameters;
      for (Node* parameter : body.parameters) {
        const auto port = static_cast<size_t>(parameter->get_int("external_port_id"));
        if (port < inputs.size() && inputs[port] != kNone) parameters.emplace_back(parameter, inputs[port]);
      }
      branches.push_back(body_scope(body, parameters));
      if (!known || (*known != 0) == (value != 0))
        walk(branches.back());
      else
        drop_effects(body);
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const size_t variable = inputs[i];
      if (variable == kNone || outer.now[variable].node().id() == owner.id()) continue;
      if (!branches[0].assigned[variable] && !branches[1].assigned[variable]) continue;
      const int port = owner.out_count();
      owner.add_out_ports(port + 1);
      for (Scope& branch : branches) {
        OutPort value = branch.now[variable];
        if (!value) {
          Node& parameter = branch.graph.add_node("Parameter", variables_[variable].id);
          parameter.add_out_ports(1);
          parameter.set("external_port_id", static_cast<int64_t>(i));
          value = parameter.out(0);
        }
        Node& result = branch.graph.add_node("Result", cat(variables_[variable].id, "/sink_port_0"));
        result.add_in_ports(1);
        result.in(0).connect(value);
        result.set("external_port_id", static_cast<int64_t>(port));
      }
      outer.now[variable] = owner.out(port);
      outer.assigned[variable] = 1;
    }
  }

  /// A branch that never runs changes nothing.
  static void drop_effects(Graph& body) {
    for_each_graph(body, [](Graph& graph) {
      for (Node* node : graph.nodes())
        if (is_effect_node(*node)) node->define(nullptr);
    });
  }

  void add_state(const ChangedVariable& variable, OutPort last) {
    const PartialShape* declared = variable.value->attributes.get_if<PartialShape>("variable_shape");
    const Constant& value = *variable.value->get_constant("value");
    const PartialShape shape = declared ? *declared : PartialShape(value.shape);
    const ElementType type = value.type;
    std::string id = variable.id;
    while (!ids_.insert(id).second) id += "_";
    const auto named = [&](const char* op, const std::string& name) -> Node& {
      Node& node = graph_.add_node(op, name);
      node.set("variable_id", id);
      node.add_in_ports(1);
      node.add_out_ports(1);
      return node;
    };
    Node& read = named("ReadValue", cat(variable.id, "/read"));
    read.set("variable_type", type);
    read.set("variable_shape", shape);
    if (last == variable.value->out(0)) last = read.out(0);
    variable.value->out(0).connection().set_source(read, TensorNames::Dest);
    read.in(0).connect(variable.value->out(0));
    named("Assign", cat(variable.id, "/assign")).in(0).connect(in_shape(variable.id, last, shape));
  }

  /// TensorFlow checks at run time that a value has the variable's shape. The runtime wants to know it before.
  OutPort in_shape(const std::string& name, OutPort value, const PartialShape& shape) {
    if (shape.rank() <= 0) return value;
    std::vector<int64_t> sizes;
    for (const Dimension& size : shape.dimensions()) sizes.push_back(size.is_exact() ? size.min : 0);
    return Builder(graph_, name).reshape(value, sizes);
  }

  Graph& graph_;
  std::vector<ChangedVariable> variables_;
  std::set<std::string> ids_;
};

}  // namespace

bool is_effect_node(const Node& node) { return is_effect(framework_op(node)); }
bool is_effect(std::string_view op) {
  constexpr std::string_view kBegins[] = {"Assign", "ResourceScatter", "ResourceApply", "ResourceSparseApply",
                                          "Apply",  "SparseApply"};
  constexpr std::string_view kEffects[] = {"ScatterUpdate",       "ScatterAdd",
                                           "ScatterSub",          "ScatterMul",
                                           "ScatterDiv",          "ScatterMin",
                                           "ScatterMax",          "ScatterNdUpdate",
                                           "ScatterNdAdd",        "ScatterNdSub",
                                           "ScatterNdMin",        "ScatterNdMax",
                                           "StridedSliceAssign",  "ResourceStridedSliceAssign",
                                           "CountUpTo",           "ResourceCountUpTo",
                                           "LookupTableInsertV2", "LookupTableRemoveV2"};
  return std::any_of(std::begin(kBegins), std::end(kBegins), [&](auto begin) { return op.starts_with(begin); }) ||
         is_one_of(op, kEffects);
}

void keep_states(Graph& graph) {
  bool is_ordered = false;
  for_each_graph(graph, [&](Graph& each) {
    for (const Node* node : each.nodes()) is_ordered |= node->has_control_flow() || is_effect_node(*node);
  });
  if (is_ordered) {
    graph.clean_up();  // without what only other outputs need
    States(graph).keep();
    for_each_graph(graph, [](Graph& each) {
      for (Node* node : each.nodes())
        if (node->has_control_flow()) node->control_out().disconnect();
    });
  }
  for (Node* node : graph.nodes("Const"))
    for (const char* key : {"variable", "variable_key", "variable_shape", "is_reference"}) node->attributes.erase(key);
  if (is_ordered) graph.clean_up();
}

}  // namespace mo::tf
