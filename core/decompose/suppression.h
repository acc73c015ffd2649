// Suppression of boxes that overlap others.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// IR drops a box whose overlap is the threshold or greater, frameworks one whose overlap is greater: the next larger
/// number. Without a threshold that of 0.
OutPort suppression_threshold(Builder& b, OutPort overlap);

/// NonMaxSuppression of (boxes [batch, n, 4], scores [batch, classes, n], number, suppression_threshold(), score[,
/// sigma]), best first for each class.
Node& suppressed(Builder& b, List<OutPort> inputs, bool centers = false);

}  // namespace mo
