// A value that an option gives to an input.
#pragma once

#include "core/base/content.h"
#include "core/front/cut/cut_request.h"

namespace mo {

/// The value as a constant of that type. A static `shape` is its shape. In a dynamic one, the first unknown dimension
/// takes the elements, and other unknown dimensions become 1. If the rank is unknown, a number is a scalar and a list
/// has one dimension. A list of lists has a shape of its own, which has to fit. `place` names the input in messages.
/// Throws BadFrozenValue for an element outside the type's range and for a number of elements that does not fit.
Constant frozen_value(const FrozenValue& value, ElementType type, const PartialShape& shape, std::string_view place);

}  // namespace mo
