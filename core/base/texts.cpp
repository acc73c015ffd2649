#include "core/base/texts.h"

namespace mo {
namespace {

void put_u32(std::vector<std::byte>& out, uint64_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace

Constant make_texts(Shape shape, const std::vector<std::string>& texts) {
  std::vector<std::byte> out;
  put_u32(out, texts.size());
  put_u32(out, 0);
  uint64_t end = 0;
  for (const std::string& text : texts) put_u32(out, end += text.size());
  for (const std::string& text : texts) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), bytes, bytes + text.size());
  }
  return owned(ElementType::String, std::move(shape), std::move(out));
}

}  // namespace mo
