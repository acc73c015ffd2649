// Any bytes as a binary file of Kaldi: an IR or messages, never a crash, a hang or a sanitizer report.

#include <vector>

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> content{0, 'B'};
  content.insert(content.end(), data, data + size);
  mo::fuzz::BytesFiles files;
  files.put("m.mdl", content.data(), content.size());
  files.put("counts", content.data(), content.size());
  mo::fuzz::convert(files, "m.mdl", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  if (size % 3 == 0) mo::fuzz::convert(files, "m.mdl", {{"counts", "counts"}, {"remove_memory", "True"}});
  return 0;
}
