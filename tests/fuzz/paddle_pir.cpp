// Any bytes as a PIR program of PaddlePaddle, with a few parameters: an IR or messages, never a crash, a hang or a
// sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Two records: a vector of 3 numbers, and one without elements.
  constexpr char kParameters[] =
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0\x08\x05\x10\x03\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0\x08\x05\x10\0";
  mo::fuzz::BytesFiles files;
  files.put("m.json", data, size);
  files.put("m.pdiparams", reinterpret_cast<const uint8_t*>(kParameters), sizeof(kParameters) - 1);
  mo::fuzz::convert(files, "m.json", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
