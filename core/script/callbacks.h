// The user's extensions: the functions of JavaScript that the core calls.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/mo.h"
#include "core/pipeline/extensions.h"
#include "core/script/val.h"

namespace mo::js {

/// The extensions described by `callbacks` (ExtensionCallbacks in core-table.ts); null when undefined. They are called
/// until the conversion ends. Clears the state of the previous conversion.
std::unique_ptr<Extensions> extensions_of(const val& callbacks);

/// What a node has itself, and not its operation.
struct OwnDefinition {
  bool infers, infers_types, writes;  ///< inferOwn(), typeInferOwn() and irAttributesOwn() of JavaScript act for it
  std::optional<std::string> type, version;  ///< in the IR
};
void set_own_definition(int g, int n, OwnDefinition definition);

}  // namespace mo::js
