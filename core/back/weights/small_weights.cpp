#include "core/back/weights/small_weights.h"

namespace mo {

uint64_t SmallWeights::size() const {
  const uint64_t zero_points = weights.zero_points.content ? weights.zero_points.content->size() : 0;
  return weights.codes.content->size() + zero_points + weights.scales.content->size();
}

SmallWeights small_weights(const WeightLayer& layer) {
  const Constant& value = *layer.constant->get_constant("value");
  if (layer.stay != WeightsStay::No) return {layer.stay, {}};
  if (is_spoiled(layer)) return {WeightsStay::Spoiled, {}};
  if (value.content->depth() >= Content::kMaxDepth) return {WeightsStay::Recipe, {}};
  Quantisation how;
  how.bits = layer.format == WeightFormat::Int4Asym || layer.format == WeightFormat::Int4Sym ? 4 : 8;
  how.symmetric = layer.format == WeightFormat::Int8Sym || layer.format == WeightFormat::Int4Sym;
  how.axes = layer.axes;
  how.group = layer.group;
  SmallWeights out{WeightsStay::No, quantise(value, how)};
  if (out.size() >= value.content->size()) return {WeightsStay::NotSmaller, {}};
  return out;
}

}  // namespace mo
