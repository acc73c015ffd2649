// Any bytes as a transformations configuration for a small network: an IR or messages, never a crash, a hang or a sanitizer
// report.

#include "core/base/error.h"
#include "tests/fuzz/bytes_file.h"
#include "tests/fuzz/tf_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    mo::check_transformations_config({reinterpret_cast<const char*>(data), size});
  } catch (const mo::Error&) {
    // Errors in the text are expected.
  }
  mo::fuzz::BytesFiles files;
  files.put("net.pbtxt", reinterpret_cast<const uint8_t*>(mo::fuzz::kNetwork.data()), mo::fuzz::kNetwork.size());
  files.put("config.json", data, size);
  mo::fuzz::convert(files, "net.pbtxt", {{"transformations_config", "config.json"}});
  return 0;
}
