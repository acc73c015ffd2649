#include "core/base/element_type.h"

#include "core/base/error.h"

namespace mo {
namespace {
struct Row {
  std::string_view ir, precision;
  int bits;
  char kind;
};
constexpr Row kRows[] = {
    {"dynamic", "UNSPECIFIED", 0, '?'},
#define MO_TYPE(name, ir, precision, bits, kind) {ir, precision, bits, kind},
#include "core/base/element_type.def"
};
const Row& row(ElementType type) { return kRows[static_cast<size_t>(type)]; }
}  // namespace

std::string_view ir_name(ElementType type) { return row(type).ir; }
std::string_view precision(ElementType type) { return row(type).precision; }
bool in_ir(ElementType type) { return type != ElementType::Unknown && !row(type).precision.empty(); }
int bits(ElementType type) { return row(type).bits; }
bool is_float(ElementType type) { return row(type).kind == 'f'; }
bool is_integer(ElementType type) { return row(type).kind == 'i' || row(type).kind == 'u'; }
bool is_signed(ElementType type) { return row(type).kind == 'i' || row(type).kind == 'f'; }

std::optional<ElementType> element_type(std::string_view name) {
  for (size_t i = 1; i < std::size(kRows); ++i)
    if (kRows[i].ir == name) return static_cast<ElementType>(i);
  return std::nullopt;
}

uint64_t byte_size(ElementType type, uint64_t elements) {
  const auto width = static_cast<uint64_t>(bits(type));
  if (width == 0) return 0;
  if (elements > (UINT64_MAX >> 4) / width)
    throw Error(Code::SizeOverflow, msg(elements, " elements of ", ir_name(type)));
  return (elements * width + 7) / 8;
}

}  // namespace mo
