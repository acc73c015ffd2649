// How people read the ports of an IR: types and shapes as OpenVINO's own tools write them, and the names of tensors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/record.h"

namespace mo {

/// "f32"; a precision that is not known, as it is.
std::string type_of_port(const IrPort& port);
/// "[1,?,224,224]".
std::string shape_of_port(const IrPort& port);
/// At most 64 of them. A comma in a name has a backslash before it.
std::vector<std::string> names_of_port(const IrPort& port);
/// Texts of a hostile file can have megabytes: as much of one as people read.
std::string_view readable_part(std::string_view text);

}  // namespace mo
