// From TensorFlow's operations to Model Optimizer's: the table operators.def and the functions named in it.
#pragma once

#include <functional>
#include <string_view>

#include "core/front/common/operators.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// The rows of operators.def.
const Operators& operators();

/// What comes before a row. True if the node is extracted, as some are on complex numbers, which `extract` helps with.
/// Throws UnsupportedForm for those that cannot be, and for a node that an unkept variable depends on.
bool prepare(Node& node, const std::function<void(Node&)>& extract);

/// Whether the operation has a row, and is not refused.
bool is_extracted(std::string_view operation);

/// An attribute that names a type. Throws UnsupportedType for one that IR does not have, MissingAttribute.
ElementType type_of(const Node& node, std::string_view attribute);

}  // namespace mo::tf
