// From TensorFlow's operations to Model Optimizer's: the table operators.def and the functions named in it.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo::tf {

struct Operator {
  std::string_view name;
  std::string_view internal;    ///< TF_SAME: the internal op
  std::string_view attributes;  ///< TF_SAME: defaults and renames
  void (*extract)(Node&);       ///< TF_CALL, else null
  std::string_view refusal;     ///< TF_REFUSED: why IR cannot express it; otherwise empty
};
/// The rows of operators.def, in its order.
const std::vector<Operator>& operators();

/// Turns a loaded node, with TensorFlow's attributes and names, into its internal op. Throws UnsupportedOp (with the
/// reason of a TF_REFUSED), BadAttribute, MissingAttribute, MissingInput, UnsupportedForm, UnsupportedType.
void extract(Node& node);

/// An attribute that names a type. Throws UnsupportedType for one that IR does not have, MissingAttribute.
ElementType type_of(const Node& node, std::string_view attribute);

}  // namespace mo::tf
