// Suppression of boxes that overlap others.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// NonMaxSuppression of (boxes [batch, n, 4], scores [batch, classes, n], number, IoU, score[, sigma]), best first for
/// each class. IR drops a box whose overlap is the threshold or greater, frameworks one whose overlap is greater: the
/// threshold becomes the next larger number; without one it is 0.
Node& suppressed(Builder& b, List<OutPort> inputs, bool centers = false);

}  // namespace mo
