// FlexBuffers, in which custom operators of TensorFlow Lite have their options.
#pragma once

#include <optional>
#include <string_view>

#include "core/graph/attributes.h"

namespace mo::tflite {

/// The numbers, booleans, texts and lists of numbers of a map at the root; other values are left out. Nullopt if the
/// bytes are no such map.
std::optional<Attributes> read_flex_map(std::string_view bytes);

}  // namespace mo::tflite
