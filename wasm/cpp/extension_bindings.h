// Where the extension table meets the rest of the bindings.
#pragma once

#include <emscripten/val.h>

#include <memory>

#include "core/mo.h"
#include "core/pipeline/extensions.h"

namespace mo::js {

/// The extensions that `callbacks` (ExtensionCallbacks in core-table.ts) stand for; null when they are undefined. They
/// are called until the conversion is over. Forgets the state of the conversion before.
std::unique_ptr<Extensions> extensions_of(const emscripten::val& callbacks);

/// Lets JavaScript's inferOwn(), typeInferOwn() and irAttributesOwn() act for a node, as far as it has such functions.
void set_own_functions(int g, int n, bool infers, bool infers_types, bool writes);

}  // namespace mo::js
