// Names of what is made of a node.
#pragma once

#include <string_view>

namespace mo {

/// What a name begins with that is made of the name of a node, "<name>/<part>": the name, or the beginning of a long
/// one. A name may have 64 KB, and many nodes be made of a node.
std::string_view name_to_extend(std::string_view name);

}  // namespace mo
