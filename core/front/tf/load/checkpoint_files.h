// Finds the files of a checkpoint, which is named by the beginning of their names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/files.h"

namespace mo::tf {

/// "00003-of-00012": how the names of shards end.
std::string shard_ending(int64_t shard, int64_t shards);

/// A checkpoint in several files of version 1.
struct Shards {
  std::string prefix;
  int64_t count = 0;  ///< 0 if the name is not that of a shard
};
/// Reads "model.ckpt-00001-of-00002", or "model.ckpt-?????-of-00002", with which TensorFlow names all shards.
Shards shards_of(const std::string& name);

struct CheckpointFiles {
  bool is_bundle = false;            ///< of version 2
  std::vector<std::string> tables;   ///< of version 1, in order
  std::vector<std::string> missing;  ///< the first missing files; the index if there is no checkpoint at all
};

/// `name`: PREFIX of PREFIX.index, a file of version 1, the prefix of its shards, one of them, or their name with
/// "?????". Throws NoVariable if it names the shards of two checkpoints.
CheckpointFiles find_checkpoint(Files& files, const std::string& name);
/// The names of its files that are there, sorted; of version 2 without looking into the index. Throws as
/// find_checkpoint().
std::vector<std::string> names_of_checkpoint(Files& files, const std::string& name);

}  // namespace mo::tf
