// From TensorFlow Lite's operators to Model Optimizer's operations: the table operators.def and the functions named in
// it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/graph/graph.h"

namespace mo::tflite {

struct Operator {
  int code;  ///< BuiltinOperator of schema.fbs
  const char* name;
  const char* options;     ///< the fields of its options
  const char* internal;    ///< LITE_SAME: the internal op
  const char* attributes;  ///< LITE_SAME: defaults and renames
  void (*extract)(Node&);  ///< LITE_CALL, else null
  const char* refusal;     ///< LITE_REFUSED: why IR cannot express it, else null
};
/// The rows of operators.def, in its order.
std::span<const Operator> operators();
/// Null for an operator that this build does not know.
const Operator* find_operator(std::string_view name);
/// "CONV_2D"; "BUILTIN_300" for a code that this build does not know.
std::string operator_name(int code);
/// By TensorType of schema.fbs. Throws UnsupportedType.
ElementType element_type_of(int64_t type);

/// Turns a loaded node, with the names of schema.fbs, into its internal op. Throws UnsupportedOp (with the reason of a
/// LITE_REFUSED), BadAttribute, MissingInput, UnsupportedForm, UnsupportedType.
void extract(Node& node);

/// Sets the activation's node behind output 0. `activation` is a number of ActivationFunctionType; 0 is none. Throws
/// UnsupportedForm.
void add_activation(Node& node, int64_t activation);
/// The internal op of an activation: "ReLU"; empty for none. Throws UnsupportedForm.
std::string activation_op(int64_t activation);

}  // namespace mo::tflite
