// Operations that join, split, add and drop dimensions, but keep the order of elements.
#pragma once

#include "core/ops/dimension_origins.h"

namespace mo {

/// Neighbouring axes of the input that become neighbouring axes of the output. One of both may be empty.
struct DimensionBlock {
  Ints before, after;
};
using DimensionBlocks = std::vector<DimensionBlock>;

/// The blocks of a Reshape, a Squeeze, an Unsqueeze or a reduction that drops its axes, in their order, as small as the
/// sizes prove. nullopt for other nodes, and where axes are not known.
std::optional<DimensionBlocks> dimension_blocks(Node& node, DimensionOrigins& origins);

/// The order of the output's axes if the input's get `order`; of the input's for the output's if `forwards` is false.
/// New axes go where `wanted` has them, if it has the others in their order; else to the one that follows. nullopt if a
/// block would be torn.
std::optional<Ints> order_through(const DimensionBlocks& blocks, const Ints& order, bool forwards, const Ints& wanted);

/// The pattern of a Reshape whose input and output get these orders; nullopt if no constant says it for all sizes.
std::optional<Ints> pattern_through(Node& reshape, const DimensionBlocks& blocks, const Ints& order_before,
                                    const Ints& order_after);

}  // namespace mo
