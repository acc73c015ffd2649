// Any bytes as the parameters of a program of PaddlePaddle: an IR or messages, never a crash, a hang or a sanitizer
// report.

#include "tests/fuzz/bytes_file.h"

namespace {

/// A field of a message with up to 127 bytes.
std::string field(int number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} + content;
}
std::string number(int field, int value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }
std::string slot(const char* name, const char* argument) { return field(1, name) + field(2, argument); }
std::string variable(const char* name, bool stored) {
  const std::string tensor = number(1, 5) + number(2, 3);
  return field(1, name) + field(2, number(1, 7) + field(3, field(1, tensor))) + number(3, stored) + number(4, !stored);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string add =
      field(1, slot("X", "x")) + field(1, slot("Y", "w")) + field(2, slot("Out", "y")) + field(3, "elementwise_add");
  std::string block = number(1, 0);
  for (const char* name : {"x", "y", "w", "w2"}) block += field(3, variable(name, name[0] == 'w'));
  block += field(4, add);
  const std::string size_of_block{static_cast<char>((block.size() & 127) | 128), static_cast<char>(block.size() >> 7)};
  const std::string program = "\x0a" + size_of_block + block;
  mo::fuzz::BytesFiles files;
  files.put("m.pdmodel", reinterpret_cast<const uint8_t*>(program.data()), program.size());
  files.put("m.pdiparams", data, size);
  mo::fuzz::convert(files, "m.pdmodel", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
