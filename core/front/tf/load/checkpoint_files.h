// A checkpoint is named by what the names of its files begin with: which files those are.
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
  int64_t count = 0;  ///< none: the name is no shard's
};
/// "model.ckpt-00001-of-00002", or "model.ckpt-?????-of-00002", which is how TensorFlow names them all.
Shards shards_of(const std::string& name);

struct CheckpointFiles {
  bool is_bundle = false;            ///< of version 2
  std::vector<std::string> tables;   ///< of version 1, in order
  std::vector<std::string> missing;  ///< the first ones that are not there; of no checkpoint at all, its index
};

/// `name`: PREFIX of PREFIX.index, a file of version 1, the prefix of its shards, one of them, or shards_of(). Throws
/// NoVariable if it names the shards of two checkpoints.
CheckpointFiles find_checkpoint(Files& files, const std::string& name);
/// The names of its files that are there, sorted; of version 2 without looking into the index. Throws as
/// find_checkpoint().
std::vector<std::string> names_of_checkpoint(Files& files, const std::string& name);

}  // namespace mo::tf
