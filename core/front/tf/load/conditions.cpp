#include "core/front/tf/load/conditions.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/build/builder.h"
#include "core/front/tf/load/frames.h"
#include "core/front/tf/load/subgraph_copy.h"
#include "core/graph/body.h"

namespace mo::tf {
namespace {

/// The largest number of visited nodes. More are a mistake of the file.
constexpr size_t kMostSteps = size_t{1} << 26;

bool is_switch(const Node& node) { return is_flow(node.op(), "Switch"); }
bool is_merge(const Node& node) { return is_flow(node.op(), "Merge"); }

OutPort predicate_of(const Node& node) { return behind_identities(node.source(1)); }

void become_identity(Node& node, OutPort source) {
  Node& made = node.graph().add_node("Identity", node.name());
  made.add_in_ports(1);
  made.add_out_ports(1);
  made.in(0).connect(source);
  node.graph().replace(node, made);
}

/// For conditions that are constants: removes the nodes of the branch that never runs.
void remove_dead_branches(Graph& graph) {
  std::set<int> dead;                         // nodes, by id
  std::set<std::pair<int, int>> dead_output;  // of Switches
  const auto is_dead = [&](OutPort port) {
    return dead.count(port.node().id()) || dead_output.count({port.node().id(), port.index()});
  };
  for (Node* node : graph.topological_order()) {
    if (is_merge(*node)) {
      OutPort alive;
      int count = 0;
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i); source && !is_dead(source)) alive = source, ++count;
      if (count == 1) become_identity(*node, alive);
      if (count == 0) dead.insert(node->id());
      continue;
    }
    bool stops = false;
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) stops |= is_dead(source);
    for (const Node* source : node->control_sources()) stops |= dead.count(source->id()) != 0;
    if (stops) dead.insert(node->id());
    if (stops || !is_switch(*node) || !node->has_in(0) || !node->has_in(1)) continue;
    const auto condition = constant_number(node->source(1));
    if (!condition) continue;
    const int taken = *condition != 0;
    dead_output.emplace(node->id(), 1 - taken);
    for (const InPort& reader : node->out(taken).destinations()) reader.connect(node->source(0));
  }
  for (const int id : dead) graph.remove(graph.node(id));
}

class Conditions {
 public:
  explicit Conditions(Graph& graph) : graph_(graph) {}

  void join() {
    const std::vector<Node*> order = graph_.topological_order();
    for (size_t i = 0; i < order.size(); ++i) position_[order[i]->id()] = i;
    std::vector<Node*> merges;
    for (Node* node : order)
      if (is_merge(*node)) merges.push_back(node);
    for (size_t i = 0; i < merges.size(); ++i) {
      if (merges[i]->removed()) continue;
      const OutPort predicate = predicate_of(*merges[i], nullptr);
      if (!predicate) continue;
      std::vector<Node*> group{merges[i]};
      std::set<int> behind;  // nodes that depend on the group
      add_behind(*merges[i], behind);
      for (size_t j = i + 1; j < merges.size(); ++j) {
        bool has_inner = false;
        if (merges[j]->removed() || behind.count(merges[j]->id()) ||
            !(predicate_of(*merges[j], &has_inner) == predicate) || has_inner)
          continue;
        group.push_back(merges[j]);
        add_behind(*merges[j], behind);
      }
      make_case(predicate, group);
    }
    remove_unread();
  }

 private:
  void step() {
    if (++steps_ > kMostSteps) throw Error(Code::TooDeep, "conditions in each other");
  }

  void add_behind(Node& merge, std::set<int>& behind) {
    std::vector<Node*> open{&merge};
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      if (!behind.insert(node->id()).second) continue;
      step();
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& reader : node->out(i).destinations()) open.push_back(&reader.node());
    }
  }

  /// The ports from which `end` is computed, back to outputs of Switches, which are included.
  std::vector<OutPort> ways_to(OutPort end) {
    std::vector<OutPort> ways, open{end};
    std::set<std::pair<int, int>> seen;
    while (!open.empty()) {
      const OutPort port = open.back();
      open.pop_back();
      if (!port || !seen.emplace(port.node().id(), port.index()).second) continue;
      step();
      ways.push_back(port);
      if (is_switch(port.node())) continue;
      for (int i = 0; i < port.node().in_count(); ++i) open.push_back(port.node().source(i));
      for (Node* pivot : port.node().control_sources())
        if (const OutPort source = behind_identities(*pivot); is_switch(source.node())) open.push_back(source);
    }
    return ways;
  }

  /// The condition that decides between the Merge's inputs: that of the last Switch before it.
  OutPort predicate_of(const Node& merge, bool* has_inner) {
    const Node* last = nullptr;
    for (int i = 0; i < merge.in_count(); ++i)
      for (const OutPort& port : ways_to(merge.source(i))) {
        if (has_inner) *has_inner |= is_merge(port.node());
        if (is_switch(port.node()) && port.node().has_in(1) &&
            (!last || position_[last->id()] < position_[port.node().id()]))
          last = &port.node();
      }
    return last ? tf::predicate_of(*last) : OutPort();
  }

  bool is_of(OutPort port, OutPort predicate) {
    return is_switch(port.node()) && port.node().has_in(0) && tf::predicate_of(port.node()) == predicate;
  }

  /// The Merge's input for that value of the condition. tf.cond puts the one for false first.
  OutPort input_for(const Node& merge, int value, OutPort predicate) {
    if (merge.in_count() != 2) throw Error(Code::UnsupportedForm, "a Merge of more than two", merge.place());
    for (int i = 0; i < 2; ++i)
      for (const OutPort& port : ways_to(merge.source(i)))
        if (is_of(port, predicate)) return merge.source(port.index() == value ? i : 1 - i);
    return merge.source(value);
  }

  void make_case(OutPort predicate, const std::vector<Node*>& group) {
    Node& owner = graph_.add_node("Case", cat(group[0]->name(), "/Case"));
    owner.add_in_ports(1);
    owner.in(0).connect(predicate);
    owner.set("lone", true);  // TensorFlow 1 takes scalars only
    owner.add_out_ports(static_cast<int>(group.size()));
    std::map<std::pair<int, int>, int> captured;  // the owner's input for an outside tensor
    for (const int value : {1, 0}) {
      const auto body = std::make_shared<Graph>(graph_.shared_model(), &owner);
      owner.set(kBranches[1 - value], body);
      SubgraphCopy copy(*body, {});
      for (size_t i = 0; i < group.size(); ++i) {
        const OutPort end = input_for(*group[i], value, predicate);
        if (!end) throw Error(Code::MissingInput, "a branch", group[i]->place());
        for (const OutPort& port : boundary(end, predicate)) {
          if (copy.stands_for(port)) continue;
          const OutPort outside = is_of(port, predicate) ? port.node().source(0) : port;
          Node& parameter = copy.parameter(outside.node().name());
          parameter.set("external_port_id", int64_t{capture(owner, outside, captured)});
          copy.stand_for(port, parameter);
        }
        copy.result(end).set("external_port_id", static_cast<int64_t>(i));
      }
    }
    for (size_t i = 0; i < group.size(); ++i) {
      if (group[i]->has_out_port(1) && !group[i]->out(1).disconnected())
        group[i]->out(1).connection().set_source(taken(*group[i], predicate));
      become_identity(*group[i], owner.out(static_cast<int>(i)));
    }
  }

  /// Merge's second output: the number of the input that has a value.
  OutPort taken(const Node& merge, OutPort predicate) {
    Builder b(graph_, merge.name());
    const OutPort number = b.convert(predicate, ElementType::I32);
    if (input_for(merge, 1, predicate) == merge.source(1)) return number;
    return b.op("Sub", {b.constant(make_scalar(ElementType::I32, 1)), number});
  }

  static int capture(Node& owner, OutPort outside, std::map<std::pair<int, int>, int>& captured) {
    const auto [at, is_new] = captured.emplace(std::pair(outside.node().id(), outside.index()), owner.in_count());
    if (is_new) {
      owner.add_in_ports(at->second + 1);
      owner.in(at->second).connect(outside);
    }
    return at->second;
  }

  /// The tensors that enter a branch: outputs of its Switches, and tensors that depend on no Switch, except constants.
  std::vector<OutPort> boundary(OutPort end, OutPort predicate) {
    const std::vector<OutPort> ways = ways_to(end);
    std::vector<OutPort> out;
    std::set<int> inside;  // nodes that depend on a Switch
    const auto reads_inside = [&](Node& node) {
      for (int i = 0; i < node.in_count(); ++i)
        if (const OutPort source = node.source(i);
            source && (is_of(source, predicate) || inside.count(source.node().id())))
          return true;
      return false;
    };
    for (bool grows = true; grows;) {
      grows = false;
      for (auto at = ways.rbegin(); at != ways.rend(); ++at) {
        step();
        if (!is_switch(at->node()) && !inside.count(at->node().id()) && reads_inside(at->node()))
          grows = inside.insert(at->node().id()).second;
      }
    }
    const auto add = [&](OutPort port) {
      if (is_of(port, predicate) || (!inside.count(port.node().id()) && port.node().op() != "Const"))
        out.push_back(port);
    };
    add(end);
    for (const OutPort& port : ways)
      if (inside.count(port.node().id()))
        for (int i = 0; i < port.node().in_count(); ++i)
          if (const OutPort source = port.node().source(i)) add(source);
    return out;
  }

  /// Removes nodes that only led to Merges: they are no outputs of the model.
  void remove_unread() {
    const std::vector<Node*> order = graph_.topological_order();
    std::set<int> behind;
    for (Node* node : order) {
      if (node->removed() || !is_switch(*node)) continue;
      add_behind(*node, behind);
      // tf.cond puts the predicate behind an Identity, `pred_id`.
      if (node->source(1) && node->source(1).node().op() == "Identity") behind.insert(node->source(1).node().id());
    }
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      Node& node = **at;
      if (!node.removed() && behind.count(node.id()) && !node.is_read()) graph_.remove(node);
    }
  }

  Graph& graph_;
  std::map<int, size_t> position_;  ///< in topological order, by id
  size_t steps_ = 0;
};

}  // namespace

void join_conditions(Graph& graph) {
  if (!graph.nodes("Switch").empty() || !graph.nodes("RefSwitch").empty()) {
    remove_dead_branches(graph);
    Conditions(graph).join();
  }
  for (Node* node : graph.nodes("Const"))
    for (size_t i = node->control_sources().size(); i-- > 0;) node->control_in(static_cast<int>(i)).disconnect();
}

}  // namespace mo::tf
