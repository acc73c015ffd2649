// From ONNX's operations to Model Optimizer's: the table operators.def and the functions named in it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/graph/graph.h"

namespace mo::onnx {

struct Operator {
  const char *name, *domain;
  const char* internal;    ///< ONNX_SAME: the internal op
  const char* attributes;  ///< ONNX_SAME: defaults and renames
  void (*extract)(Node&);  ///< ONNX_CALL, else null
  const char* refusal;     ///< ONNX_REFUSED: why IR cannot express it, else null
};
/// The rows of operators.def, in its order.
std::span<const Operator> operators();
const Operator* find_operator(std::string_view name, std::string_view domain);

/// Turns a loaded node, with ONNX's attributes and names, into its internal op. An operation without a row, but with a
/// function definition by ONNX, is left to DecomposeFunction. Throws UnsupportedOp (with the reason of an
/// ONNX_REFUSED), BadAttribute, MissingAttribute, MissingInput, ExtraPort.
void extract(Node& node);

/// The type for a TensorProto.DataType, which IR may not have (in_ir()). Throws UnsupportedType for complex and unknown
/// types.
ElementType element_type(int64_t data_type);

}  // namespace mo::onnx
