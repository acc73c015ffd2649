// Parts of which fused operators consist.
#pragma once

#include <string>

#include "core/build/builder.h"

namespace mo::paddle {

/// The activation of x by its name; alpha and beta are its numbers. Throws UnsupportedForm.
OutPort activated(Builder& b, OutPort x, const std::string& name, double alpha = 0, double beta = 0);
/// x times a number.
OutPort scaled(Builder& b, OutPort x, double factor);
/// x plus a tensor, if there is one.
OutPort plus(Builder& b, OutPort x, OutPort added);
/// What dropout at this rate gives in inference.
OutPort dropped(Builder& b, OutPort x, double rate, const std::string& implementation);
/// LayerNormalization from the axis on; scale and bias may be empty.
OutPort layer_normalized(Builder& b, OutPort x, OutPort scale, OutPort bias, int64_t axis, double epsilon);

}  // namespace mo::paddle
