#include "core/front/tf/load/conditions.h"

#include <algorithm>
#include <functional>
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
/// Branches of one condition become Cases in each other.
constexpr int kMostBranches = 64;

OutPort predicate_of(const Node& node) { return behind_identities(node.source(1)); }

/// Of a Switch: output 0 is for false, 1 for true; of a _SwitchN, one for each index, the last one also for all others.
int count_branches(const Node& node) { return node.op() == "_SwitchN" ? node.out_count() : 2; }
int branch_for(const Node& node, int64_t number) {
  if (node.op() != "_SwitchN") return number != 0;
  const int last = node.out_count() - 1;
  return number < 0 || number > last ? last : static_cast<int>(number);
}

/// TensorFlow has made "cond/output/_12" of a functional condition, whose other Merges have the name up to the number.
std::string_view owner_of_lowered(const Node& node) {
  const std::string_view name = node.name();
  return number_of_lowered(node) ? name.substr(0, name.rfind('/')) : std::string_view();
}

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
    const int taken = branch_for(*node, *condition);
    for (int i = 0; i < node->out_count(); ++i)
      if (i != taken) dead_output.emplace(node->id(), i);
    if (!node->has_out_port(taken)) continue;
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
    for (Node* merge : merges) sort_in(*merge);
    // Conditions inside of others first: then all Merges of the outer one are known.
    for (bool any = true; any;) {
      any = false;
      for (const auto& [position, inner] : std::exchange(inner_, {}))
        if (!inner->removed() && !is_waiting_.count(inner->id())) any |= join(*inner);
    }
    for (Node* merge : merges)
      if (!merge->removed()) join(*merge);
    remove_unread();
  }

 private:
  void step() {
    if (++steps_ > kMostSteps) throw Error(Code::TooDeep, "conditions in each other");
  }

  /// The condition of the Merge. Returns whether it has one.
  bool join(const Node& merge) {
    const Node* last = last_switch(merge, nullptr);
    if (!last) return false;
    std::vector<Node*> group = group_of(graph_.node(merge.id()), tf::predicate_of(*last));
    std::stable_sort(group.begin(), group.end(),
                     [](const Node* a, const Node* b) { return number_of_lowered(*a) < number_of_lowered(*b); });
    make_case(*last, group);
    for (const Node* joined : group)
      for (Node* outer : std::exchange(waiting_[joined->id()], {}))
        if (!outer->removed()) sort_in(*outer);
    return true;
  }

  /// Merges of a condition are found by the condition. One with another condition inside waits for that.
  void sort_in(Node& merge) {
    const Node* inner = nullptr;
    const Node* last = last_switch(merge, &inner);
    is_waiting_.erase(merge.id());
    if (inner) {
      is_waiting_.insert(merge.id());
      waiting_[inner->id()].push_back(&merge);
      inner_[position_[inner->id()]] = inner;
    } else if (last) {
      if (!waiting_[merge.id()].empty()) inner_[position_[merge.id()]] = &merge;
      ready_[key(tf::predicate_of(*last))][position_[merge.id()]] = &merge;
    }
  }

  /// `first`, and the later Merges of the same condition that do not depend on the group.
  std::vector<Node*> group_of(Node& first, OutPort predicate) {
    std::vector<Node*> group{&first};
    std::map<size_t, Node*>& ready = ready_[key(predicate)];
    std::erase_if(ready, [](const auto& entry) { return entry.second->removed(); });
    const size_t start = position_[first.id()];
    if (ready.empty() || ready.rbegin()->first <= start) return group;
    const size_t end = ready.rbegin()->first;
    std::set<int> behind;
    add_behind(first, behind, end);
    for (auto at = ready.upper_bound(start); at != ready.end(); ++at) {
      if (behind.count(at->second->id()) || owner_of_lowered(*at->second) != owner_of_lowered(first)) continue;
      group.push_back(at->second);
      add_behind(*at->second, behind, end);
    }
    return group;
  }

  /// Adds the nodes that depend on the Merge, without those that are later in the order than `end`.
  void add_behind(Node& merge, std::set<int>& behind, size_t end) {
    std::vector<Node*> open{&merge};
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      const auto position = position_.find(node->id());
      if ((position != position_.end() && position->second > end) || !behind.insert(node->id()).second) continue;
      step();
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& reader : node->out(i).destinations()) open.push_back(&reader.node());
      if (!node->has_control_flow()) continue;
      for (const InPort& reader : node->control_out().destinations()) open.push_back(&reader.node());
    }
  }

  /// The ports from which `end` is computed, back to outputs of Switches, which are included.
  std::vector<OutPort> ways_to(OutPort end) {
    std::vector<OutPort> ways, open{end};
    std::set<std::pair<int, int>> seen;
    while (!open.empty()) {
      const OutPort port = open.back();
      open.pop_back();
      if (!port || !seen.emplace(key(port)).second) continue;
      step();
      ways.push_back(port);
      if (is_switch(port.node())) continue;
      for (int i = 0; i < port.node().in_count(); ++i) open.push_back(port.node().source(i));
      for (Node* pivot : pivots_of(port.node())) open.push_back(behind_identities(*pivot));
    }
    return ways;
  }

  /// The Switch that decides between the Merge's inputs: the last one before it. `inner`: a Merge before it, if any.
  const Node* last_switch(const Node& merge, const Node** inner) {
    const Node* last = nullptr;
    for (int i = 0; i < merge.in_count(); ++i)
      for (const OutPort& port : ways_to(merge.source(i))) {
        if (inner && is_merge(port.node())) *inner = &port.node();
        if (is_switch(port.node()) && port.node().has_in(1) &&
            (!last || position_[last->id()] < position_[port.node().id()]))
          last = &port.node();
      }
    return last;
  }

  bool is_of(OutPort port, OutPort predicate) {
    return is_switch(port.node()) && port.node().has_in(0) && tf::predicate_of(port.node()) == predicate;
  }

  /// The Merge's inputs, in the order of the Switch's outputs. tf.cond puts the one for false first: that is the order
  /// of inputs that do not say where they belong.
  std::vector<OutPort> inputs_of(const Node& merge, OutPort predicate, int branches) {
    if (merge.in_count() != branches)
      throw Error(Code::UnsupportedForm, msg("a Merge of ", merge.in_count(), ", not ", branches), merge.place());
    std::vector<OutPort> inputs(static_cast<size_t>(branches)), rest;
    for (int i = 0; i < branches; ++i) {
      if (!merge.has_in(i)) throw Error(Code::MissingInput, "a branch", merge.place());
      int branch = -1;
      for (const OutPort& port : ways_to(merge.source(i)))
        if (branch < 0 && port.index() < branches && is_of(port, predicate)) branch = port.index();
      if (branch >= 0 && !inputs[static_cast<size_t>(branch)])
        inputs[static_cast<size_t>(branch)] = merge.source(i);
      else
        rest.push_back(merge.source(i));
    }
    auto next = rest.begin();
    for (OutPort& input : inputs)
      if (!input) input = *next++;
    return inputs;
  }

  /// What a condition becomes: the ends of each branch, in the order of the group, and the tensors that enter it.
  struct Plan {
    OutPort predicate;
    bool by_index;
    std::vector<std::vector<OutPort>> ends, entries;
  };

  void make_case(const Node& decides, const std::vector<Node*>& group) {
    Plan plan{tf::predicate_of(decides), decides.op() == "_SwitchN", {}, {}};
    const int branches = count_branches(decides);
    if (branches < 2 || branches > kMostBranches)
      throw Error(Code::UnsupportedForm, msg(branches, " branches"), decides.place());
    plan.ends.resize(static_cast<size_t>(branches));
    for (const Node* merge : group) {
      const std::vector<OutPort> inputs = inputs_of(*merge, plan.predicate, branches);
      for (size_t i = 0; i < inputs.size(); ++i) plan.ends[i].push_back(inputs[i]);
    }
    for (const std::vector<OutPort>& ends : plan.ends) {
      std::vector<OutPort>& entries = plan.entries.emplace_back();
      for (const OutPort& end : ends)
        for (const OutPort& port : boundary(end, plan.predicate)) entries.push_back(port);
      std::stable_sort(entries.begin(), entries.end(), [](const OutPort& a, const OutPort& b) {
        return number_of_lowered(a.node()) < number_of_lowered(b.node());
      });
    }
    Node& owner = graph_.add_node("Case", cat(group[0]->name(), "/Case"));
    fill(owner, plan, 0, [](OutPort outside) { return outside; });
    for (size_t i = 0; i < group.size(); ++i) {
      if (group[i]->has_out_port(1) && !group[i]->out(1).disconnected())
        group[i]->out(1).connection().set_source(taken(*group[i], plan.predicate, decides));
      become_identity(*group[i], owner.out(static_cast<int>(i)));
    }
  }

  /// Fills a Case for the branches from number `first` on; `tensor` gives a tensor of the graph where the owner stands.
  /// Of two branches, the second output of the Switch is the first branch.
  void fill(Node& owner, const Plan& plan, size_t first, const std::function<OutPort(OutPort)>& tensor) {
    owner.add_in_ports(1);
    owner.in(0).connect(tensor(plan.predicate));
    owner.add_out_ports(static_cast<int>(plan.ends[0].size()));
    if (plan.by_index)
      owner.set("index", static_cast<int64_t>(first));
    else
      owner.set("lone", true);                    // TensorFlow 1 takes scalars only
    std::map<std::pair<int, int>, int> captured;  // the owner's input for an outside tensor
    const auto enter = [&](Node& parameter, OutPort outside) {
      const auto [at, is_new] = captured.emplace(key(outside), owner.in_count());
      if (is_new) {
        owner.add_in_ports(at->second + 1);
        owner.in(at->second).connect(tensor(outside));
      }
      parameter.set("external_port_id", int64_t{at->second});
    };
    for (const size_t at : {0, 1}) {
      const auto body = std::make_shared<Graph>(graph_.shared_model(), &owner);
      owner.set(kBranches[at], body);
      SubgraphCopy copy(*body, {});
      if (at == 1 && plan.ends.size() - first > 2) {
        std::map<std::pair<int, int>, OutPort> parameters;
        Node& rest = body->add_node("Case", owner.name());
        fill(rest, plan, first + 1, [&](OutPort outside) {
          OutPort& inside = parameters[key(outside)];
          if (inside) return inside;
          Node& parameter = copy.parameter(outside.node().name());
          enter(parameter, outside);
          return inside = parameter;
        });
        for (int i = 0; i < rest.out_count(); ++i) add_result(*body, rest.out(i), i);
        continue;
      }
      const size_t branch = plan.by_index ? first + at : 1 - at;
      std::map<std::pair<int, int>, OutPort> parameters;  // one for a tensor: the runtime does not give it to several
      for (const OutPort& port : plan.entries[branch]) {
        if (copy.stands_for(port)) continue;
        const OutPort outside = is_of(port, plan.predicate) ? port.node().source(0) : port;
        OutPort& inside = parameters[key(outside)];
        if (!inside) {
          Node& parameter = copy.parameter(outside.node().name());
          enter(parameter, outside);
          inside = parameter;
        }
        copy.stand_for(port, inside);
      }
      int output = 0;
      for (const OutPort& end : plan.ends[branch]) copy.result(end).set("external_port_id", int64_t{output++});
    }
  }

  static void add_result(Graph& body, OutPort tensor, int output) {
    Node& result = body.add_node("Result", cat(tensor.node().name(), "/sink_port_", output));
    result.add_in_ports(1);
    result.in(0).connect(tensor);
    result.set("external_port_id", int64_t{output});
  }

  /// Merge's second output: the number of the input that has a value.
  OutPort taken(const Node& merge, OutPort predicate, const Node& decides) {
    Builder b(graph_, merge.name());
    const OutPort number = b.convert(predicate, ElementType::I32);
    const std::vector<OutPort> inputs = inputs_of(merge, predicate, count_branches(decides));
    bool in_order = true;
    for (size_t i = 0; i < inputs.size(); ++i) in_order &= inputs[i] == merge.source(static_cast<int>(i));
    if (inputs.size() > 2) throw Error(Code::UnsupportedForm, "the number of one of several branches", merge.place());
    if (in_order) return number;
    return b.op("Sub", {b.constant(make_scalar(ElementType::I32, 1)), number});
  }

  /// The tensors that enter a branch: outputs of its Switches, and tensors that depend on no Switch, except constants.
  std::vector<OutPort> boundary(OutPort end, OutPort predicate) {
    const std::vector<OutPort> ways = ways_to(end);
    std::vector<OutPort> out;
    std::set<int> inside;  // nodes that depend on a Switch, also by the branch of a constant
    const auto is_inside = [&](OutPort port) {
      if (is_of(port, predicate) || inside.count(port.node().id())) return true;
      const std::vector<Node*> pivots = pivots_of(port.node());
      return std::any_of(pivots.begin(), pivots.end(),
                         [&](Node* pivot) { return is_of(behind_identities(*pivot), predicate); });
    };
    const auto reads_inside = [&](Node& node) {
      for (int i = 0; i < node.in_count(); ++i)
        if (const OutPort source = node.source(i); source && is_inside(source)) return true;
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
      add_behind(*node, behind, SIZE_MAX);
      // tf.cond puts the predicate behind an Identity, `pred_id`.
      if (node->source(1) && node->source(1).node().op() == "Identity") behind.insert(node->source(1).node().id());
    }
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      Node& node = **at;
      if (!node.removed() && behind.count(node.id()) && !node.is_read()) graph_.remove(node);
    }
  }

  static std::pair<int, int> key(OutPort port) { return {port.node().id(), port.index()}; }

  Graph& graph_;
  std::map<int, size_t> position_;                                ///< in topological order, by id
  std::map<std::pair<int, int>, std::map<size_t, Node*>> ready_;  ///< by condition, then by position
  std::map<int, std::vector<Node*>> waiting_;                     ///< by the id of a Merge inside
  std::set<int> is_waiting_;                                      ///< looked up only
  std::map<size_t, const Node*> inner_;                           ///< that others wait for, by position
  size_t steps_ = 0;
};

}  // namespace

void join_conditions(Graph& graph) {
  if (!graph.nodes_of({"Switch", "RefSwitch", "_SwitchN"}).empty()) {
    remove_dead_branches(graph);
    Conditions(graph).join();
  }
  for (Node* node : graph.nodes_of({"Const", "NoOp"}))
    for (size_t i = node->control_sources().size(); i-- > 0;) node->control_in(static_cast<int>(i)).disconnect();
}

}  // namespace mo::tf
