// Any bytes as the folder of a SavedModel: an IR or messages, never a crash, a hang or a sanitizer report. The bytes
// are the lengths of the graph and of the index, each in three bytes, then graph, index and shard.

#include "tests/fuzz/bytes_file.h"
#include "tests/fuzz/sealed_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 6) return 0;
  const auto length = [&](size_t at, size_t most) {
    return std::min<size_t>(data[at] | data[at + 1] << 8 | data[at + 2] << 16, most);
  };
  const size_t graph = length(0, size - 6), index = length(3, size - 6 - graph);
  const std::string table = mo::fuzz::sealed_table({reinterpret_cast<const char*>(data) + 6 + graph, index});
  mo::fuzz::BytesFiles files;
  files.put("model/saved_model.pb", data + 6, graph);
  files.put("model/variables/variables.index", reinterpret_cast<const uint8_t*>(table.data()), table.size());
  files.put("model/variables/variables.data-00000-of-00001", data + 6 + graph + index, size - 6 - graph - index);
  mo::fuzz::convert(files, "model", {});
  return 0;
}
