// The options of an operator as attributes with the names of schema.fbs.
#pragma once

#include "core/front/tflite/load/model.h"
#include "core/graph/attributes.h"

namespace mo::tflite {

/// Of a builtin operator: the fields that its row of operators.def names. Of a custom operator: the entries of the map
/// that its options are, or `custom_options`, a list of whole numbers, if they are a structure of these. `result` is
/// the type of output 0 (TensorType), which some operators do not repeat. Throws CorruptFile.
Attributes read_options(const OperatorRecord& from, int result);

}  // namespace mo::tflite
