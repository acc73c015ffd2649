#include "core/front/onnx/ml/raw_forest.h"

#include <algorithm>
#include <limits>

namespace mo::onnx {
namespace {

[[noreturn]] void fail_trees(const Detail& text) { throw Error(Code::BadAttribute, text); }

/// The nodes below the roots, children before parents, and the depth below each.
struct Walk {
  std::vector<char> state;  ///< 0 unseen, 1 open, 2 done
  Ints depth, order;

  explicit Walk(const RawForest& raw) : state(raw.nodes.size()), depth(raw.nodes.size()) {
    const auto known = [&](int64_t i) { return i >= 0 && i < static_cast<int64_t>(raw.nodes.size()); };
    Ints open;
    const auto enter = [&](int64_t i) {
      if (!known(i)) fail_trees(msg("node ", i, " of the trees is not there"));
      char& s = state[static_cast<size_t>(i)];
      if (s == 1) fail_trees(msg("node ", i, " of the trees is below itself"));
      if (s == 0) s = 1, open.push_back(i);
    };
    for (const int64_t root : raw.roots) {
      enter(root);
      while (!open.empty()) {
        const auto at = static_cast<size_t>(open.back());
        const RawForest::RawNode& n = raw.nodes[at];
        if (!n.leaf) {
          const size_t before = open.size();
          // Children are entered one at a time, so that a waiting child is not taken for a cycle.
          for (const int64_t child : {n.on_true, n.on_false}) {
            if (known(child) && state[static_cast<size_t>(child)] == 2) continue;
            enter(child);
            break;
          }
          if (open.size() != before) continue;
          depth[at] = 1 + std::max(depth[static_cast<size_t>(n.on_true)], depth[static_cast<size_t>(n.on_false)]);
        }
        state[at] = 2;
        order.push_back(open.back());
        open.pop_back();
      }
    }
  }
};

}  // namespace

Forest numbered(const RawForest& raw, ElementType type, int64_t targets) {
  if (raw.roots.empty()) fail_trees("there are no trees");
  if (targets < 1 || targets > (1 << 20)) fail_trees(msg(targets, " targets"));
  const Walk walk(raw);
  Forest f;
  f.type = type;
  f.targets = targets;
  Ints number(raw.nodes.size(), -1), order;
  for (const bool leaf : {true, false}) {
    for (size_t i = 0; i < raw.nodes.size(); ++i)
      if (walk.state[i] == 2 && raw.nodes[i].leaf == leaf)
        number[i] = static_cast<int64_t>(order.size()), order.push_back(static_cast<int64_t>(i));
    if (leaf) f.leaves = static_cast<int64_t>(order.size());
  }
  for (const int64_t i : order) {
    const RawForest::RawNode& n = raw.nodes[static_cast<size_t>(i)];
    const int64_t self = number[static_cast<size_t>(i)];
    if (!n.leaf && n.feature < 0) fail_trees(msg("a node compares feature ", n.feature));
    f.feature.push_back(n.leaf ? 0 : n.feature);
    f.value.push_back(n.leaf ? 0 : n.value);
    f.mode.push_back(n.mode);
    f.missing_goes_true.push_back(n.missing_goes_true);
    f.on_true.push_back(n.leaf ? self : number[static_cast<size_t>(n.on_true)]);
    f.on_false.push_back(n.leaf ? self : number[static_cast<size_t>(n.on_false)]);
  }
  for (const int64_t root : raw.roots) {
    f.roots.push_back(number[static_cast<size_t>(root)]);
    f.depth = std::max(f.depth, walk.depth[static_cast<size_t>(root)]);
  }
  if (f.depth > kMaxTreeDepth)
    throw Error(Code::UnsupportedForm, msg("trees of depth ", f.depth, ", more than ", kMaxTreeDepth));
  constexpr int64_t kNone = -2, kSeveral = -1;
  Ints only(raw.nodes.size(), kNone);
  const auto also = [](int64_t& sum, int64_t more) {
    if (more != kNone) sum = sum == kNone || sum == more ? more : kSeveral;
  };
  for (const Forest::Weight& w : raw.weights) {
    if (w.target < 0 || w.target >= targets) fail_trees(msg("a weight of target ", w.target, " of ", targets));
    if (w.leaf < 0 || w.leaf >= static_cast<int64_t>(raw.nodes.size()))
      fail_trees("a weight of a node that is not there");
    const auto at = static_cast<size_t>(w.leaf);
    if (number[at] < 0 || !raw.nodes[at].leaf) continue;  // not used
    f.weights.push_back({number[at], w.target, w.weight});
    also(only[at], w.target);
  }
  for (const int64_t i : walk.order) {
    const RawForest::RawNode& n = raw.nodes[static_cast<size_t>(i)];
    if (n.leaf) continue;
    also(only[static_cast<size_t>(i)], only[static_cast<size_t>(n.on_true)]);
    also(only[static_cast<size_t>(i)], only[static_cast<size_t>(n.on_false)]);
  }
  for (const int64_t root : raw.roots) {
    const int64_t target = only[static_cast<size_t>(root)];
    f.only_target.push_back(target == kNone ? 0 : target);
  }
  return f;
}

void search_members(RawForest& raw, size_t at, Doubles members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (static_cast<int64_t>(raw.nodes.size() + 2 * members.size()) > kMostNodes)
    fail_trees("too many nodes and members");
  struct Part {
    size_t node, from, to;
  };
  std::vector<Part> open{{at, 0, members.size()}};
  const RawForest::RawNode whole = raw.nodes[at];
  while (!open.empty()) {
    const Part p = open.back();
    open.pop_back();
    RawForest::RawNode n = whole;
    if (p.to - p.from <= 1) {
      n.mode = TreeMode::Equal;
      n.value = p.from < p.to ? members[p.from] : std::numeric_limits<double>::quiet_NaN();
    } else {
      const size_t middle = (p.from + p.to) / 2;
      n.mode = TreeMode::LessOrEqual;
      n.value = members[middle - 1];
      // NaN ends in the right-most part.
      n.missing_goes_true = false;
      n.on_true = static_cast<int64_t>(raw.nodes.size());
      n.on_false = n.on_true + 1;
      open.push_back({raw.nodes.size(), p.from, middle});
      open.push_back({raw.nodes.size() + 1, middle, p.to});
      raw.nodes.resize(raw.nodes.size() + 2);
    }
    raw.nodes[p.node] = n;
  }
}

}  // namespace mo::onnx
