// What a file of TensorFlow holds, by how it begins.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/front/model_file.h"

namespace mo::tf {

enum class Kind : uint8_t { None, Graph, MetaGraph, SavedModel };

/// Of a binary file.
Kind kind_of(std::string_view head);
/// Of a text. The first field that only one kind has decides; fields inside messages do not count.
Kind kind_of_text(std::string_view head);

/// Of a file.
Kind kind_of(const ModelFile& file);

}  // namespace mo::tf
