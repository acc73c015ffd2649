// Parameters of Python layers: the text of a Python dict, with or without braces, or YAML's lines of the same kind.
#pragma once

#include <string_view>

#include "core/graph/attributes.h"

namespace mo::caffe {

/// Whole and real numbers, words, flags, and lists of one kind of them. Throws BadFieldValue, with the place in the
/// text.
Attributes read_param_str(std::string_view text);

}  // namespace mo::caffe
