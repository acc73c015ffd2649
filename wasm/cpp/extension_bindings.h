// Where the extension table meets the rest of the edge.
#pragma once

#include <emscripten/val.h>

#include <memory>

#include "core/mo.h"
#include "core/pipeline/extensions.h"

namespace mo::js {

/// wasm/library/shared/core.d.mts: Message.
emscripten::val message_to_js(const Message& message);

/// The extensions that `host` (ExtensionHost in core-table.ts) stands for; null when it is undefined. They call it: it
/// has to stay until the conversion is over. Forgets the session of the conversion before.
std::unique_ptr<Extensions> extensions_of(const emscripten::val& host);

/// Lets JavaScript's inferOwn(), typeInferOwn() and irAttributesOwn() act for a node, as far as it has such functions.
void set_own_functions(int g, int n, bool infers, bool infers_types, bool writes);

}  // namespace mo::js
