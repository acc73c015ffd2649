// From TensorFlow Lite's operators to Model Optimizer's operations: the table operators.def and the functions named in
// it.
#pragma once

#include <string>

#include "core/front/common/operators.h"
#include "core/graph/graph.h"

namespace mo::tflite {

/// The rows of operators.def.
const Operators& operators();
/// By TensorType of schema.fbs. Throws UnsupportedType.
ElementType element_type_of(int64_t type);

/// Sets the activation's node behind output 0. `activation` is a number of ActivationFunctionType; 0 is none. Throws
/// UnsupportedForm.
void add_activation(Node& node, int64_t activation);
/// The internal op of an activation: "ReLU"; empty for none. Throws UnsupportedForm.
std::string activation_op(int64_t activation);

}  // namespace mo::tflite
