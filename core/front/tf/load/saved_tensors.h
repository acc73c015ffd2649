// A checkpoint of version 1: one table with the values of all variables.
#pragma once

#include <optional>
#include <string>

#include "core/base/content.h"
#include "core/base/proto/message.h"
#include "core/front/tf/load/sstable.h"

namespace mo::tf {

class SavedTensors {
 public:
  /// Throws the errors of SsTable.
  SavedTensors(Files& files, FileId file);
  /// The tensor; nullopt if the checkpoint does not have it. Throws the errors of read_values() and join_slices().
  std::optional<Constant> find(const std::string& key);

 private:
  Files& files_;
  SsTable table_;
  proto::Message meta_;  ///< names, shapes and types of all variables
};

}  // namespace mo::tf
