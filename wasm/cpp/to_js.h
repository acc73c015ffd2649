// What the bindings and the extension table both tell JavaScript, as wasm/library/shared/core.d.mts declares it.
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

/// The message of the exception that is being handled: to be called in a catch (...).
Message caught();

}  // namespace mo::js
