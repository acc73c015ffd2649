// Any bytes as a symbol of MXNet: an IR or messages, never a crash, a hang or a sanitizer report.

#include <string_view>

#include "tests/fuzz/bytes_file.h"

namespace {

using namespace std::string_view_literals;

/// w, two by three zeros, and b, three.
constexpr std::string_view kArrays =
    "\x12\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
    "\2\0\0\0\2\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\1\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0w\1\0\0\0\0\0\0\0b"sv;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles files;
  files.put("m-symbol.json", data, size);
  files.put("m-0000.params", reinterpret_cast<const uint8_t*>(kArrays.data()), kArrays.size());
  mo::fuzz::convert(files, "m-0000.params", {});
  mo::fuzz::convert(files, "m-symbol.json", {{"input_shape", "[2,3]"}});
  return 0;
}
