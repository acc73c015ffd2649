// Lists of names in messages.
#pragma once

#include "core/base/detail.h"
#include "core/graph/attributes.h"

namespace mo {

/// The first `most` names, and how many there are besides.
Detail first_names(const Strings& names, size_t most = 20);

}  // namespace mo
