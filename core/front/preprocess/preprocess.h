// The request for preprocessing becomes attributes of the model's inputs and outputs.
#pragma once

#include "core/front/cut/cut.h"
#include "core/front/preprocess/preprocess_request.h"

namespace mo {

/// Sets mean_values, scale_values (Doubles), source_layout and target_layout (texts in IR's form) and
/// reverse_input_channels of the Parameters that the request means, and the layouts of Results. A name is that of a
/// tensor, a node or an item of --input. Items without a name apply to the inputs in the order of `named`, or in that
/// of the model where --input names none; layouts always in that of the model. For a graph that is loaded and cut.
/// Throws NoSuchInput, InputNamedTwice, MeanValuesCount, ScaleValuesCount, LayoutCount, ChannelValuesDiffer and
/// LayoutUnfit.
void set_preprocessing(Graph& graph, const PreprocessRequest& request, const std::vector<NamedInput>& named);
/// Throws what mean and scale values cannot be for the shapes and types that the inputs have so far: ChannelValuesType,
/// ChannelsUnknown, ChannelValuesUnfit. An input whose type or rank is not known yet passes.
void check_channel_values(const Graph& graph);

}  // namespace mo
