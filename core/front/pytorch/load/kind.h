// Recognises files of PyTorch by their bytes.
#pragma once

#include "core/front/model_file.h"

namespace mo::pytorch {

/// Whether the first file of a zip that begins so is one of an exported program. The hosts' archives ask the same.
bool starts_program(std::string_view head);

}  // namespace mo::pytorch
