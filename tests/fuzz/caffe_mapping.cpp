// Any bytes as the mapping file of custom layers, beside a network with such a layer: an IR or messages, never a crash,
// a hang or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kNetwork =
      "input: \"x\" input_dim: 1 input_dim: 3 input_dim: 4 input_dim: 4\n"
      "layer { name: \"a\" type: \"X\" bottom: \"x\" top: \"a\" x_param { a: 1 b { c: true c: false } } }\n"
      "layer { name: \"b\" type: \"Pooling\" bottom: \"x\" top: \"b\" pooling_param { kernel_size: 2 } }\n";
  mo::fuzz::BytesFiles files;
  files.put("net.prototxt", reinterpret_cast<const uint8_t*>(kNetwork.data()), kNetwork.size());
  files.put("map.xml", data, size);
  mo::fuzz::convert(files, "net.prototxt",
                    {{"k", "map.xml"}, {"disable_omitting_optional", size % 2 ? "True" : "False"}});
  return 0;
}
