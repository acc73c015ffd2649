// Any bytes as a checkpoint of either version: values or errors, never a crash, a hang or a sanitizer report.

#include "core/base/error.h"
#include "core/front/tf/load/saved_tensors.h"
#include "core/front/tf/load/tensor_bundle.h"
#include "tests/fuzz/bytes_file.h"
#include "tests/fuzz/sealed_table.h"

namespace {

template <typename Checkpoint>
void ask(Checkpoint& checkpoint) {
  for (const char* key : {"", "a", "layer/weights", "layer/bias", "weights/.ATTRIBUTES/VARIABLE_VALUE"}) {
    try {
      checkpoint.find(key);
    } catch (const mo::Error&) {
      // Errors of one tensor are expected.
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string table = mo::fuzz::sealed_table({reinterpret_cast<const char*>(data), size});
  const auto* bytes = reinterpret_cast<const uint8_t*>(table.data());
  mo::fuzz::BytesFiles set;
  for (const char* name : {"v.index", "v.data-00000-of-00001", "v.data-00001-of-00002"})
    set.put(name, bytes, table.size());
  mo::Files files(set);
  try {
    mo::tf::TensorBundle bundle(files, "v", true);
    ask(bundle);
  } catch (const mo::Error&) {
    // Errors of the whole index are expected.
  }
  try {
    mo::tf::SavedTensors tensors(files, files.open("v.index"));
    ask(tensors);
  } catch (const mo::Error&) {
    // As above.
  }
  return 0;
}
