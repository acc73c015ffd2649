// Any text as an expression of symbols: bounds, never a crash, a hang or a sanitizer report.

#include <cstdint>
#include <string_view>

#include "core/front/pytorch/load/symbols.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const mo::pytorch::SymbolBounds symbols{{"s0", mo::Interval(2, 100)}, {"s1", mo::Interval(0, INT64_MAX)}};
  mo::pytorch::bounds_of({reinterpret_cast<const char*>(data), size}, symbols);
  return 0;
}
