#pragma once

#include "core/decompose/recurrent/cell.h"

namespace mo::tflite {

/// An activation of schema.fbs: 0 none, 1 ReLU, 2 between -1 and 1, 3 between 0 and 6, 4 Tanh.
inline CellActivation cell_activation(int64_t activation) {
  if (activation == 1) return {"relu"};
  if (activation == 2) return {"clip", -1, 1};
  if (activation == 3) return {"clip", 0, 6};
  return {activation == 4 ? "tanh" : "none"};
}

/// The hidden size, from the weights of a gate.
inline int64_t rows_of_weights(OutPort w) {
  const PartialShape& shape = w.tensor().shape;
  if (shape.rank() != 2 || !shape[0].is_exact() || shape[0].min < 1)
    throw Error(Code::UnsupportedForm, "weights of unknown shape");
  return shape[0].min;
}

/// x with such an activation.
inline OutPort activated(Builder& b, OutPort x, int64_t activation) {
  return mo::activated(b, x, cell_activation(activation));
}

}  // namespace mo::tflite
