// Suppression of rows of boxes, the best of which come first.
#pragma once

#include "core/build/builder.h"

namespace mo::mxnet {

/// The best `most` of scores [batch, n] (all, if it is not positive) in order, and their places; equal ones stay in
/// order.
Node& best_scores(Builder& b, OutPort scores, int64_t most);

/// Boxes [batch, k, 4] in the order of their scores.
struct RankedBoxes {
  OutPort corners;
  OutPort valid;  ///< [batch, k]; empty: all are
  OutPort ids;    ///< [batch, k], of any type: only boxes of one id suppress each other; empty: all do
};
/// [batch, k], i64: 1 for each box that stays, at most `number` of each image. `threshold`: as IR has it, which
/// suppresses what overlaps as much.
OutPort kept(Builder& b, const Node& node, const RankedBoxes& boxes, OutPort threshold, OutPort number = {});

}  // namespace mo::mxnet
