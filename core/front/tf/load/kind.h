// What a file of TensorFlow holds, by how it begins.
#pragma once

#include <cstdint>
#include <string_view>

namespace mo::tf {

enum class Kind : uint8_t { None, Graph, MetaGraph, SavedModel };

/// Of a binary file.
Kind kind_of(std::string_view head);
/// Of a text. The first field that only one kind has decides; fields inside messages do not count.
Kind kind_of_text(std::string_view head);

}  // namespace mo::tf
