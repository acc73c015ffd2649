// Resizing by separate operations for coordinates, weights and sums, for what Interpolate cannot express.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// The parameters of a resize, named as ONNX names them.
struct Resampling {
  std::string mode;         ///< nearest, linear, cubic
  std::string coordinates;  ///< coordinate_transformation_mode
  std::string nearest_mode;
  double cubic_coefficient = -0.75, extrapolation_value = 0;
  bool exclude_outside = false, antialias = false;
  double steps = 0;  ///< positions are rounded to 1 / steps of a pixel; 0: they are not rounded
};

/// One resized axis. All ports are scalars; `start` and `end` are only for tf_crop_and_resize.
struct ResamplingAxis {
  int64_t axis = 0;
  OutPort size;   ///< i64: the output's size
  OutPort scale;  ///< f32
  OutPort start, end;
};

/// `x`, of known rank, resized along each axis in turn: by Gather for nearest, else by a MatMul with weights.
OutPort resample(Builder& b, OutPort x, const Resampling& how, const std::vector<ResamplingAxis>& axes);

}  // namespace mo
