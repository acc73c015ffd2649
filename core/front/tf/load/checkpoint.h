// Checkpoints of both versions.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/content.h"
#include "core/base/files.h"

namespace mo::tf {

/// Gives the value of a checkpoint's key; nullopt if it does not have it.
using Checkpoint = std::function<std::optional<Constant>(const std::string& key)>;

/// The checkpoint with that prefix: PREFIX.index and shards, or PREFIX itself. It is opened when the first key is asked
/// for. `given`: the user names it, by an absolute name; otherwise it lies beside the model. `verify`: the checksums of
/// its tensors are verified. Asking throws MissingDataFile and the errors of TensorBundle and SavedTensors.
Checkpoint open_checkpoint(Files& files, const std::string& prefix, bool given, bool verify);

}  // namespace mo::tf
