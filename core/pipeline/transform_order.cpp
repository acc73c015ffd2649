#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/front/loader.h"
#include "core/pipeline/transform_name.h"
#include "core/pipeline/transforms.h"

namespace mo {
namespace {

/// The anchors of each phase. Transforms without declared neighbours run between them.
std::pair<std::string_view, std::string_view> anchors_of(Phase phase) {
  switch (phase) {
    case Phase::Front: return {"FrontStart", "FrontFinish"};
    case Phase::Middle: return {"MiddleStart", "MiddleFinish"};
    case Phase::Layout: return {"PostMiddleStart", "ApplyPermutation"};
    case Phase::Back: return {"BackStart", "BackFinish"};
    default: return {};
  }
}

using Edges = std::map<std::string_view, std::set<std::string_view>>;  // a transform and those that run after it

class Sorter {
 public:
  explicit Sorter(const Edges& edges) : edges_(edges) {}

  std::vector<std::string_view> sort() {
    std::set<std::string_view> roots;
    for (const auto& [name, later] : edges_) roots.insert(name);
    for (const auto& [name, later] : edges_)
      for (const std::string_view child : later) roots.erase(child);
    for (const std::string_view root : roots) visit(root);
    // Nodes that no root reaches are on a cycle.
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
      throw Error(Code::TransformCycle, msg(cycle, name));
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

class Scheduler {
 public:
  void add(ScheduledTransform entry) {
    const std::string name = entry.name;
    if (const std::string_view id = entry.transform->id(); !id.empty()) {
      for (const auto& [other, known] : by_name_)
        if (known.transform->id() == id) throw Error(Code::DuplicateTransform, msg("id ", id, ": ", other, ", ", name));
    }
    if (!by_name_.emplace(name, std::move(entry)).second) throw Error(Code::DuplicateTransform, name);
  }

  /// Adds a transform for models of other frameworks: it does not run, but names may refer to it.
  void add_absent(const UserTransform& transform) { absent_.push_back(&transform); }

  void apply(const TransformSwitches& switches) {
    for (const std::string& text : switches.enabled) set(text, true);
    for (const std::string& text : switches.disabled) set(text, false);
  }

  std::vector<ScheduledTransform> sorted() {
    for (const auto& [name, entry] : by_name_) edges_[name];
    for (const auto& [name, entry] : by_name_) {
      const Names after = entry.transform->run_after(), before = entry.transform->run_before();
      bool follows = false, precedes = false;
      for (const std::string_view other : after) follows |= join(other, name, name);
      for (const std::string_view other : before) precedes |= join(name, other, name);
      // If no neighbour in run_after exists here, the start anchor takes its place, unless run_before names that
      // anchor. The same holds for run_before and the finish anchor.
      const auto [start, finish] = anchors_of(entry.phase);
      if (!follows && start != name && (after.empty() || !has(before, start))) join(start, name, name);
      if (!precedes && finish != name && (before.empty() || !has(after, finish))) join(name, finish, name);
    }
    std::vector<ScheduledTransform> order;
    for (const std::string_view name : Sorter(edges_).sort()) order.push_back(std::move(by_name_.find(name)->second));
    return order;
  }

 private:
  static bool has(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Adds the edge if both exist here. Returns whether they do.
  bool join(std::string_view before, std::string_view after, std::string_view who) {
    for (const std::string_view name : {before, after})
      if (!by_name_.count(name) && !TransformName(name).is_original() && !is_built_in(name) && !is_absent(name))
        throw Error(Code::UnknownTransform, msg(name, ", which ", who, " wants to run before or after"));
    const auto from = by_name_.find(before), to = by_name_.find(after);
    if (from == by_name_.end() || to == by_name_.end()) return false;
    edges_[from->first].insert(to->first);
    return true;
  }

  void set(const std::string& text, bool on) {
    const TransformName wanted(text);
    bool found = wanted.is_original();
    for (auto& [name, entry] : by_name_)
      if (wanted.means(name, entry.transform->id(), entry.phase)) entry.switched = on, found = true;
    for (const UserTransform* absent : absent_)
      found |= wanted.means(absent->origin.name, absent->transform->id(), absent->phase);
    for (const TransformRow& row : all_transforms()) found |= wanted.means(row.name, {}, row.phase);
    if (!found)
      throw Error(Code::UnknownTransform,
                  on ? msg(text, " (--enabled_transforms)") : msg(text, " (--disabled_transforms)"))
          .about(on ? "enabled_transforms" : "disabled_transforms");
  }

  static bool is_built_in(std::string_view name) {
    const std::span<const TransformRow> rows = all_transforms();
    return std::any_of(rows.begin(), rows.end(), [&](const TransformRow& row) { return row.name == name; });
  }

  bool is_absent(std::string_view name) const {
    return std::any_of(absent_.begin(), absent_.end(),
                       [&](const UserTransform* other) { return other->origin.name == name; });
  }

  std::map<std::string, ScheduledTransform, std::less<>> by_name_;
  std::vector<const UserTransform*> absent_;
  Edges edges_;
};

}  // namespace

bool TransformSwitches::disables(const TransformRow& row) const {
  return std::any_of(disabled.begin(), disabled.end(),
                     [&](const std::string& text) { return TransformName(text).means(row.name, {}, row.phase); });
}

std::vector<ScheduledTransform> schedule_transforms(std::string_view framework, const Extensions* extensions,
                                                    const TransformSwitches& switches) {
  Scheduler scheduler;
  const size_t users = extensions ? extensions->transforms.size() : 0;
  const auto is_for = [&](const UserTransform& user) {
    return user.framework.empty() || framework.empty() || user.framework == framework;
  };
  std::set<std::string_view> replaced;
  for (size_t i = 0; i < users; ++i)
    if (const UserTransform& user = extensions->transforms[i]; is_for(user))
      replaced.insert(user.transform->replacement_id());
  for (const TransformRow& row : all_transforms()) {
    if (row.phase == Phase::Infer || !row.is_for(framework)) continue;
    ScheduledTransform entry;
    entry.name = row.name;
    entry.description = row.description;
    entry.phase = row.phase;
    entry.owned = row.make();
    entry.transform = entry.owned.get();
    const std::string_view id = entry.transform->replacement_id();
    if (!id.empty() && replaced.count(id)) continue;
    scheduler.add(std::move(entry));
  }
  for (size_t i = 0; i < users; ++i) {
    const UserTransform& user = extensions->transforms[i];
    if (!is_for(user)) {
      scheduler.add_absent(user);
      continue;
    }
    ScheduledTransform entry;
    entry.name = user.origin.name;
    entry.origin = &user.origin;
    entry.description = user.description;
    entry.phase = user.phase;
    entry.transform = user.transform.get();
    scheduler.add(std::move(entry));
  }
  scheduler.apply(switches);
  return scheduler.sorted();
}

std::string list_transforms(const Extensions* extensions, const TransformSwitches& switches) {
  std::string out;
  const auto row = [&](const std::string& order, std::string_view phase, std::string_view id, std::string_view name,
                       std::string_view state, std::string_view description) {
    const auto padded = [](std::string_view text, size_t width) {
      return std::string(text) + std::string(text.size() < width ? width - text.size() : 0, ' ');
    };
    out += padded(order, 6) + padded(phase, 8) + padded(printable(id), 36) + padded(printable(name), 36);
    out += padded(state, 10) + printable(description) + "\n";
  };
  row("order", "phase", "id", "name", "state", "what it does");
  for (const Format& format : all_formats())
    row("-", "load", "-", cat("extensions/load/", format.framework, "/loader"), "enabled", format.title);
  int order = 0;
  for (const ScheduledTransform& entry : schedule_transforms({}, extensions, switches)) {
    const std::string_view id = entry.transform->id();
    row(std::to_string(++order), phase_name(entry.phase), id.empty() ? "-" : id, entry.name,
        entry.enabled() ? "enabled" : "disabled", entry.description);
  }
  for (const TransformRow& decomposition : all_transforms()) {
    if (decomposition.phase != Phase::Infer) continue;
    row("-", "infer", "-", decomposition.name, switches.disables(decomposition) ? "disabled" : "enabled",
        decomposition.description);
  }
  return out;
}

}  // namespace mo
