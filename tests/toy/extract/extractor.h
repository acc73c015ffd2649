// From the toy format's operations to internal ones.
#pragma once

#include <optional>

#include "core/front/loader.h"

namespace mo::toy {

class ToyModel final : public LoadedModel {
 public:
  explicit ToyModel(std::optional<FileId> weights) : weights_(weights) {}
  void extract(Node& node) override;
  /// `count` numbers of the file with the weights, from number `begin` on, as a place. Throws MissingDataFile without
  /// such a file, DataOutOfRange.
  Constant weights(Files& files, int64_t begin, int64_t count) const;

 private:
  std::optional<FileId> weights_;
};

}  // namespace mo::toy
