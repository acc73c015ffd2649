#include "core/front/onnx/ml/forest.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/front/onnx/ml/raw_forest.h"
#include "core/graph/graph.h"

namespace mo::onnx {
namespace {

[[noreturn]] void fail(const Detail& text) { throw Error(Code::BadAttribute, text); }

void require_size(std::string_view name, size_t size, size_t want, bool may_be_empty = false) {
  if (size != want && !(may_be_empty && size == 0)) fail(msg(name, " has ", size, " elements, want ", want));
}

TreeMode mode_of(const std::string& name) {
  static constexpr std::string_view kNames[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                                "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) fail(msg("a mode of '", name, "'"));
  return static_cast<TreeMode>(found - std::begin(kNames));
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
    throw Error(Code::UnsupportedForm, msg(name, " of ", tensor->elements(), " elements of ", ir_name(tensor->type)));
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
      fail(msg("tree ", trees[i], " has two nodes ", ids[i]));
    // The first node of a tree is its root.
    if (seen.emplace(trees[i], true).second) raw.roots.push_back(static_cast<int64_t>(i));
  }
  const auto find = [&](int64_t tree, int64_t id) {
    const auto found = number.find({tree, id});
    if (found == number.end()) fail(msg("node ", id, " of tree ", tree, " is not there"));
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
    if (id < 0 || id >= static_cast<int64_t>(leaf ? leaves : count)) fail(msg("node ", id, " is not there"));
    return leaf ? id + static_cast<int64_t>(count) : id;
  };
  for (size_t i = 0; i < count; ++i) {
    const int64_t mode = (*modes)[i];
    if (mode < 0 || mode > 6) fail(msg("a mode of ", mode));
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
