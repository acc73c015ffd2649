// Conversions to JavaScript for the bindings and the extension table, as declared in wasm/library/shared/core.d.mts.
#pragma once

#include <string>
#include <vector>

#include "core/mo.h"
#include "core/script/val.h"

namespace mo::js {

val to_js(const Detail& detail);
val to_js(const Message& message);
/// [name, value] rows.
val to_js(const std::vector<OptionText>& options);
val to_js(const std::vector<std::string>& texts);

/// The message of the exception being handled; call it in a catch (...).
Message caught();

}  // namespace mo::js
