// Any bytes as a pipeline.config: settings or errors, never a crash, a hang or a sanitizer report.

#include "core/front/tf/detection/pipeline_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    mo::tf::read_pipeline_config(std::string(reinterpret_cast<const char*>(data), size), "pipeline.config");
  } catch (const mo::Error&) {
    // Errors in the text are expected.
  }
  return 0;
}
