// Some diagonals of matrices. Diagonal d has the elements whose column is their row plus d.
#pragma once

#include "core/decompose/shaping/shaping.h"
#include "core/graph/graph.h"

namespace mo {

/// Diagonals lower to upper. All numbers are i64 scalars, or tensors that broadcast.
struct Band {
  Band() = default;
  /// The diagonals are input `k` of the node, or the main diagonal if there is none. The node's `align` says how
  /// diagonals above the main one are aligned, then those below it. Throws UnsupportedForm if it is not known whether
  /// lower and upper are equal.
  Band(Builder& b, const Node& node, int k);
  OutPort contains(Builder& b, OutPort d) const;
  OutPort length(Builder& b, OutPort d) const;
  /// The length of the longest diagonal.
  OutPort longest(Builder& b) const;
  /// Where diagonal d begins in a row of `most` elements.
  OutPort offset(Builder& b, OutPort d, OutPort most) const;

  OutPort lower, upper, rows, columns;
  bool wide = false;  ///< whether the diagonals have an axis of their own
  bool right_above = false, right_below = false;
};

/// x with its last two axes as one.
OutPort joined(Builder& b, OutPort x);

}  // namespace mo
