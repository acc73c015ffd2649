#include "core/back/weights/small_weights.h"

#include <algorithm>

namespace mo {
namespace {

/// Of products with as many columns, 30 MB.
constexpr uint64_t kMostScalesInTurns = 1 << 20;

/// Scales whose numbers follow one another, again and again: all of them are in memory until the last is known.
uint64_t scales_in_turns(const Shape& shape, const std::vector<size_t>& axes) {
  Shape behind;
  for (size_t i = axes.empty() ? shape.size() : axes[0]; i < shape.size(); ++i)
    if (!std::binary_search(axes.begin(), axes.end(), i)) behind.push_back(shape[i]);
  return element_count(behind);
}

}  // namespace

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
  if (scales_in_turns(value.shape, how.axes) > kMostScalesInTurns) return {WeightsStay::ManyScales, {}};
  return out;
}

}  // namespace mo
