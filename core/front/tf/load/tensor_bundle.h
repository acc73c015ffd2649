// A checkpoint of version 2: PREFIX.index says where each tensor is in PREFIX.data-00000-of-00001….
#pragma once

#include <optional>
#include <string>

#include "core/base/content.h"
#include "core/base/proto/message.h"
#include "core/front/tf/load/sstable.h"

namespace mo::tf {

class TensorBundle {
 public:
  /// `prefix` is a path of the file set, without ".index"; `given` if the user names it. Throws MissingDataFile and the
  /// errors of SsTable, and UnsupportedForm for a checkpoint of a big-endian machine.
  TensorBundle(Files& files, std::string prefix, bool given, bool verify = false);
  /// The tensor as a place; one that is stored in slices is their concatenation. nullopt if the checkpoint does not
  /// have it. Throws MissingDataFile for a shard, DataOutOfRange, WrongTensorSize, UnsupportedType, UnsupportedForm;
  /// with `verify`, which reads the tensor, BadChecksum with shard and byte.
  std::optional<Constant> find(const std::string& key);

 private:
  Constant whole(const proto::Message& entry);
  Constant joined(const std::string& key, const proto::Message& entry);
  FileId open(const std::string& name);
  proto::Message message(const char* type, const WireField& place);

  Files& files_;
  std::string prefix_;
  bool given_, verify_;
  SsTable index_;
  int64_t shards_ = 1;
};

}  // namespace mo::tf
