#include "core/front/tf/load/checkpoint.h"

#include <memory>

#include "core/front/tf/load/checkpoint_files.h"
#include "core/front/tf/load/saved_tensors.h"
#include "core/front/tf/load/tensor_bundle.h"

namespace mo::tf {

std::vector<std::string> Checkpoint::open() {
  if (find_) return {};
  const CheckpointFiles found = find_checkpoint(files_, name_);
  if (!found.missing.empty()) return found.missing;
  if (found.is_bundle) {
    auto bundle = std::make_shared<TensorBundle>(files_, name_, given_, verify_);
    find_ = [bundle](const std::string& key) { return bundle->find(key); };
    return {};
  }
  std::vector<FileId> tables;
  for (const std::string& name : found.tables) tables.push_back(given_ ? files_.open_given(name) : files_.open(name));
  auto tensors = std::make_shared<SavedTensors>(files_, tables);
  find_ = [tensors](const std::string& key) { return tensors->find(key); };
  return {};
}

}  // namespace mo::tf
