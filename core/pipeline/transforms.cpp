#include "core/pipeline/transforms.h"

#include <algorithm>
#include <set>

namespace mo {

#define MO_TRANSFORM(name, phase, description) std::unique_ptr<Transform> make_##name();
#include "core/pipeline/transforms.def"

const std::vector<TransformRow>& all_transforms() {
  static const std::vector<TransformRow> rows = {
#define MO_TRANSFORM(name, phase, description) {#name, Phase::phase, description, make_##name},
#include "core/pipeline/transforms.def"
  };
  return rows;
}

std::string_view phase_name(Phase phase) {
  constexpr std::string_view kNames[] = {"front", "infer", "middle", "layout", "back"};
  return kNames[static_cast<size_t>(phase)];
}

namespace {

/// Transforms without declared neighbours stay between their phase's anchors; in each phase these two.
std::pair<std::string_view, std::string_view> anchors_of(Phase phase) {
  switch (phase) {
    case Phase::Front: return {"FrontStart", "FrontFinish"};
    case Phase::Middle: return {"MiddleStart", "MiddleFinish"};
    case Phase::Layout: return {"PostMiddleStart", "ApplyPermutation"};
    case Phase::Back: return {"BackStart", "BackFinish"};
    default: return {};
  }
}

using Edges = std::map<std::string_view, std::set<std::string_view>>;  // a transform and what runs after it

class Sorter {
 public:
  explicit Sorter(const Edges& edges) : edges_(edges) {}

  std::vector<std::string_view> sort() {
    std::set<std::string_view> roots;
    for (const auto& [name, later] : edges_) roots.insert(name);
    for (const auto& [name, later] : edges_)
      for (const std::string_view child : later) roots.erase(child);
    for (const std::string_view root : roots) visit(root);
    // What no root reaches lies on a cycle.
    for (const auto& [name, later] : edges_) visit(name);
    std::reverse(finished_.begin(), finished_.end());
    return finished_;
  }

 private:
  void visit(std::string_view name) {
    if (done_.count(name)) return;
    if (std::find(path_.begin(), path_.end(), name) != path_.end()) {
      std::string cycle;
      for (auto at = std::find(path_.begin(), path_.end(), name); at != path_.end(); ++at)
        cycle += std::string(*at) + " -> ";
      throw Error(Code::TransformCycle, cycle + std::string(name));
    }
    path_.push_back(name);
    for (const std::string_view child : edges_.at(name)) visit(child);
    path_.pop_back();
    done_.insert(name);
    finished_.push_back(name);
  }

  const Edges& edges_;
  std::vector<std::string_view> path_, finished_;
  std::set<std::string_view> done_;
};

}  // namespace

std::vector<ScheduledTransform> schedule_transforms() {
  std::map<std::string_view, ScheduledTransform> by_name;
  Edges edges;
  for (const TransformRow& row : all_transforms()) {
    if (row.phase == Phase::Infer) continue;
    if (!by_name.emplace(row.name, ScheduledTransform{&row, row.make()}).second)
      throw Error(Code::DuplicateTransform, std::string(row.name));
    edges[row.name];
  }
  const auto add = [&](std::string_view before, std::string_view after) {
    if (edges.count(before) && edges.count(after)) edges[before].insert(after);
  };
  for (const auto& [name, entry] : by_name) {
    const Names after = entry.transform->run_after(), before = entry.transform->run_before();
    for (const std::string_view other : after) add(other, name);
    for (const std::string_view other : before) add(name, other);
    const auto [start, finish] = anchors_of(entry.row->phase);
    if (after.empty() && start != name) add(start, name);
    if (before.empty() && finish != name) add(name, finish);
  }
  std::vector<ScheduledTransform> order;
  for (const std::string_view name : Sorter(edges).sort()) order.push_back(std::move(by_name.at(name)));
  return order;
}

Decompositions::Decompositions() {
  for (const TransformRow& row : all_transforms()) {
    if (row.phase != Phase::Infer) continue;
    owned_.push_back(row.make());
    auto* decomposition = static_cast<Decomposition*>(owned_.back().get());
    for (const std::string_view op : decomposition->ops())
      if (!by_op_.emplace(op, Entry{&row, decomposition}).second)
        throw Error(Code::DuplicateTransform, cat(op, " in ", row.name, " and ", by_op_.at(op).row->name));
  }
}

std::string_view Decompositions::find(std::string_view op) const {
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? std::string_view() : found->second.row->name;
}

bool Decompositions::apply(Node& node) const {
  const auto found = by_op_.find(node.op());
  if (found == by_op_.end() || !found->second.decomposition->applies(node)) return false;
  std::vector<OutPort> ports;
  try {
    Builder builder(node);
    ports = found->second.decomposition->decompose(builder, node);
    for (int i = 0; i < node.out_count(); ++i) {
      const OutPort old = node.out(i);
      const OutPort made = static_cast<size_t>(i) < ports.size() ? ports[static_cast<size_t>(i)] : OutPort();
      if (made) {
        old.connection().set_source(made, TensorNames::Merge);
      } else if (!old.disconnected()) {
        throw Error(Code::UnsupportedForm, cat("output ", i, " is used"));
      }
    }
  } catch (Error& error) {
    // Nodes that were built on the way have names of our own; the user knows the one being replaced.
    if (error.place().node.empty() || !node.graph().find(error.place().node) ||
        error.place().node.rfind(node.name() + "/", 0) == 0) {
      const std::string tensor = error.place().tensor;
      error.place() = node.place();
      error.place().tensor = tensor;
    }
    throw;
  }
  // The node that now makes the first output takes the name that the user knows.
  const OutPort first = ports.empty() ? OutPort() : ports[0];
  node.graph().remove(node);
  if (first && first.node().name().rfind(node.name() + "/", 0) == 0 && first.node().op() != "Const")
    first.node().set_name(node.name());
  return true;
}

}  // namespace mo
