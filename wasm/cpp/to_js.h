// Conversions to JavaScript for the bindings and the extension table, as declared in wasm/library/shared/core.d.mts.
#pragma once

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "core/mo.h"

namespace mo::js {

emscripten::val to_js(const Message& message);
/// [name, value] rows.
emscripten::val to_js(const std::vector<OptionText>& options);
emscripten::val to_js(const std::vector<std::string>& texts);

/// The message of the exception being handled; call it in a catch (...).
Message caught();

}  // namespace mo::js
