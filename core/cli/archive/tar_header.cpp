#include "core/cli/archive/tar_header.h"

#include "core/base/text.h"

namespace mo {
namespace {

constexpr size_t kSizeField = 124, kSumField = 148, kTypeField = 156;

/// A text up to its first zero.
std::string text_of(std::span<const std::byte> block, size_t start, size_t length) {
  const std::string text(reinterpret_cast<const char*>(block.data()) + start, length);
  return text.substr(0, text.find('\0'));
}

std::optional<uint64_t> octal(std::string_view digits) {
  constexpr std::string_view kBlanks = " \t\r\n";
  while (!digits.empty() && kBlanks.find(digits.front()) != std::string_view::npos) digits.remove_prefix(1);
  while (!digits.empty() && kBlanks.find(digits.back()) != std::string_view::npos) digits.remove_suffix(1);
  uint64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '7') return std::nullopt;
    number = number * 8 + static_cast<uint64_t>(digit - '0');
  }
  return number;
}

/// A number in the form of GNU tar, for sizes of 8 GB and more.
std::optional<uint64_t> binary(std::span<const std::byte> bytes) {
  uint64_t number = 0;
  for (const std::byte byte : bytes) {
    if (number > kLargestSize >> 8) return std::nullopt;
    number = number << 8 | static_cast<uint64_t>(byte);
  }
  return number;
}

}  // namespace

bool is_tar_header(std::span<const std::byte> block) {
  if (block.size() < kTarBlock) return false;
  uint64_t sum = 0;
  for (size_t i = 0; i < kTarBlock; ++i)
    sum += i >= kSumField && i < kTypeField ? ' ' : static_cast<uint64_t>(block[i]);
  return octal(text_of(block, kSumField, kTypeField - kSumField)) == sum;
}

TarFields read_tar_header(std::span<const std::byte> block) {
  const bool is_binary = (block[kSizeField] & std::byte{0x80}) != std::byte{0};
  const std::optional<uint64_t> size =
      is_binary ? binary(block.subspan(kSizeField + 1, 11)) : octal(text_of(block, kSizeField, 12));
  const std::string prefix = text_of(block, 257, 6) == "ustar" ? text_of(block, 345, 155) : "";
  TarHeader header{.path = text_of(block, 0, 100), .link = text_of(block, 157, 100), .size = size.value_or(0)};
  if (!prefix.empty()) header.path.insert(0, prefix + "/");
  if (const char type = static_cast<char>(block[kTypeField]); type != '\0') header.type = type;
  return {std::move(header), size.has_value()};
}

}  // namespace mo
