// Any bytes as the .xml of an IR: a verdict or messages. What follows a NUL byte is another .xml, which it is compared
// with; without one it is compared with itself.

#include <algorithm>
#include <cstdlib>

#include "core/ir/compare/compare_irs.h"
#include "core/ir/read/ir_files.h"
#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr uint8_t kBin[64] = {};
  const uint8_t* end = std::find(data, data + size, uint8_t{0});
  const auto first = static_cast<size_t>(end - data);
  mo::fuzz::BytesFiles files;
  files.put("a.xml", data, first);
  files.put("a.bin", kBin, sizeof kBin);
  if (first < size)
    files.put("b.xml", end + 1, size - first - 1);
  else
    files.put("b.xml", data, first);
  files.put("b.bin", kBin, sizeof kBin - first % 2);
  mo::verify_ir(files, "a.xml");
  for (const bool contents : {false, true}) {
    const mo::ComparedIrs compared =
        mo::compare_irs(files, {.name = "a.xml", .shown = "a"}, {.name = "b.xml", .shown = "b"}, contents);
    // An IR is the same as itself.
    if (first == size && compared.is_readable && !compared.is_same) std::abort();
  }
  return 0;
}
