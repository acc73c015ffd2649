#include "core/front/tf/load/checkpoint.h"

#include <memory>

#include "core/base/error.h"
#include "core/front/tf/load/saved_tensors.h"
#include "core/front/tf/load/tensor_bundle.h"

namespace mo::tf {
namespace {

std::optional<FileId> file_of(Files& files, const std::string& name, bool given) {
  try {
    return given ? files.open_given(name) : files.open(name);
  } catch (const Error& error) {
    if (error.code() == Code::MissingDataFile) return std::nullopt;
    throw;
  }
}

Checkpoint opened(Files& files, const std::string& prefix, bool given, bool verify) {
  if (!file_of(files, prefix + ".index", given))
    if (const auto file = file_of(files, prefix, given)) {
      auto tensors = std::make_shared<SavedTensors>(files, *file);
      return [tensors](const std::string& key) { return tensors->find(key); };
    }
  auto bundle = std::make_shared<TensorBundle>(files, prefix, given, verify);
  return [bundle](const std::string& key) { return bundle->find(key); };
}

}  // namespace

Checkpoint open_checkpoint(Files& files, const std::string& prefix, bool given, bool verify) {
  auto checkpoint = std::make_shared<Checkpoint>();
  return [&files, prefix, given, verify, checkpoint](const std::string& key) {
    if (!*checkpoint) *checkpoint = opened(files, prefix, given, verify);
    return (*checkpoint)(key);
  };
}

}  // namespace mo::tf
