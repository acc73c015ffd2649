// Trees as a model lists them, before they are checked.
#pragma once

#include <vector>

#include "core/front/onnx/ml/forest.h"

namespace mo::onnx {

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

inline constexpr int64_t kMostNodes = 1 << 24;

/// The nodes that can be reached, checked and numbered. Throws BadAttribute and UnsupportedForm, as read_forest does.
Forest numbered(const RawForest& raw, ElementType type, int64_t targets);
/// Puts inner nodes that search `members`, by halves, in the place of node `at`. Throws BadAttribute for too many.
void search_members(RawForest& raw, size_t at, Doubles members);

}  // namespace mo::onnx
