// Any bytes as a GraphDef, binary or text: an IR or messages, never a crash, a hang or a sanitizer report. Bytes
// that are not text get a node in front, by which they are recognised as a GraphDef.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string graph(reinterpret_cast<const char*>(data), size);
  const bool is_text = graph.find("node {") != std::string::npos;
  if (!is_text) graph.insert(0, "\x0a\x0b\x0a\x03run\x12\x04NoOp");
  mo::fuzz::BytesFiles files;
  files.put("m.pb", reinterpret_cast<const uint8_t*>(graph.data()), graph.size());
  mo::fuzz::convert(files, "m.pb", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
