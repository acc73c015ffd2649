// What preprocessing needs of the model's inputs.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The layout of a Parameter before it gets its target_layout; empty if none is given.
std::string input_layout(const Node& parameter);
/// The axis of the channels in this layout, or where images mostly have them; see channel_axis().
std::optional<size_t> input_channels(const Node& parameter);
/// The inputs that read the values of the Parameter, not only its shape.
std::vector<InPort> value_readers(Node& parameter);
/// The readers read `last`, which is made of the Parameter, instead of the Parameter. Tensor names that the tensor did
/// not have when the model was loaded (`own_names`) go with them: they belong to the model behind the input.
void insert_after_input(Node& parameter, OutPort last, const std::vector<InPort>& readers);
/// The number that preprocessing nodes have as the attribute `preprocessing`: the axis of the channels, or this one if
/// they treat all channels the same.
inline constexpr int64_t kAllChannels = -1;

}  // namespace mo
