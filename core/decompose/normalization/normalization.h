// Shared by ONNX's normalizations.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// The axes from `axis` to the last one of `x`. Throws BadValue for an axis outside the rank, UnsupportedForm when the
/// rank is needed but unknown.
OutPort axes_from(Builder& b, OutPort x, int64_t axis);
/// `x` in the precision of `stash_type`: f32 for narrower types, else unchanged.
OutPort stashed(Builder& b, const Node& node, OutPort x);
/// `x` in the element type of `like`.
OutPort back_to_type(Builder& b, OutPort x, OutPort like);
/// (x - mean) / sqrt(variance + epsilon) over `axes`.
OutPort normalized(Builder& b, OutPort x, OutPort axes, double epsilon);
/// x / sqrt(mean of x^2 + epsilon) over `axes`.
OutPort root_mean_square_normalized(Builder& b, OutPort x, OutPort axes, double epsilon);

}  // namespace mo
