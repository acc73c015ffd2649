// Decision trees as ai.onnx.ml describes them, checked and numbered for their evaluation.
#pragma once

#include <string>
#include <vector>

#include "core/graph/node.h"

namespace mo::onnx {

/// How a node compares its feature x with its value v; the numbers are those of TreeEnsemble's nodes_modes.
enum class TreeMode : char {
  LessOrEqual = 0,
  Less = 1,
  GreaterOrEqual = 2,
  Greater = 3,
  Equal = 4,
  NotEqual = 5,
  Member = 6
};

/// The nodes of all trees, leaves first; every node can be reached from a root.
struct Forest {
  /// What one node adds to one target.
  struct Weight {
    int64_t leaf, target;
    double weight;
  };

  int64_t leaves = 0;
  // One entry a node. A leaf goes to itself.
  Ints feature, on_true, on_false;
  Doubles value;
  std::vector<TreeMode> mode;           ///< of inner nodes; no Member
  std::vector<char> missing_goes_true;  ///< where x is not a number
  ElementType type = ElementType::F32;  ///< of the values: F32 or F64
  Ints roots;
  std::vector<Weight> weights;
  int64_t targets = 1;
  int64_t depth = 0;  ///< steps from a root to its farthest leaf
  /// Of each tree the only target that its leaves add to, or -1 when there are several; 0 where there is none.
  Ints only_target;

  /// Of inner nodes: the node that follows where x is less than, equal to, greater than v, or not a number.
  int64_t next(size_t node, int outcome) const;
};

/// The forest of TreeEnsembleRegressor (`weights` is "target") or TreeEnsembleClassifier ("class").
/// Throws BadAttribute for lists that do not fit each other, nodes that are not there and cycles; UnsupportedForm for
/// trees deeper than kMaxTreeDepth.
Forest read_forest(const Node& node, const std::string& weights);
/// The forest of TreeEnsemble. Throws the same.
Forest read_tree_ensemble(const Node& node);
inline constexpr int64_t kMaxTreeDepth = 256;

/// A list of numbers that an attribute has as floats (`name`) or as a tensor (`name` + "_as_tensor", or `name` itself),
/// and its type, f64 for a tensor of that. Throws UnsupportedForm for tensors of other types or of too many elements.
Doubles numbers_of(const Node& node, const std::string& name, ElementType& type);

}  // namespace mo::onnx
