// Layouts of tensors as options and IR write them: "nchw", "[N,C,H,W]", "n...c". The channels of inputs, as layout and
// shape tell them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/base/shape.h"

namespace mo {

/// The layout in IR's form: "[N,C,H,W]". Names are in upper case; batch, channels, depth, height and width are N, C, D,
/// H and W. `?` is an axis without a name, `...` any number of them. Throws BadLayout.
std::string layout_text(std::string_view text);
/// The names of the axes of a tensor of that rank, -1 if it is unknown. nullopt if the layout has another number of
/// axes, or has `...` and the rank is unknown. `layout` is in IR's form, as in the functions below.
std::optional<std::vector<std::string>> axis_names(std::string_view layout, int rank);
/// The axis of that name.
std::optional<size_t> axis_named(std::string_view layout, std::string_view name, int rank);
/// The order of the Transpose from one layout to the other: axes of the same name correspond, the others in their
/// order. nullopt if a layout has another rank, or if `to` has a name that `from` has not.
std::optional<std::vector<int64_t>> order_between(std::string_view from, std::string_view to, int rank);
/// The axis of the channels: C of the layout, if there is one. Else the only dimension of 3, where it is the first or
/// last of three, or the second or last of four or five. nullopt otherwise.
std::optional<size_t> channel_axis(const PartialShape& shape, std::string_view layout);
/// The axis for `count` mean or scale values, each for a channel. Throws ChannelValuesUnfit if the channels are known
/// to be of another number, or no dimension can be of this one; ChannelsUnknown if they are not known.
size_t axis_for_values(const PartialShape& shape, std::string_view layout, size_t count, const Place& place);
/// Throws ChannelValuesType.
void require_values_type(ElementType type, const Place& place);

}  // namespace mo
