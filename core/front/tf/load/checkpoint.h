// Checkpoints of both versions.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/content.h"
#include "core/base/files.h"

namespace mo::tf {

class Checkpoint {
 public:
  /// `name`: as find_checkpoint() takes it. `given`: the user names it; otherwise it lies beside the model. `verify`:
  /// the checksums of its tensors are verified.
  Checkpoint(Files& files, std::string name, bool given, bool verify)
      : files_(files), name_(std::move(name)), given_(given), verify_(verify) {}
  /// Opens its files, unless they are open. Gives the names of missing files; find() may be called only if there are
  /// none. Throws the errors of find_checkpoint(), TensorBundle and SavedTensors.
  std::vector<std::string> open();
  /// The value of a key; nullopt if the checkpoint does not have it. Throws as find() of TensorBundle and SavedTensors.
  std::optional<Constant> find(const std::string& key) const { return find_(key); }

 private:
  Files& files_;
  std::string name_;
  bool given_, verify_;
  std::function<std::optional<Constant>(const std::string& key)> find_;
};

}  // namespace mo::tf
