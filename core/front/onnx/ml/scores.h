// What the models of ai.onnx.ml share: rows of features, what follows on scores, labels of classes.
#pragma once

#include <string>

#include "core/build/builder.h"

namespace mo::onnx {

/// x as [rows, features] of f32, or f64 where it is that already; a single row where it has one dimension.
OutPort feature_rows(Builder& b, OutPort x);
/// Numbers of an attribute as a constant of that type, which stays as precise as it is: thresholds and features of any
/// size do not bear f16. Throws ShapeMismatch when there are not as many as the shape has.
OutPort numbers(Builder& b, ElementType type, const Shape& shape, const Doubles& values);
/// `post_transform` of scores [rows, n]: NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT. A single score is changed by
/// PROBIT only, as in ONNX Runtime. Throws BadAttribute.
OutPort post_transformed(Builder& b, OutPort scores, const std::string& kind);

/// Labels of classes that are numbers.
struct ClassLabels {
  Ints numbers;
  size_t count = 0;
  bool texts = false;

  /// Reads `classlabels_strings` and the integers' attribute.
  ClassLabels(const Node& node, std::string_view of_integers);
  /// The label of each row, [rows] of i64, by its class's index [rows]. Throws UnsupportedForm for texts.
  OutPort of(Builder& b, OutPort index) const;
};
/// Both scores [rows, 2] of two classes from the second's s [rows, 1]: -s and s where it is a `margin`, else 1 - s and
/// s; with LOGISTIC the sigmoids of -s and s.
OutPort scores_of_two(Builder& b, OutPort s, bool margin, const std::string& post_transform);
/// The first index of the largest score of each row, [rows].
OutPort best_class(Builder& b, OutPort scores);
/// TopK along axis 1: the `count` largest, falling, and their i64 indices; of equals the first.
Node& largest(Builder& b, OutPort scores, int64_t count);

}  // namespace mo::onnx
