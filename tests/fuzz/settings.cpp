// Any bytes as the YAML beside a model: a tree or an error, never a crash, a hang or a sanitizer report.

#include "core/base/error.h"
#include "core/base/yaml_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    mo::read_yaml({reinterpret_cast<const char*>(data), size});
  } catch (const mo::Error&) {
    // Errors in the text are expected.
  }
  return 0;
}
