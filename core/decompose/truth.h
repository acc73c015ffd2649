// Conditions of If and While.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// Whether x is true, as a boolean scalar: a scalar is true if it is not 0, another tensor if it is not empty.
OutPort truth_of(Builder& b, OutPort x);

}  // namespace mo
