// A checkpoint of TensorFlow without its graph: an index, which is a table of strings, and shards of numbers; version 1
// is one table.

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/tf/load/checkpoint_files.h"
#include "core/front/tf/load/checkpoint_role.h"
#include "core/front/tf/load/sstable.h"

namespace mo::tf {
namespace {

/// "model.ckpt.data-00000-of-00001", and of version 1 "model.ckpt-00000-of-00001".
bool is_shard(const std::string& name) {
  const size_t at = name.rfind(".data-");
  if (at != std::string::npos) return name.find("-of-", at) != std::string::npos;
  return name.find(".ckpt") != std::string::npos && shards_of(name).count > 0;
}

bool ends_as_table(const ModelFile& model) {
  if (model.size() < SsTable::kMagic.size()) return false;
  std::string end(SsTable::kMagic.size(), '\0');
  model.files().read(model.file(), model.size() - end.size(), std::as_writable_bytes(std::span(end)));
  return end == SsTable::kMagic;
}

}  // namespace

bool is_checkpoint(const ModelFile& model) {
  if (!model.is_folder()) return is_shard(model.name()) || ends_as_table(model);
  const std::vector<std::string> files = model.files().list(model.name());
  return std::any_of(files.begin(), files.end(), is_shard);
}

}  // namespace mo::tf
