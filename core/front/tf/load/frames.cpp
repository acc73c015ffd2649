#include "core/front/tf/load/frames.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/front/tf/load/subgraph_copy.h"
#include "core/graph/body.h"

namespace mo::tf {
namespace {

constexpr int kDeepestFrame = 64;
/// A node is copied once for each frame around it, and a loop that is in the condition, too, once more.
constexpr size_t kMostCopies = 2 * kDeepestFrame;

size_t count_nodes(Graph& graph) {
  size_t count = 0;
  for_each_graph(graph, [&](const Graph& inner) { count += inner.size(); });
  return count;
}

/// The nodes of a frame, by id, from its Enters to before its Exits. Some depend on it only by control inputs.
using Region = std::map<int, Node*>;

Region region_of(const std::vector<Node*>& enters) {
  Region region;
  std::vector<Node*> open(enters);
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    if (is_flow(node->op(), "Exit") || !region.emplace(node->id(), node).second) continue;
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& reader : node->out(i).destinations()) open.push_back(&reader.node());
    if (node->has_control_flow())
      for (const InPort& reader : node->control_out().destinations()) open.push_back(&reader.node());
  }
  return region;
}

/// A variable of a loop: Merge(Enter, NextIteration) -> Switch(LoopCond) -> Exit, or into the body.
struct Variable {
  OutPort initial, next;
  Node *merge, *change = nullptr;
};

class Frame {
 public:
  Frame(Graph& graph, const std::string& name, const std::vector<Node*>& enters, const Region& region)
      : graph_(graph), name_(name), enters_(enters), region_(region) {}

  /// Returns how many nodes the bodies have.
  size_t join() {
    for (const auto& [id, node] : region_) {
      if (is_flow(node->op(), "LoopCond")) condition_ = condition_ ? fail("has two LoopConds") : node;
      if (is_flow(node->op(), "Merge")) add_variable(*node);
    }
    if (!condition_ || variables_.empty()) fail("has no LoopCond and Merge");
    std::stable_sort(variables_.begin(), variables_.end(), [](const Variable& a, const Variable& b) {
      return number_of_lowered(*a.merge) < number_of_lowered(*b.merge);
    });
    for (Node* enter : enters_)
      if (!initial_.count(enter)) invariants_.push_back(enter);
    Node& loop = graph_.add_node("While", cat(name_, "/While"));
    loop.set("lone", true);  // TensorFlow 1 takes scalars only
    for (const Variable& variable : variables_) add_input(loop, variable.initial);
    for (Node* enter : invariants_) add_input(loop, enter->source(0));
    add_body(loop, "cond");
    add_body(loop, "body");
    loop.add_out_ports(loop.in_count());
    for (size_t i = 0; i < variables_.size(); ++i)
      if (Node* change = variables_[i].change) leave(change->out(0), loop.out(static_cast<int>(i)));
    for (const auto& [id, node] : region_) graph_.remove(*node);
    remove_unread_originals();
    return count_nodes(*loop.get_graph("cond")) + count_nodes(*loop.get_graph("body"));
  }

 private:
  [[noreturn]] Node* fail(const Detail& why) const {
    throw Error(Code::CyclicGraph, msg("the frame ", printable(name_), " ", why), enters_.front()->place());
  }

  /// A Merge without NextIteration is one of tf.cond.
  void add_variable(Node& merge) {
    Variable variable{{}, {}, &merge};
    for (int i = 0; i < merge.in_count(); ++i) {
      const OutPort source = merge.source(i);
      if (!source || source.node().in_count() == 0 || !source.node().source(0)) continue;
      if (is_flow(source.node().op(), "NextIteration")) variable.next = source.node().source(0);
      if (is_flow(source.node().op(), "Enter")) {
        variable.initial = source.node().source(0);
        initial_.insert(&source.node());
      }
    }
    if (!variable.next) return;
    if (!variable.initial) fail("has a Merge without Enter");
    for (const InPort& reader : merge.out(0).destinations())
      if (is_flow(reader.node().op(), "Switch") && reader.index() == 0 && reader.node().has_in(1) &&
          is_flow(behind_identities(reader.node().source(1)).node().op(), "LoopCond"))
        variable.change = &reader.node();
    variables_.push_back(variable);
  }

  static void add_input(Node& loop, OutPort source) {
    loop.add_in_ports(loop.in_count() + 1);
    if (source) loop.in(loop.in_count() - 1).connect(source);
  }

  void add_body(Node& loop, const char* attribute) {
    const auto body = std::make_shared<Graph>(graph_.shared_model(), &loop);
    loop.set(attribute, body);
    SubgraphCopy copy(*body, region_);
    for (const Variable& variable : variables_) {
      const OutPort inside = copy.parameter(variable.merge->name());
      copy.stand_for(variable.merge->out(0), inside);
      if (variable.change && variable.change->has_out_port(1)) copy.stand_for(variable.change->out(1), inside);
    }
    for (Node* enter : invariants_) copy.stand_for(enter->out(0), copy.parameter(enter->name()));
    if (attribute == std::string_view("cond")) {
      require_input(*condition_, 0);
      copy.result(condition_->source(0));
    } else {
      for (const Variable& variable : variables_) copy.result(variable.next);
      for (Node* enter : invariants_) copy.result(enter->out(0));
    }
    for (const auto& [id, node] : copy.copies()) originals_.insert(id);
  }

  /// Nodes that no Enter reaches, such as random numbers of a fixed shape, are copied, too. Without a reader they would
  /// become outputs of the model.
  void remove_unread_originals() {
    std::vector<Node*> open;
    for (const int id : originals_)
      if (!region_.count(id)) open.push_back(&graph_.node(id));
    while (!open.empty()) {
      Node& node = *open.back();
      open.pop_back();
      if (node.removed() || node.is_read()) continue;
      for (int i = 0; i < node.in_count(); ++i)
        if (const OutPort source = node.source(i); source && originals_.count(source.node().id()))
          open.push_back(&source.node());
      graph_.remove(node);
    }
  }

  /// Exits become Identities, so that the names of their tensors stay. An Exit that nothing reads is an output of the
  /// model, but not if TensorFlow has made it of a functional loop, which gives all its variables.
  void leave(OutPort from, OutPort result) {
    for (const InPort& reader : from.destinations()) {
      Node& exit = reader.node();
      if (!is_flow(exit.op(), "Exit")) continue;
      if (number_of_lowered(exit) && !exit.is_read()) {
        graph_.remove(exit);
        continue;
      }
      Node& made = graph_.add_node("Identity", exit.name());
      made.add_in_ports(1);
      made.add_out_ports(1);
      made.in(0).connect(result);
      graph_.replace(exit, made);
    }
  }

  Graph& graph_;
  const std::string& name_;
  const std::vector<Node*>& enters_;
  const Region& region_;
  Node* condition_ = nullptr;
  std::vector<Variable> variables_;
  std::set<Node*> initial_;  // looked up only
  std::vector<Node*> invariants_;
  std::set<int> originals_;  ///< ids of nodes with a copy in one of the bodies
};

}  // namespace

int64_t number_of_lowered(const Node& node) {
  const std::string_view name = node.name();
  const size_t at = name.rfind("/_");
  return at == std::string_view::npos ? 0 : parse_int(name.substr(at + 2)).value_or(0);
}

void join_frames(Graph& graph) {
  std::map<std::string, std::vector<Node*>> frames;
  for (const char* op : {"Enter", "RefEnter"})
    for (Node* enter : graph.nodes(op)) frames[enter->get_string("frame_name")].push_back(enter);
  if (frames.empty()) return;
  size_t copies = 0;
  const size_t most = kMostCopies * count_nodes(graph);
  // Inner frames first: they are nodes of the outer ones.
  for (int depth = 0; !frames.empty(); ++depth) {
    if (depth == kDeepestFrame) throw Error(Code::TooDeep, msg("more than ", kDeepestFrame, " loops in each other"));
    const size_t before = frames.size();
    for (auto at = frames.begin(); at != frames.end();) {
      const Region region = region_of(at->second);
      const bool has_inner = std::any_of(region.begin(), region.end(), [&](const auto& entry) {
        return is_flow(entry.second->op(), "Enter") && entry.second->get_string("frame_name") != at->first;
      });
      if (has_inner) {
        ++at;
        continue;
      }
      copies += Frame(graph, at->first, at->second, region).join();
      if (copies > most) throw Error(Code::TooDeep, "loops in the conditions of each other");
      at = frames.erase(at);
    }
    if (frames.size() == before)
      throw Error(Code::CyclicGraph, "frames that contain each other", frames.begin()->second.front()->place());
  }
}

}  // namespace mo::tf
