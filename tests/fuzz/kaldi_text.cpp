// Any bytes as a text of Kaldi: an IR or messages, never a crash, a hang or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles files;
  files.put("vosk/am/final.mdl", data, size);
  files.put("vosk/counts", data, size);
  mo::fuzz::convert(files, "vosk", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  if (size % 3 == 0)
    mo::fuzz::convert(files, "vosk/am/final.mdl", {{"counts", "vosk/counts"}, {"remove_output_softmax", "True"}});
  return 0;
}
