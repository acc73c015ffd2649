// Decision trees of ai.onnx.ml, checked and numbered for evaluation.
#pragma once

#include <string>
#include <vector>

#include "core/graph/node.h"

namespace mo::onnx {

/// How a node compares its feature x with its value v. The numbers are those in TreeEnsemble's nodes_modes.
enum class TreeMode : char {
  LessOrEqual = 0,
  Less = 1,
  GreaterOrEqual = 2,
  Greater = 3,
  Equal = 4,
  NotEqual = 5,
  Member = 6
};

/// The nodes of all trees, leaves first. Every node can be reached from a root.
struct Forest {
  /// The amount that a leaf adds to a target.
  struct Weight {
    int64_t leaf, target;
    double weight;
  };

  int64_t leaves = 0;
  // One entry per node. The successor of a leaf is the leaf itself.
  Ints feature, on_true, on_false;
  Doubles value;
  std::vector<TreeMode> mode;           ///< of inner nodes; no Member
  std::vector<char> missing_goes_true;  ///< if x is not a number
  ElementType type = ElementType::F32;  ///< of the values: F32 or F64
  Ints roots;
  std::vector<Weight> weights;
  int64_t targets = 1;
  int64_t depth = 0;  ///< steps from a root to its farthest leaf
  /// For each tree, the only target that its leaves add to; -1 if there are several, 0 if there is none.
  Ints only_target;

  /// The successor of an inner node. `outcome` is 0 if x is less than v, 1 if equal, 2 if greater, 3 if not a number.
  int64_t next(size_t node, int outcome) const;
};

/// The forest of TreeEnsembleRegressor (`weights` is "target") or TreeEnsembleClassifier ("class").
/// Throws BadAttribute for lists of different lengths, missing nodes and cycles; UnsupportedForm for trees deeper than
/// kMaxTreeDepth.
Forest read_forest(const Node& node, const std::string& weights);
/// The forest of TreeEnsemble. Throws the same.
Forest read_tree_ensemble(const Node& node);
inline constexpr int64_t kMaxTreeDepth = 256;

/// The numbers of an attribute with floats (`name`) or a tensor (`name` + "_as_tensor", or `name` itself). Sets `type`
/// to F64 for a tensor of f64, else leaves it. Throws UnsupportedForm for tensors of a type that is not floating-point,
/// or with too many elements.
Doubles numbers_of(const Node& node, const std::string& name, ElementType& type);

}  // namespace mo::onnx
