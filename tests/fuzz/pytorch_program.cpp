// Any bytes as the JSON of an exported program of PyTorch without weights, in a folder: an IR or messages, never a
// crash, a hang or a sanitizer report.

#include <string>
#include <string_view>
#include <utility>

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::pair<const char*, std::string_view> kOthers[] = {
      {"m/archive_format", "pt2"},
      {"m/archive_version", "0"},
      {"m/byteorder", "little"},
      {"m/data/weights/model_weights_config.json", R"({"config": {}})"},
      {"m/data/constants/model_constants_config.json", R"({"config": {}})"}};
  mo::fuzz::BytesFiles files;
  for (const auto& [path, text] : kOthers) files.put(path, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  files.put("m/models/model.json", data, size);
  mo::fuzz::convert(files, "m", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
