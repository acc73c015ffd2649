// Resizing spelled out: coordinates, weights and sums as operations of their own, for what Interpolate cannot say.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// ONNX's Resize as it is asked for.
struct Resampling {
  std::string mode;         ///< nearest, linear, cubic
  std::string coordinates;  ///< coordinate_transformation_mode
  std::string nearest_mode;
  double cubic_coefficient = -0.75, extrapolation_value = 0;
  bool exclude_outside = false, antialias = false;
};

/// One axis of it. All are scalars; `start` and `end` only of tf_crop_and_resize.
struct ResamplingAxis {
  int64_t axis = 0;
  OutPort size;   ///< i64: the output's size
  OutPort scale;  ///< f32
  OutPort start, end;
};

/// `x`, of known rank, resized along each axis in turn: by Gather for nearest, else by a MatMul with the weights.
OutPort resample(Builder& b, OutPort x, const Resampling& how, const std::vector<ResamplingAxis>& axes);

}  // namespace mo::onnx
