#pragma once

#include "core/build/builder.h"

namespace mo::tflite {

/// x with an activation of schema.fbs: 0 none, 1 ReLU, 2 between -1 and 1, 3 between 0 and 6, 4 Tanh.
inline OutPort activated(Builder& b, OutPort x, int64_t activation) {
  if (activation == 1) return b.op("ReLU", {x});
  if (activation == 2) return b.op("AttributedClamp", {x}, {{"min", -1.0}, {"max", 1.0}});
  if (activation == 3) return b.op("AttributedClamp", {x}, {{"min", 0.0}, {"max", 6.0}});
  if (activation == 4) return b.op("Tanh", {x});
  return x;
}

}  // namespace mo::tflite
