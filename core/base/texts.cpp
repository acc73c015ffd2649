#include "core/base/texts.h"

namespace mo {
namespace {

void put_u32(std::vector<std::byte>& out, uint64_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

uint64_t get_u32(const std::vector<std::byte>& bytes, size_t word) {
  uint64_t value = 0;
  for (size_t i = 0; i < 4; ++i) value |= std::to_integer<uint64_t>(bytes[4 * word + i]) << (8 * i);
  return value;
}

}  // namespace

Constant make_texts(Shape shape, const std::vector<std::string>& texts) {
  std::vector<std::byte> out;
  uint64_t end = 0;
  for (const std::string& text : texts) end += text.size();
  out.reserve(4 * (texts.size() + 2) + end);
  put_u32(out, texts.size());
  put_u32(out, 0);
  end = 0;
  for (const std::string& text : texts) put_u32(out, end += text.size());
  for (const std::string& text : texts) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), bytes, bytes + text.size());
  }
  return owned(ElementType::String, std::move(shape), std::move(out));
}

std::optional<std::vector<std::string>> texts_of(const Constant& constant) {
  if (constant.type != ElementType::String || constant.content->kind() != Content::Kind::Owned) return std::nullopt;
  const auto& bytes = static_cast<const OwnedContent&>(*constant.content).bytes;
  const auto count = static_cast<size_t>(get_u32(bytes, 0)), first = 4 * (count + 2);
  std::vector<std::string> out;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t begin = get_u32(bytes, i + 1), end = get_u32(bytes, i + 2);
    out.emplace_back(reinterpret_cast<const char*>(bytes.data()) + first + begin, static_cast<size_t>(end - begin));
  }
  return out;
}

}  // namespace mo
