// The user's extensions: the functions of JavaScript that the core calls.
#pragma once

#include <memory>

#include "core/mo.h"
#include "core/pipeline/extensions.h"
#include "core/script/val.h"

namespace mo::js {

/// The extensions described by `callbacks` (ExtensionCallbacks in core-table.ts); null when undefined. They are called
/// until the conversion ends. Clears the state of the previous conversion.
std::unique_ptr<Extensions> extensions_of(const val& callbacks);

/// Makes JavaScript's inferOwn(), typeInferOwn() and irAttributesOwn() act for a node, if it has such functions.
void set_own_functions(int g, int n, bool infers, bool infers_types, bool writes);

}  // namespace mo::js
