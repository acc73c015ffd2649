// A value that an option gives to an input.
#pragma once

#include "core/base/content.h"
#include "core/front/cut/cut_request.h"

namespace mo {

/// The value as a constant of that type. Its shape is `shape` with as many elements as the value has; of an unknown or
/// dynamic shape, what fits: a scalar for a number, one dimension for a list. `place` names the input in messages.
/// Throws BadFrozenValue for an element outside the type's range and for a number of elements that does not fit.
Constant frozen_value(const FrozenValue& value, ElementType type, const PartialShape& shape, std::string_view place);

}  // namespace mo
