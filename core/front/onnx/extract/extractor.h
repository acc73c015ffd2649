// From ONNX's operations to Model Optimizer's: the table operators.def and the functions named in it.
#pragma once

#include "core/front/common/operators.h"
#include "core/graph/graph.h"

namespace mo::onnx {

/// The rows of operators.def.
const Operators& operators();

/// The type for a TensorProto.DataType, which IR may not have (in_ir()). Throws UnsupportedType for complex and unknown
/// types.
ElementType element_type(int64_t data_type);

}  // namespace mo::onnx
