// From the toy format's operations to internal ones.
#pragma once

#include "core/front/common/operators.h"

namespace mo::toy {

/// The rows of operators.def.
const Operators& operators();

}  // namespace mo::toy
