// A streamed 128-bit hash (MurmurHash3 x64 128), the same on every host. It is not safe against adversaries: compare
// the bytes where hashes are equal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace mo {

struct Hash128 {
  uint64_t low = 0, high = 0;
  bool operator==(const Hash128&) const = default;
};
/// 32 hexadecimal digits.
std::string to_string(Hash128 hash);

/// The hash of all bytes added, however they are split into pieces.
class Hasher {
 public:
  void add(std::span<const std::byte> bytes);
  Hash128 result() const;

 private:
  static constexpr size_t kBlock = 16;
  void mix(const std::byte* block);

  uint64_t h1_ = 0, h2_ = 0, length_ = 0;
  std::array<std::byte, kBlock> rest_{};  ///< the first length_ % kBlock bytes: an incomplete block
};

Hash128 hash_of(std::span<const std::byte> bytes);

}  // namespace mo
