// From TensorFlow's operations to Model Optimizer's: the table operators.def and the functions named in it.
#pragma once

#include <span>
#include <string_view>

#include "core/graph/graph.h"

namespace mo::tf {

struct Operator {
  const char* name;
  const char* internal;    ///< TF_SAME: the internal op
  const char* attributes;  ///< TF_SAME: defaults and renames
  void (*extract)(Node&);  ///< TF_CALL, else null
  const char* refusal;     ///< TF_REFUSED: why IR cannot express it, else null
};
/// The rows of operators.def, in its order.
std::span<const Operator> operators();

/// Turns a loaded node, with TensorFlow's attributes and names, into its internal op. Throws UnsupportedOp (with the
/// reason of a TF_REFUSED), BadAttribute, MissingAttribute, MissingInput, UnsupportedForm, UnsupportedType.
void extract(Node& node);

/// Whether the operation has a row, and is not refused.
bool is_extracted(std::string_view operation);

/// An attribute that names a type. Throws UnsupportedType for one that IR does not have, MissingAttribute.
ElementType type_of(const Node& node, std::string_view attribute);

}  // namespace mo::tf
