// A checkpoint of version 1: one table with the values of all variables.
#pragma once

#include <map>
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
  /// The tensor; nullopt if the checkpoint does not have it. Throws the errors of read_values() and join_slices(), with
  /// the file and the key.
  std::optional<Constant> find(const std::string& key);

 private:
  Constant joined(const std::string& key, const proto::Message& tensor);

  Files& files_;
  SsTable table_;
  std::map<std::string, proto::Message> tensors_;  ///< name, shape, type and slices of each variable
};

}  // namespace mo::tf
