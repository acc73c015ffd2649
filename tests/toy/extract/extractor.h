// From the toy format's operations to internal ones.
#pragma once

#include <optional>

#include "core/front/loader.h"

namespace mo::toy {

class ToyModel final : public LoadedModel {
 public:
  ToyModel(std::optional<FileId> weights, bool linear) : weights_(weights), linear_(linear) {}
  void extract(Node& node) override;
  /// Whether Rectify passes its input on.
  bool linear() const { return linear_; }
  /// `count` numbers of the file with the weights, from number `begin` on, as a place. Throws MissingDataFile without
  /// such a file, DataOutOfRange.
  Constant weights(Files& files, int64_t begin, int64_t count) const;

 private:
  std::optional<FileId> weights_;
  bool linear_;
};

}  // namespace mo::toy
