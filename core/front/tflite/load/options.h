// The options of an operator as attributes with the names of schema.fbs.
#pragma once

#include "core/front/tflite/load/model.h"
#include "core/graph/attributes.h"

namespace mo::tflite {

/// The builtin code of custom operators, which have a name.
inline constexpr int kCustom = 32;
/// The builtin code of an operator with a row in operators.def, else kCustom.
int operator_code(std::string_view name);
/// "CONV_2D"; "BUILTIN_300" for a code that this build does not know.
std::string operator_name(int code);

/// Of a builtin operator: the fields that its row of operators.def names. Of a custom operator: the entries of the map
/// that its options are, or `custom_options`, a list of whole numbers, if they are a structure of these. `result` is
/// the type of output 0 (TensorType), which some operators do not repeat. Throws CorruptFile.
Attributes read_options(const OperatorRecord& from, int result);

}  // namespace mo::tflite
