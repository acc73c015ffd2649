// Any bytes as a model: an IR or messages, never a crash, a hang or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles files;
  files.put("m.onnx", data, size);
  mo::fuzz::convert(files, "m.onnx", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
