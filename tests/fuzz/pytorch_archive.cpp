// Any bytes as an exported program of PyTorch: an IR or messages, never a crash, a hang or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles files;
  files.put("m.pt2", data, size);
  mo::fuzz::convert(files, "m.pt2", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
