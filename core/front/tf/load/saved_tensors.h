// A checkpoint of version 1: tables with the values of all variables, or of slices of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/content.h"
#include "core/base/proto/message.h"
#include "core/front/tf/load/sstable.h"
#include "core/front/tf/load/tensor_slice.h"

namespace mo::tf {

class SavedTensors {
 public:
  /// Throws the errors of SsTable.
  SavedTensors(Files& files, const std::vector<FileId>& tables);
  /// The tensor; nullopt if the checkpoint does not have it. Throws the errors of read_values() and join_slices(), with
  /// the file and the key.
  std::optional<Constant> find(const std::string& key);

 private:
  struct Table {
    SsTable table;
    std::map<std::string, proto::Message> tensors;  ///< name, shape, type and those slices of a variable that are here
  };
  Shape read_slices(Table& table, const std::string& key, const proto::Message& tensor, std::vector<SlicePart>& parts);

  Files& files_;
  std::vector<Table> tables_;
};

}  // namespace mo::tf
