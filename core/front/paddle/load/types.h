// The numbers of VarType.Type in framework.proto: element types, and kinds of variables.
#pragma once

#include <optional>

#include "core/base/element_type.h"

namespace mo::paddle {

/// A kind of variable. Others are possible; the loader reads only these.
enum class VariableKind : int64_t { Tensor = 7, SelectedRows = 8, TensorArray = 13 };

/// nullopt for complex numbers, and for numbers that are no element type.
std::optional<ElementType> element_type(int64_t data_type);
/// Whether it is a type of complex numbers.
bool is_complex_type(int64_t data_type);
/// As element_type(). Throws UnsupportedType.
ElementType required_type(int64_t data_type);

}  // namespace mo::paddle
