// Variables become constants: places in a checkpoint.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/content.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// Gives the value of a checkpoint's key; nullopt if it does not have it.
using Checkpoint = std::function<std::optional<Constant>(const std::string& key)>;

/// Each variable that an output needs becomes a Const. Its key is what the nodes that restore the checkpoint assign to
/// it; without them it is the variable's shared name or name. Variables without a value go to the diagnostics, each as
/// NoVariable. Without a checkpoint all are without.
void freeze_variables(Graph& graph, const Checkpoint& checkpoint, Diagnostics& diagnostics);

}  // namespace mo::tf
