// Parameters of layers as attributes with their names in the text.
#pragma once

#include <string_view>

#include "core/base/proto/message.h"
#include "core/graph/attributes.h"

namespace mo::caffe {

/// The types of `layers`: TextOptions::open_enum.
constexpr std::string_view kOpenEnum = "V1LayerParameter.LayerType";

/// The fields that are there or have a default: flags as booleans, enums by name, lists as lists, the sizes of a
/// BlobShape as a list, those of DetectionOutput's suppression as if they were its own. Other messages, such as
/// fillers, are left out.
Attributes parameters_of(const proto::Message& message);

/// The fields of the message that nobody knows the meaning of. Those that say only how something is computed, trained
/// or measured are known.
std::vector<std::string> unknown_fields(const proto::Message& message);

}  // namespace mo::caffe
