// Suppression of boxes that overlap others.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// The threshold for IR: the next larger number, because IR drops a box whose overlap equals the threshold, and
/// frameworks keep it. Without `overlap`, that for 0.
OutPort suppression_threshold(Builder& b, OutPort overlap);

/// NonMaxSuppression of (boxes [batch, n, 4], scores [batch, classes, n], number, suppression_threshold(), score[,
/// sigma]), best first for each class.
Node& suppressed(Builder& b, List<OutPort> inputs, bool centers = false);

}  // namespace mo
