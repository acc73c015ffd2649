#include "core/front/onnx/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/text.h"

namespace mo::onnx {
namespace {

/// Nodes as they are read: any order, children by number; a node without children is a leaf.
struct RawForest {
  struct RawNode {
    int64_t feature = 0;
    double value = 0;
    TreeMode mode = TreeMode::LessOrEqual;
    bool leaf = false, missing_goes_true = false;
    int64_t on_true = -1, on_false = -1;
  };
  std::vector<RawNode> nodes;
  Ints roots;
  std::vector<Forest::Weight> weights;
};

constexpr int64_t kMostNodes = 1 << 24;

[[noreturn]] void fail(std::string text) { throw Error(Code::BadAttribute, std::move(text)); }

void require_size(std::string_view name, size_t size, size_t want, bool may_be_empty = false) {
  if (size != want && !(may_be_empty && size == 0)) fail(cat(name, " has ", size, " elements, want ", want));
}

/// Nodes below the roots in an order in which children come before their parents, and the depth below each.
struct Walk {
  std::vector<char> state;  ///< 0 unseen, 1 open, 2 done
  Ints depth, order;

  explicit Walk(const RawForest& raw) : state(raw.nodes.size()), depth(raw.nodes.size()) {
    const auto known = [&](int64_t i) { return i >= 0 && i < static_cast<int64_t>(raw.nodes.size()); };
    Ints open;
    const auto enter = [&](int64_t i) {
      if (!known(i)) fail(cat("node ", i, " of the trees is not there"));
      char& s = state[static_cast<size_t>(i)];
      if (s == 1) fail(cat("node ", i, " of the trees is below itself"));
      if (s == 0) s = 1, open.push_back(i);
    };
    for (const int64_t root : raw.roots) {
      enter(root);
      while (!open.empty()) {
        const auto at = static_cast<size_t>(open.back());
        const RawForest::RawNode& n = raw.nodes[at];
        if (!n.leaf) {
          const size_t before = open.size();
          // A child that waits to be entered is not below itself: children are entered one at a time.
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

Forest numbered(const RawForest& raw, ElementType type, int64_t targets) {
  if (raw.roots.empty()) fail("there are no trees");
  if (targets < 1 || targets > (1 << 20)) fail(cat(targets, " targets"));
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
    if (!n.leaf && n.feature < 0) fail(cat("a node compares feature ", n.feature));
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
    throw Error(Code::UnsupportedForm, cat("trees of depth ", f.depth, ", more than ", kMaxTreeDepth));
  constexpr int64_t kNone = -2, kSeveral = -1;
  Ints only(raw.nodes.size(), kNone);
  const auto also = [](int64_t& sum, int64_t more) {
    if (more != kNone) sum = sum == kNone || sum == more ? more : kSeveral;
  };
  for (const Forest::Weight& w : raw.weights) {
    if (w.target < 0 || w.target >= targets) fail(cat("a weight of target ", w.target, " of ", targets));
    if (w.leaf < 0 || w.leaf >= static_cast<int64_t>(raw.nodes.size())) fail("a weight of a node that is not there");
    const auto at = static_cast<size_t>(w.leaf);
    if (number[at] < 0 || !raw.nodes[at].leaf) continue;  // nothing reads it
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

TreeMode mode_of(const std::string& name) {
  static constexpr std::string_view kNames[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                                "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) fail("a mode of '" + name + "'");
  return static_cast<TreeMode>(found - std::begin(kNames));
}

/// Puts inner nodes that search `members` in the place of node `at`.
void search_members(RawForest& raw, size_t at, Doubles members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (static_cast<int64_t>(raw.nodes.size() + 2 * members.size()) > kMostNodes) fail("too many nodes and members");
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
      // What is not a number ends in the right-most part.
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

}  // namespace

int64_t Forest::next(size_t node, int outcome) const {
  constexpr int kLess = 0, kEqual = 1, kGreater = 2;
  if (outcome > kGreater && missing_goes_true[node]) return on_true[node];
  bool holds = false;
  const bool comparable = !std::isnan(value[node]);
  switch (mode[node]) {
    case TreeMode::LessOrEqual: holds = comparable && outcome <= kEqual; break;
    case TreeMode::Less: holds = comparable && outcome == kLess; break;
    case TreeMode::GreaterOrEqual: holds = comparable && (outcome == kEqual || outcome == kGreater); break;
    case TreeMode::Greater: holds = comparable && outcome == kGreater; break;
    case TreeMode::NotEqual: holds = !comparable || outcome != kEqual; break;
    default: holds = comparable && outcome == kEqual; break;
  }
  return holds ? on_true[node] : on_false[node];
}

Doubles numbers_of(const Node& node, const std::string& name, ElementType& type) {
  const Constant* tensor = node.get_constant(name + "_as_tensor");
  if (!tensor) tensor = node.get_constant(name);
  if (!tensor) return node.get_floats(name);
  if (tensor->type == ElementType::F64) type = ElementType::F64;
  const auto numbers = is_float(tensor->type) ? read_doubles(*tensor, node.graph().files(), kMostNodes) : std::nullopt;
  if (!numbers)
    throw Error(Code::UnsupportedForm, cat(name, " of ", tensor->elements(), " elements of ", ir_name(tensor->type)));
  return *numbers;
}

Forest read_forest(const Node& node, const std::string& kind) {
  const Ints trees = node.get_ints("nodes_treeids"), ids = node.get_ints("nodes_nodeids");
  const Ints features = node.get_ints("nodes_featureids"), missing = node.get_ints("nodes_missing_value_tracks_true");
  const Ints on_true = node.get_ints("nodes_truenodeids"), on_false = node.get_ints("nodes_falsenodeids");
  const Strings modes = node.get_strings("nodes_modes");
  ElementType type = ElementType::F32;
  const Doubles values = numbers_of(node, "nodes_values", type);
  const size_t count = trees.size();
  require_size("nodes_nodeids", ids.size(), count);
  require_size("nodes_featureids", features.size(), count);
  require_size("nodes_truenodeids", on_true.size(), count);
  require_size("nodes_falsenodeids", on_false.size(), count);
  require_size("nodes_modes", modes.size(), count);
  require_size("nodes_values", values.size(), count);
  require_size("nodes_missing_value_tracks_true", missing.size(), count, true);

  RawForest raw;
  using Key = std::pair<int64_t, int64_t>;
  std::map<Key, int64_t> number;
  std::map<int64_t, bool> seen;
  for (size_t i = 0; i < count; ++i) {
    if (!number.emplace(Key{trees[i], ids[i]}, static_cast<int64_t>(i)).second)
      fail(cat("tree ", trees[i], " has two nodes ", ids[i]));
    // The first node of a tree is its root.
    if (seen.emplace(trees[i], true).second) raw.roots.push_back(static_cast<int64_t>(i));
  }
  const auto find = [&](int64_t tree, int64_t id) {
    const auto found = number.find({tree, id});
    if (found == number.end()) fail(cat("node ", id, " of tree ", tree, " is not there"));
    return found->second;
  };
  for (size_t i = 0; i < count; ++i) {
    RawForest::RawNode n;
    n.leaf = modes[i] == "LEAF";
    n.missing_goes_true = !missing.empty() && missing[i] != 0;
    if (!n.leaf) {
      n.feature = features[i];
      n.value = values[i];
      n.mode = mode_of(modes[i]);
      n.on_true = find(trees[i], on_true[i]);
      n.on_false = find(trees[i], on_false[i]);
    }
    raw.nodes.push_back(n);
  }
  const Ints of_trees = node.get_ints(kind + "_treeids"), of_nodes = node.get_ints(kind + "_nodeids");
  const Ints targets = node.get_ints(kind + "_ids");
  const Doubles weights = numbers_of(node, kind + "_weights", type);
  require_size(kind + "_treeids", of_trees.size(), targets.size());
  require_size(kind + "_nodeids", of_nodes.size(), targets.size());
  require_size(kind + "_weights", weights.size(), targets.size());
  for (size_t i = 0; i < targets.size(); ++i)
    raw.weights.push_back({find(of_trees[i], of_nodes[i]), targets[i], weights[i]});
  const size_t classes =
      std::max(node.get_ints("classlabels_int64s").size(), node.get_strings("classlabels_strings").size());
  return numbered(raw, type, kind == "class" ? static_cast<int64_t>(classes) : node.get_int("n_targets", 1));
}

Forest read_tree_ensemble(const Node& node) {
  const Ints features = node.get_ints("nodes_featureids"), missing = node.get_ints("nodes_missing_value_tracks_true");
  const Ints on_true = node.get_ints("nodes_truenodeids"), on_false = node.get_ints("nodes_falsenodeids");
  const Ints true_leaf = node.get_ints("nodes_trueleafs"), false_leaf = node.get_ints("nodes_falseleafs");
  const Ints targets = node.get_ints("leaf_targetids");
  const Constant* modes_tensor = node.get_constant("nodes_modes");
  if (!modes_tensor) throw Error(Code::MissingAttribute, "nodes_modes");
  const auto modes = modes_tensor->type == ElementType::String
                         ? std::nullopt
                         : read_ints(*modes_tensor, node.graph().files(), kMostNodes);
  if (!modes) fail("nodes_modes is not a list of numbers");
  ElementType type = ElementType::F32;
  const Doubles splits = numbers_of(node, "nodes_splits", type), weights = numbers_of(node, "leaf_weights", type);
  const Doubles members = numbers_of(node, "membership_values", type);
  const size_t count = features.size(), leaves = targets.size();
  require_size("nodes_splits", splits.size(), count);
  require_size("nodes_modes", modes->size(), count);
  require_size("nodes_truenodeids", on_true.size(), count);
  require_size("nodes_falsenodeids", on_false.size(), count);
  require_size("nodes_trueleafs", true_leaf.size(), count);
  require_size("nodes_falseleafs", false_leaf.size(), count);
  require_size("nodes_missing_value_tracks_true", missing.size(), count, true);
  require_size("leaf_weights", weights.size(), leaves);

  RawForest raw;
  const auto child = [&](int64_t id, bool leaf) {
    if (id < 0 || id >= static_cast<int64_t>(leaf ? leaves : count)) fail(cat("node ", id, " is not there"));
    return leaf ? id + static_cast<int64_t>(count) : id;
  };
  for (size_t i = 0; i < count; ++i) {
    const int64_t mode = (*modes)[i];
    if (mode < 0 || mode > 6) fail(cat("a mode of ", mode));
    raw.nodes.push_back({features[i], splits[i], static_cast<TreeMode>(mode), false,
                         !missing.empty() && missing[i] != 0, child(on_true[i], true_leaf[i] != 0),
                         child(on_false[i], false_leaf[i] != 0)});
  }
  for (size_t i = 0; i < leaves; ++i) {
    raw.nodes.emplace_back().leaf = true;
    raw.weights.push_back({static_cast<int64_t>(count + i), targets[i], weights[i]});
  }
  for (const int64_t root : node.get_ints("tree_roots")) raw.roots.push_back(child(root, false));
  auto next = members.begin();
  for (size_t i = 0; i < count; ++i) {
    if (raw.nodes[i].mode != TreeMode::Member) continue;
    if (next == members.end()) fail("membership_values has fewer lists than there are such nodes");
    const auto end = std::find_if(next, members.end(), [](double v) { return std::isnan(v); });
    search_members(raw, i, {next, end});
    next = end == members.end() ? end : end + 1;
  }
  return numbered(raw, type, node.get_int("n_targets", 1));
}

}  // namespace mo::onnx
