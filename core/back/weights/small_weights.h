// What the weights of a layer become as integers, as far as their shape says it.
#pragma once

#include "core/back/weights/weight_layers.h"

namespace mo {

struct SmallWeights {
  WeightsStay stay = WeightsStay::No;  ///< why they stay, which the layer may say already
  QuantisedWeights weights;            ///< if they do not stay
  uint64_t size() const;               ///< of the integers, zero points and scales, in bytes
};
/// Reads no weights: their numbers may be a reason to stay, too.
SmallWeights small_weights(const WeightLayer& layer);

}  // namespace mo
