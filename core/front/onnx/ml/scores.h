// Shared by the models of ai.onnx.ml: rows of features, post-transforms of scores, class labels.
#pragma once

#include <string>

#include "core/build/builder.h"

namespace mo::onnx {

/// x as [rows, features] of f32, or of f64 if it has that type; a 1-D x is a single row.
OutPort feature_rows(Builder& b, OutPort x);
/// `post_transform` of scores [rows, n]: NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT. As in ONNX Runtime, only
/// PROBIT changes a single score. Throws BadAttribute.
OutPort post_transformed(Builder& b, OutPort scores, const std::string& kind);

/// The class labels of a classifier: their count, and the values of integer labels.
struct ClassLabels {
  Ints numbers;
  size_t count = 0;
  bool texts = false;

  /// Reads `classlabels_strings` and the attribute of integer labels.
  ClassLabels(const Node& node, std::string_view of_integers);
  /// The label of each row, [rows] of i64, for class indices [rows]. Throws UnsupportedForm for strings.
  OutPort of(Builder& b, OutPort index) const;
};
/// The scores [rows, 2] of two classes from the second one's score s [rows, 1]: -s and s if it is a `margin`, else 1 -
/// s and s; with LOGISTIC the sigmoids of -s and s.
OutPort scores_of_two(Builder& b, OutPort s, bool margin, const std::string& post_transform);
/// The index of the first largest score of each row, [rows].
OutPort best_class(Builder& b, OutPort scores);
/// TopK along axis 1: the `count` largest in descending order, with i64 indices; the first of equal ones.
Node& largest(Builder& b, OutPort scores, int64_t count);

}  // namespace mo::onnx
