// What losses have in common, for extractors.
#pragma once

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {

/// The node becomes the loss of each element, the sum of all, or their mean, as its argument "reduction" says: the sum
/// over `divisor` if that is given.
void give_loss(Node& node, Builder& b, OutPort loss, OutPort divisor = {});

}  // namespace mo::pytorch
