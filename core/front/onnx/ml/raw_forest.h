// Trees as the model lists them, not yet checked.
#pragma once

#include <vector>

#include "core/front/onnx/ml/forest.h"

namespace mo::onnx {

/// Nodes in any order, with children given by number. A node without children is a leaf.
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

inline constexpr int64_t kMostNodes = 1 << 24;

/// The reachable nodes, checked and numbered. Throws BadAttribute and UnsupportedForm, as read_forest does.
Forest numbered(const RawForest& raw, ElementType type, int64_t targets);
/// Replaces node `at` by inner nodes that search `members` by bisection. Throws BadAttribute for too many members.
void search_members(RawForest& raw, size_t at, Doubles members);

}  // namespace mo::onnx
