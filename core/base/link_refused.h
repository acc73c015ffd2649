// What hosts say of a link that leads out of the model's folder.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {

/// The model names a file that is there, but outside.
inline Error link_refused(const std::string& name) {
  return Error(Code::DataPathRefused, msg("\"", printable(name), "\" is a link"), {.file = name},
               "put the file itself into the model's folder");
}

}  // namespace mo
