// Any bytes as the arrays of a symbol of MXNet: an IR or messages, never a crash, a hang or a sanitizer report.

#include <string_view>

#include "tests/fuzz/bytes_file.h"

namespace {

// clang-format off
constexpr std::string_view kSymbol = R"json({"nodes": [
  {"op": "null", "name": "x", "inputs": [], "attrs": {"__shape__": "(2, 3)"}},
  {"op": "null", "name": "w", "inputs": []}, {"op": "null", "name": "b", "inputs": []},
  {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "3"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}],
  "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
// clang-format on

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles files;
  files.put("m-symbol.json", reinterpret_cast<const uint8_t*>(kSymbol.data()), kSymbol.size());
  files.put("m.params", data, size);
  mo::fuzz::convert(files, "m-symbol.json",
                    {{"input_weights", "m.params"}, {"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
